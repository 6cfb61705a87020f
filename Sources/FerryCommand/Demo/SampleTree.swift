import FerryCore
import Foundation

/// The files that the demo plays with: the same at every run.
struct SampleTree {
    /// The number of folders, files and bytes that were made.
    struct Count {
        var folders = 0
        var files = 0
        var bytes: Int64 = 0
    }

    private var random = SplitMix(seed: 2_026)

    /// Makes the tree.
    ///
    /// - Parameter storage: An empty storage.
    /// - Returns: How much was made.
    /// - Throws: Any error that the storage throws.
    mutating func make(on storage: any Storage) async throws -> Count {
        var count = Count()
        for folder: ItemPath in ["/Letters", "/Photos", "/Photos/2025", "/Photos/2026"] {
            try await storage.create(folder: folder.lastName, at: folder.parent)
            count.folders += 1
        }
        try await write(Data(Self.readMe.utf8), "/read me first.md", storage, &count)
        for (name, text) in Self.letters {
            try await write(Data(text.utf8), ItemPath.root.appending("Letters").appending(name), storage, &count)
        }
        for year in ["2025", "2026"] {
            for number in 1...60 {
                let name = "IMG_\(String(repeating: "0", count: number < 10 ? 3 : 2))\(number).jpg"
                let photo = random.bytes(40_000 + Int(random.next() % 360_000))
                let folder: ItemPath = "/Photos/\(year)"
                try await write(photo, folder.appending(name), storage, &count)
            }
        }
        if let links = storage as? any FileProviderSymbolicLink {
            try await links.create(symbolicLink: "/latest", withDestination: "Photos/2026")
        }
        return count
    }

    /// Makes one larger file besides.
    ///
    /// - Parameter storage: Where the tree is.
    /// - Returns: Its bytes.
    /// - Throws: Any error that the storage throws.
    mutating func makeFilm(on storage: any Storage) async throws -> Int64 {
        let scene = random.bytes(1 << 20)
        var film = Data(capacity: 32 * scene.count)
        for _ in 1...32 { film.append(scene) }
        try await storage.writeContents(path: "/film.mp4", contents: film)
        return Int64(film.count)
    }

    private func write(_ contents: Data, _ path: ItemPath, _ storage: any Storage, _ count: inout Count) async throws {
        try await storage.writeContents(path: path, contents: contents)
        count.files += 1
        count.bytes += Int64(contents.count)
    }

    private static let readMe = """
        # A sample tree

        Some letters, some photos (random bytes, to be honest) and a link to the latest of them.

        """

    private static let letters = [
        ("to Ada.txt", "Dear Ada,\n\nthe engine works. It weaves algebra just as you said it would.\n"),
        ("to the bank.txt", "Dear Sirs,\n\nplease find the missing halfpenny.\n"),
        ("an Ämter.txt", "Sehr geehrte Damen und Herren,\n\nanbei das Formular, zum dritten Mal.\n"),
        ("2026-06-01 draft.txt", "Dear\n"),
    ]
}

/// A small generator that gives everybody the same numbers.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func bytes(_ count: Int) -> Data {
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices { words[index] = next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
