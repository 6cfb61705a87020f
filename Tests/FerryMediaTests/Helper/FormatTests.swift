import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("The formats that people have, made by others' programs, as thumbnails by ferry-media")
struct FormatTests {
    /// Runs a script in a folder with the samples, and with `quad.png`, which is red and green above, blue and white below.
    private func file(_ name: String, by script: String) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["flag.jpg", "flag.svg", "flag.pdf"] {
            try Data(try Samples.bytes(name)).write(to: folder.appending(path: name))
        }
        let colours = ["red", "lime", "blue", "white"].map { "-f lavfi -i color=\($0):s=48x32" }.joined(separator: " ")
        let quad = """
            set -e; cd "$1"
            ffmpeg -v error \(colours) -filter_complex '[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack' -frames:v 1 quad.png

            """
        let run = try await TestProgram.run("sh", ["-c", quad + script, "sh", folder.path])
        try #require(run.ending.isSuccess, "\(run.errors)")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private func answer(to file: [UInt8], page: Int = 1) async throws -> HelperProgram.Answer {
        try await HelperProgram.with { try $0.thumbnail(of: file) { ($0.width, $0.height, $0.page) = (64, 64, page) } }
            .result
    }

    /// The colours in the corners, from left to right and from top to bottom.
    private func corners(of file: [UInt8], page: Int = 1) async throws -> [String] {
        guard case .thumbnail(let result) = try await answer(to: file, page: page) else { return ["no thumbnail"] }
        let (right, below) = (result.width - 3, result.height - 3)
        let colours = try await Pixels.colours(
            in: result.data,
            at: [(x: 2, y: 2), (x: right, y: 2), (x: 2, y: below), (x: right, y: below)]
        )
        return colours.map(Pixels.name)
    }

    @Test(
        "a photo is shown upright, however the camera was held, and mirrored or not",
        arguments: [
            (1, "red green blue white"), (2, "green red white blue"), (3, "white blue green red"),
            (4, "blue white red green"), (5, "red blue green white"), (6, "blue red white green"),
            (7, "white green blue red"), (8, "green white red blue"),
        ]
    )
    func orientations(_ orientation: Int, _ expected: String) async throws {
        let script = """
            vips jpegsave quad.png a.jpg --Q 95
            exiftool -q -overwrite_original -n -Orientation=\(orientation) a.jpg
            """
        #expect(try await corners(of: file("a.jpg", by: script)).joined(separator: " ") == expected)
    }

    @Test(
        "packed drawings, deep colours, and pictures that move have their colours",
        arguments: [
            ("a.svgz", "gzip -c flag.svg > a.svgz", "red blue red blue"),
            (
                "a.png",
                "vips linear quad.png t.v 257 0; vips cast t.v u.v ushort; vips copy u.v a.png --interpretation rgb16",
                "red green blue white"
            ),
            ("a.webp", "ffmpeg -v error -loop 1 -t 1 -r 4 -i quad.png -loop 0 a.webp", "red green blue white"),
            ("a.gif", "ffmpeg -v error -loop 1 -t 1 -r 4 -i quad.png a.gif", "red green blue white"),
            ("a.tif", "vips tiffsave quad.png a.tif --compression lzw --tile", "red green blue white"),
            ("turned.pdf", "qpdf --rotate=+90:1 flag.pdf turned.pdf", "red red blue blue"),
            (
                "cut.pdf",
                "sed 's#/MediaBox .0 0 96 64.#/MediaBox [0 0 96 64] /CropBox [48 0 96 64]#' flag.pdf > cut.pdf",
                "blue blue blue blue"
            ),
        ]
    )
    func colours(_ name: String, _ script: String, _ expected: String) async throws {
        #expect(try await corners(of: file(name, by: script)).joined(separator: " ") == expected)
    }

    @Test("a picture in the four colours of print has them nearly")
    func print() async throws {
        let file = try await file("a.jpg", by: "vips colourspace quad.png a.jpg cmyk")
        guard case .thumbnail(let result) = try await answer(to: file) else { throw WireError("no thumbnail") }
        let colours = try await Pixels.colours(in: result.data, at: [(x: 2, y: 2), (x: 60, y: 40)])
        #expect(colours[0][0] > colours[0][1] + 100 && colours[0][0] > colours[0][2] + 100, "\(colours)")
        #expect(colours[1].allSatisfy { $0 > 230 }, "\(colours)")
    }

    @Test("of a picture of several pages the one that is asked for is shown, or that there is none")
    func pages() async throws {
        let script =
            "vips rot quad.png r.png d180; vips join quad.png r.png a.v vertical; vips tiffsave a.v a.tif --page-height 64"
        let file = try await file("a.tif", by: script)
        #expect(try await corners(of: file, page: 1) == ["red", "green", "blue", "white"])
        #expect(try await corners(of: file, page: 2) == ["white", "blue", "green", "red"])
        #expect(try await answer(to: file, page: 3) == .refused(.nothingThere, "there is no such page"))
    }

    @Test("a document that opens with a password only says so, and one whose owner has one is shown")
    func locked() async throws {
        let locked = try await file("a.pdf", by: "qpdf --encrypt secret owner 256 -- flag.pdf a.pdf")
        guard case .refused(.locked, _) = try await answer(to: locked) else { throw WireError("it is open") }
        let owned = try await file("a.pdf", by: "qpdf --encrypt '' owner 256 --print=none -- flag.pdf a.pdf")
        #expect(try await corners(of: owned) == ["red", "blue", "red", "blue"])
    }

    @Test("Ogg files show the picture that their comments hold", arguments: ["ogg", "opus"])
    func comments(_ kind: String) async throws {
        let script = """
            picture=$(python3 -c '
            import base64, struct
            data, kind = open("flag.jpg", "rb").read(), b"image/jpeg"
            head = struct.pack(">II", 3, len(kind)) + kind + struct.pack(">IIIIII", 0, 96, 64, 24, 0, len(data))
            print(base64.b64encode(head + data).decode())')
            ffmpeg -v error -f lavfi -i sine=d=1:r=48000 -metadata "METADATA_BLOCK_PICTURE=$picture" a.\(kind)
            """
        #expect(try await corners(of: file("a.\(kind)", by: script)) == ["red", "blue", "red", "blue"])
    }

    @Test(
        "sounds that hold no pictures are known, and say what they are",
        arguments: ["au", "caf", "ac3", "wv", "aiff"]
    )
    func plainSounds(_ kind: String) async throws {
        let file = try await file("a.\(kind)", by: "ffmpeg -v error -f lavfi -i sine=d=1:r=48000 a.\(kind)")
        let run = try await HelperProgram.with { program in
            let picture = try program.thumbnail(of: file)
            let job = PropertiesJob(size: Int64(file.count))
            return (picture, try program.answer(to: .properties(job), file: file))
        }
        #expect(run.result.0 == .refused(.nothingThere, "there is no picture in it"))
        guard case .properties(let entries) = run.result.1 else { throw WireError("\(run.result.1)") }
        #expect(entries.contains(PropertyEntry("sampleRate", .integer(48_000))), "\(entries)")
    }
}
