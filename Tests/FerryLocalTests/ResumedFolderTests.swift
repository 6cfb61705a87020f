import FerryCore
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("A folder whose copying broke off")
struct ResumedFolderTests {
    private static let size = 100_000
    private static let count = 60

    private let folder: TemporaryFolder

    /// Files enough for more than one portion, and one of each other kind.
    init() throws {
        folder = try TemporaryFolder()
        let files = FileManager.default
        for name in ["from/d/many", "from/d/few/deep", "from/d/closed", "to"] {
            try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        for index in 0..<Self.count { try write("from/d/many/\(index)", fill: UInt8(index)) }
        for index in 0..<3 { try write("from/d/few/deep/\(index)", fill: 200) }
        try write("from/d/closed/file", fill: 201)
        symlink("few/deep", folder.path("from/d/link"))
        mkfifo(folder.path("from/d/pipe"), 0o640)
        link(folder.path("from/d/few/deep/0"), folder.path("from/d/name"))
        try files.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)],
            ofItemAtPath: folder.path("from/d/few")
        )
        chmod(folder.path("from/d/closed"), 0o555)
    }

    private func write(_ name: String, fill: UInt8) throws {
        try Data(repeating: fill, count: Self.size).write(to: URL(filePath: folder.path(name)))
    }

    private func copy(as write: PartialWrite, reporting progress: Progress?) async throws -> CopiedItems {
        try await folder.provider("to").copyFolder(
            path: "/d",
            of: folder.provider("from"),
            as: write,
            noting: nil,
            leavingOut: 1 << 20,
            reporting: progress,
            onError: nil
        ).copied
    }

    /// Copies until some bytes are there, and breaks off.
    ///
    /// - Returns: The record that leads back to it.
    private func interrupted() async throws -> PartialWrite {
        // Files as young as the difference of the clocks are copied again.
        try await Task.sleep(for: .milliseconds(30))
        let write = folder.provider("to").folderRecord(path: "/d")
        let progress = AlarmedProgress(beyond: 3 << 20) { $0.cancel() }
        await #expect(throws: CancellationError.self) { _ = try await copy(as: write, reporting: progress) }
        #expect(try names("to").count == 1 && names("to")[0].hasPrefix(".ferry-"))
        return write
    }

    private func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
    }

    /// The files that are there, complete or not, by their numbers.
    private func numbers(_ top: String) throws -> [String: UInt64] {
        var numbers: [String: UInt64] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path(top)) {
            let status = try folder.status(top + "/" + name)
            let original = try? folder.status("from/d/" + name)
            guard status.isFile, original?.modified.tv_nsec == status.modified.tv_nsec, status.linkCount == 1,
                original?.linkCount == 1
            else { continue }
            numbers[name] = status.identity.inode
        }
        return numbers
    }

    /// Returns what is in a tree: kinds, permissions, dates, contents, and which names belong to one file.
    private func state(_ top: String) throws -> [String: String] {
        var state: [String: String] = [:]
        var firsts: [UInt64: String] = [:]
        for name in try [""] + FileManager.default.subpathsOfDirectory(atPath: folder.path(top)).sorted() {
            let path = name.isEmpty ? top : top + "/" + name
            let status = try folder.status(path)
            var words = "\(String(status.mode, radix: 8)) \(status.user) \(status.size) \(status.modified.tv_sec)"
            if status.isFile {
                let first = firsts[status.identity.inode] ?? name
                firsts[status.identity.inode] = first
                words += " \(first) \(try Data(contentsOf: URL(filePath: folder.path(path))).first ?? 0)"
            } else if status.isLink {
                words += " " + (try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(path)))
            }
            state[name] = status.isFolder ? words.replacing(" \(status.size) ", with: " ") : words
        }
        return state
    }

    @Test(
        "it goes on: what is there isn't copied again, and all is as in the original, be it somebody else's",
        arguments: geteuid() == 0 ? [nil, 1_234] : [nil]
    )
    func goesOn(owner: uid_t?) async throws {
        if let owner {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("from")) {
                lchown(folder.path("from/" + name), owner, owner)
            }
        }
        let write = try await interrupted()
        let hidden = try "to/" + names("to")[0]
        let before = try numbers(hidden)
        #expect(before.count >= 20 && before.count < Self.count + 3)
        let progress = FilesProgress(totalUnitCount: -1)
        let copied = try await copy(as: write, reporting: progress)
        #expect(try names("to") == ["d"])
        #expect(try state("to/d") == state("from/d"))
        let after = try numbers("to/d")
        for (name, number) in before { #expect(after[name] == number, "\(name)") }
        // Files are not copied once more; that they are there is progress.
        let rest = Self.count + 3 - before.count
        #expect(copied.files == rest + 4 && copied.folders == 5, "\(copied)")
        // Two names of one file, a link and a pipe.
        #expect(progress.files == [Self.count + 7, Self.count + 7])
        #expect(progress.completedUnitCount == Int64((Self.count + 5) * Self.size) && progress.isFinished)
    }

    @Test("whatever changed meanwhile is copied as it is now")
    func changed() async throws {
        let write = try await interrupted()
        let hidden = try "to/" + names("to")[0]
        let done = try numbers(hidden).keys.filter { $0.hasPrefix("many/") }.sorted()
        try #require(done.count >= 5)
        // Of the same size, and with the same date.
        let old = try folder.status("from/d/" + done[0])
        try self.write("from/d/" + done[0], fill: 255)
        var times = [old.accessed, old.modified]
        #expect(utimensat(AT_FDCWD, folder.path("from/d/" + done[0]), &times, 0) == 0)
        let files = FileManager.default
        try files.removeItem(atPath: folder.path("from/d/" + done[1]))
        try files.removeItem(atPath: folder.path("from/d/" + done[2]))
        try files.createDirectory(atPath: folder.path("from/d/" + done[2]), withIntermediateDirectories: false)
        try files.removeItem(atPath: folder.path("from/d/" + done[3]))
        symlink("x", folder.path("from/d/" + done[3]))
        chmod(folder.path("from/d/" + done[4]), 0o600)
        try files.removeItem(atPath: folder.path("from/d/few"))
        try self.write("from/d/few", fill: 7)
        try files.removeItem(atPath: folder.path("from/d/link"))
        try files.createDirectory(atPath: folder.path("from/d/link"), withIntermediateDirectories: false)
        try self.write("from/d/link/new", fill: 8)
        _ = try await copy(as: write, reporting: nil)
        #expect(try names("to") == ["d"])
        #expect(try state("to/d") == state("from/d"))
    }

    @Test("a folder that has another one's name now is copied anew, though its files look the same")
    func exchanged() async throws {
        let files = FileManager.default
        // With files of the same names, sizes and dates.
        try files.createDirectory(atPath: folder.path("from/other"), withIntermediateDirectories: false)
        for index in 0..<Self.count {
            try self.write("from/other/\(index)", fill: 100 + UInt8(index))
            let old = try folder.status("from/d/many/\(index)")
            var times = [old.accessed, old.modified]
            #expect(utimensat(AT_FDCWD, folder.path("from/other/\(index)"), &times, 0) == 0)
        }
        let write = try await interrupted()
        try files.removeItem(atPath: folder.path("from/d/many"))
        try files.moveItem(atPath: folder.path("from/other"), toPath: folder.path("from/d/many"))
        _ = try await copy(as: write, reporting: nil)
        #expect(try state("to/d") == state("from/d"))
    }

    @Test("after the machine started anew nothing that is there is relied on, and it can be given up")
    func restarted() async throws {
        var write = try await interrupted()
        write.values["boot"] = "another"
        await #expect(throws: PartialWriteLostError.self) { _ = try await copy(as: write, reporting: nil) }
        try await folder.provider("to").discardPartialWrite(write)
        #expect(try names("to") == [])
    }

    @Test("a folder that has an access list or attributes by now begins anew, so that nothing in it gets them")
    func attributes() async throws {
        let write = try await interrupted()
        let hidden = try "to/" + names("to")[0]
        let red = ItemAttributes(extendedAttributes: ["user.colour": Data("red".utf8)])
        try await folder.provider().setAttributes(red, path: ItemPath(parsing: hidden))
        _ = try await copy(as: write, reporting: nil)
        #expect(try names("to") == ["d"])
        #expect(try state("to/d") == state("from/d"))
        #expect(try BaseFolder(path: folder.path("to")).folder().openFolder("d").extendedAttributeNames() == [])
    }

    @Test("given up, it is gone; and one that never was is no error")
    func discarded() async throws {
        let write = try await interrupted()
        let provider = folder.provider("to")
        try await provider.discardPartialWrite(write)
        #expect(try names("to") == [])
        try await provider.discardPartialWrite(write)
        // A record of somebody else leads nowhere.
        var other = write
        other.values["name"] = "../from"
        try await provider.discardPartialWrite(other)
        #expect(try names("from") == ["d"])
    }

    @Test("what has the name now stays, and the copy that lost it can be given up")
    func taken() async throws {
        let write = try await interrupted()
        try FileManager.default.createDirectory(atPath: folder.path("to/d"), withIntermediateDirectories: false)
        await #expect { _ = try await copy(as: write, reporting: nil) } throws: { error in
            (error as? CocoaError)?.code == .fileWriteFileExists
        }
        #expect(try names("to/d") == [])
        try await folder.provider("to").discardPartialWrite(write)
        #expect(try names("to") == ["d"])
    }
}

/// Keeps what it was told of files: how many there are, and how many are done.
private final class FilesProgress: Progress, CountedProgress, @unchecked Sendable {
    private let told = Mutex([0, 0])

    var files: [Int] { told.withLock { $0 } }

    func count(files: Int, done: Int) { told.withLock { $0 = [files, done] } }

    func skip(_ units: Int64) { completedUnitCount += units }
}
