import FerryCore
import Foundation
import NIOCore
import Testing

@testable import FerryLocal

@Suite("Writing shows the old content or the new")
struct WritingTests {
    private struct SourceFailed: Error {}

    /// Chunks of 64 KiB, then perhaps an error.
    private func chunks(_ count: Int, failing: Bool = false) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { continuation in
            for _ in 0..<count { continuation.yield(ByteBuffer(repeating: 0x78, count: 64 << 10)) }
            continuation.finish(throwing: failing ? SourceFailed() : nil)
        }
    }

    @Test("a source that fails, or has another length, leaves everything as it was", arguments: [false, true])
    func failingSource(exists: Bool) async throws {
        let folder = try TemporaryFolder()
        if exists { try folder.write("old", to: "file") }
        let provider = folder.provider()
        let options = WriteOptions(overwrite: true)
        await #expect(throws: SourceFailed.self) {
            try await provider.writeStream(path: "/file", contents: chunks(20, failing: true), options: options)
        }
        for length: Int64 in [1, (20 << 16) - 1, (20 << 16) + 1] {
            await #expect(throws: URLError.self) {
                try await provider.writeStream(path: "/file", contents: chunks(20), length: length, options: options)
            }
        }
        #expect(try folder.names() == (exists ? ["file"] : []))
        #expect(folder.read("file") == (exists ? "old" : nil))
    }

    @Test("what comes in many chunks is written in their order", arguments: [1_000, 64 << 10, 700_000])
    func order(size: Int) async throws {
        let folder = try TemporaryFolder()
        let (chunks, feed) = AsyncStream<ByteBuffer>.makeStream()
        for number in 0..<200 { feed.yield(ByteBuffer(repeating: UInt8(number), count: size)) }
        feed.finish()
        let progress = Progress(totalUnitCount: -1)
        try await folder.provider().writeStream(
            path: "/file",
            contents: chunks,
            length: Int64(200 * size),
            options: WriteOptions(),
            reporting: progress
        )
        let written = try Data(contentsOf: URL(filePath: folder.path("file")))
        #expect(written.count == 200 * size)
        #expect(
            (0..<200).allSatisfy { number in
                written[number * size] == UInt8(number) && written[(number + 1) * size - 1] == UInt8(number)
            }
        )
        #expect(progress.completedUnitCount == Int64(200 * size))
    }

    @Test("a cancelled write leaves everything as it was, and no file open")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let provider = folder.provider()
        let (endless, feed) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        feed.yield(ByteBuffer(repeating: 1, count: 1 << 20))
        let task = Task {
            try await provider.writeStream(path: "/file", contents: endless, options: WriteOptions(overwrite: true))
        }
        feed.yield(ByteBuffer(repeating: 1, count: 1 << 20))
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(folder.read("file") == "old")
        #expect(try folder.names() == ["file"])
        #expect(try openFiles(below: folder.path() + "/") == 0)
    }

    @Test("of many writers at the same time, exactly one makes a new file", arguments: [true, false])
    func exclusive(atomically: Bool) async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        for round in 0..<20 {
            let path = ItemPath.root.appending("file\(round)")
            let winners = await withTaskGroup(of: String?.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let text = String(repeating: "\(writer)", count: 1_000)
                        do {
                            try await provider.writeContents(
                                path: path,
                                contents: Data(text.utf8),
                                atomically: atomically
                            )
                            return text
                        } catch let error as CocoaError {
                            #expect(error.code == .fileWriteFileExists)
                        } catch {
                            Issue.record(error)
                        }
                        return nil
                    }
                }
                return await group.reduce(into: [String]()) { winners, text in
                    if let text { winners.append(text) }
                }
            }
            #expect(winners.count == 1)
            #expect(folder.read("file\(round)") == winners.first)
        }
    }

    @Test("while it is overwritten again and again, a file is always whole")
    func alwaysWhole() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        let texts = (0..<4).map { String(repeating: "\($0)", count: 100_000) }
        try await provider.writeContents(path: "/file", contents: Data(texts[0].utf8))
        await withTaskGroup(of: Void.self) { group in
            for text in texts {
                group.addTask {
                    for _ in 0..<25 {
                        try? await provider.writeContents(path: "/file", contents: Data(text.utf8), overwrite: true)
                        #expect(texts.contains(folder.read("file") ?? "gone"))
                    }
                }
            }
        }
        #expect(try folder.names() == ["file"])
    }

    @Test("a replaced file keeps permissions, owner and extended attributes")
    func keepsAttributes() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        chmod(folder.path("file"), 0o640)
        try setExtendedAttribute("user.colour", "red", of: folder.path("file"))
        let isRoot = geteuid() == 0
        if isRoot { chown(folder.path("file"), 1234, 4321) }
        try await folder.provider().writeContents(path: "/file", contents: Data("new".utf8), overwrite: true)
        let status = try folder.status("file")
        #expect(folder.read("file") == "new")
        #expect(status.permissions == 0o640)
        #expect(try extendedAttribute("user.colour", of: folder.path("file")) == "red")
        if isRoot { #expect(status.user == 1234 && status.group == 4321) }
    }

    @Test("a write can depend on the version that is replaced")
    func conditional() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        try await provider.writeContents(path: "/file", contents: Data("one".utf8))
        let eTag = try #require(try await provider.attributesOfItem(path: "/file").eTag)
        let options = WriteOptions(ifMatch: eTag)
        try await provider.writeStream(path: "/file", contents: DataChunks(Data("two".utf8)), options: options)
        await #expect(throws: PreconditionFailedError.self) {
            try await provider.writeStream(path: "/file", contents: DataChunks(Data("three".utf8)), options: options)
        }
        await #expect(throws: PreconditionFailedError.self) {
            try await provider.writeStream(path: "/gone", contents: DataChunks(Data()), options: options)
        }
        #expect(folder.read("file") == "two")
        #expect(try folder.names() == ["file"])
    }

    @Test("the modified date is kept as it was given, and data is synced when asked")
    func dates() async throws {
        let folder = try TemporaryFolder()
        let date = Date(timeIntervalSince1970: 1_234_567_890.125)
        let options = WriteOptions(modifiedDate: date, synchronizes: true)
        let written = try await folder.provider()
            .writeStream(path: "/file", contents: DataChunks(Data("x".utf8)), options: options)
        #expect(written?.modifiedDate == date)
        #expect(try await folder.provider().attributesOfItem(path: "/file").modifiedDate == date)
    }

    @Test("a folder, a missing folder and a file in the way have their errors")
    func errors() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "folder/file")
        let provider = folder.provider()
        let data = Data("y".utf8)
        for overwrite in [false, true] {
            await expect(.fileWriteFileExists) {
                try await provider.writeContents(path: "/folder", contents: data, overwrite: overwrite)
            }
            await expect(.fileWriteFileExists) {
                try await provider.writeContents(path: "/", contents: data, overwrite: overwrite)
            }
            await expect(.fileNoSuchFile) {
                try await provider.writeContents(path: "/gone/file", contents: data, overwrite: overwrite)
            }
        }
        await expect(.fileWriteFileExists) { try await provider.writeContents(path: "/folder/file", contents: data) }
        await expect(.fileWriteUnknown) { try await provider.writeContents(path: "/folder/file/x", contents: data) }
        await expect(.fileNoSuchFile) { _ = try await provider.contents(path: "/folder/file/x") }
        await expect(.fileReadUnknown) { _ = try await provider.contents(path: "/folder") }
        await expect(.fileReadUnknown) { _ = try await provider.contentsOfDirectory(path: "/folder/file") }
        await expect(.fileNoSuchFile) { _ = try await provider.contentsOfDirectory(path: "/folder/file/x") }
        #expect(folder.read("folder/file") == "x")
    }

    // MARK: - File systems that say no

    private static let isRoot = geteuid() == 0

    @Test("a full disk is an error that loses nothing", .enabled(if: isRoot, "mounting needs root"))
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let disk = try MountedFileSystem(folder, options: "size=1m")
        defer { disk.unmount() }
        let provider = folder.provider("disk")
        try await provider.writeContents(path: "/file", contents: Data("old".utf8))
        let large = Data(count: 4 << 20)
        for atomically in [true, false] {
            await expect(.fileWriteOutOfSpace) {
                try await provider.writeContents(path: "/new", contents: large, atomically: atomically)
            }
        }
        await expect(.fileWriteOutOfSpace) {
            try await provider.writeContents(path: "/file", contents: large, overwrite: true)
        }
        try large.write(to: URL(filePath: folder.path("large")))
        await expect(.fileWriteOutOfSpace) {
            try await provider.copyItem(localFile: URL(filePath: folder.path("large")), to: "/copy")
        }
        try folder.write("x", to: "tree/a")
        try large.write(to: URL(filePath: folder.path("tree/large")))
        let machine = LocalFileProvider(baseURL: folder.url)
        await expect(.fileWriteOutOfSpace) { try await machine.copyItem(path: "/tree", to: "/disk/tree") }
        await expect(.fileWriteOutOfSpace) { try await machine.moveItem(path: "/tree", to: "/disk/tree") }
        #expect(try folder.names("disk") == ["file"])
        #expect(folder.read("disk/file") == "old")
        #expect(try folder.names("tree") == ["a", "large"])
    }

    @Test("a read-only disk is an error that loses nothing", .enabled(if: isRoot, "mounting needs root"))
    func readOnlyDisk() async throws {
        let folder = try TemporaryFolder()
        let disk = try MountedFileSystem(folder, options: "size=1m")
        defer { disk.unmount() }
        try folder.write("old", to: "disk/folder/file")
        try folder.write("x", to: "file")
        try disk.makeReadOnly()
        let provider = folder.provider("disk")
        await expect(.fileWriteVolumeReadOnly) { try await provider.writeContents(path: "/new", contents: Data()) }
        await expect(.fileWriteVolumeReadOnly) {
            try await provider.writeContents(path: "/folder/file", contents: Data(), overwrite: true)
        }
        await expect(.fileWriteVolumeReadOnly) { try await provider.removeItem(path: "/folder") }
        await expect(.fileWriteVolumeReadOnly) { try await provider.create(folder: "new", at: "/") }
        await expect(.fileWriteVolumeReadOnly) { try await provider.moveItem(path: "/folder", to: "/other") }
        await expect(.fileWriteVolumeReadOnly) { try await provider.copyItem(path: "/folder", to: "/other") }
        await expect(.fileWriteVolumeReadOnly) {
            try await folder.provider().moveItem(path: "/disk/folder", to: "/moved")
        }
        #expect(try await provider.storageProperties().isReadOnly == true)
        #expect(folder.read("disk/folder/file") == "old")
    }

    @Test(
        "moving to another file system copies everything and then removes",
        .enabled(if: isRoot, "mounting needs root")
    )
    func moveAcross() async throws {
        let folder = try TemporaryFolder()
        let disk = try MountedFileSystem(folder, options: "size=10m")
        defer { disk.unmount() }
        try folder.write("1", to: "tree/a")
        try folder.write("2", to: "tree/sub/b")
        try folder.write("old", to: "disk/merged/sub/b")
        try folder.write("kept", to: "disk/merged/kept")
        // A move never removes what is younger than its copy.
        for path in ["tree/a", "tree/sub/b"] {
            setDate(timespec(tv_sec: 1_000_000_000, tv_nsec: 0), of: folder.path(path))
        }
        let provider = folder.provider()
        try await provider.moveItem(path: "/tree", to: "/disk/tree")
        #expect(try folder.names("disk/tree") == ["a", "sub", "sub/b"])
        #expect(try !folder.names().contains("tree"))
        try await provider.moveItem(path: "/disk/tree", to: "/tree")
        try await provider.moveItem(path: "/tree", to: "/disk/merged", overwrite: true)
        #expect(folder.read("disk/merged/sub/b") == "2")
        #expect(folder.read("disk/merged/kept") == "kept")
        #expect(folder.read("disk/merged/a") == "1")
        #expect(try folder.names().allSatisfy { $0.hasPrefix("disk") })
        // Names of one file stay that, and dates to come don't look like changes of just now.
        try folder.write("3", to: "more/a")
        #expect(link(folder.path("more/a"), folder.path("more/b")) == 0)
        try folder.write("4", to: "more/c")
        setDate(timespec(tv_sec: 4_000_000_000, tv_nsec: 0), of: folder.path("more/c"))
        try await provider.moveItem(path: "/more", to: "/disk/more")
        #expect(try folder.names().allSatisfy { $0.hasPrefix("disk") })
        #expect(try folder.status("disk/more/a").identity == folder.status("disk/more/b").identity)
        #expect(try await provider.isOnOtherDisk("/disk/more/a", than: "/"))
        #expect(try await !provider.isOnOtherDisk("/disk/more/a", than: "/disk/merged"))
    }

    @Test("of what was copied to another disk nothing is removed that isn't in the copy as it is")
    func changedSinceCopied() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        let names = ["a", "b", "c", "d/e", "d/same", "gone", "short", "touched", "linked", "empty/x"]
        for name in names { try folder.write("old", to: "tree/" + name) }
        #expect(link(folder.path("tree/c"), folder.path("tree/d/f")) == 0)
        #expect(link(folder.path("tree/linked"), folder.path("tree/d/linked")) == 0)
        for (name, goal) in [("link", "a"), ("other", "a")] { #expect(symlink(goal, folder.path("tree/" + name)) == 0) }
        #expect(mkfifo(folder.path("tree/pipe"), 0o600) == 0)
        try folder.write("old", to: "from/elsewhere/f")
        try await provider.copyItem(path: "/tree", to: "/copy")
        try await Task.sleep(for: .milliseconds(30))
        let copied = Date()
        try await Task.sleep(for: .milliseconds(30))
        try folder.write("new", to: "tree/b")
        try folder.write("new", to: "tree/d/f")
        // One that looks as before, but is another.
        let date = try folder.status("tree/a").modified
        try FileManager.default.removeItem(atPath: folder.path("tree/a"))
        try folder.write("two", to: "tree/a")
        setDate(date, of: folder.path("tree/a"))
        #expect(chmod(folder.path("tree/touched"), 0o640) == 0)
        // What has come since, however old it is.
        #expect(rename(folder.path("from/elsewhere"), folder.path("tree/d/elsewhere")) == 0)
        #expect(unlink(folder.path("tree/other")) == 0 && symlink("b", folder.path("tree/other")) == 0)
        // What the copy has lost.
        #expect(unlink(folder.path("copy/gone")) == 0 && truncate(folder.path("copy/short"), 2) == 0)
        for _ in 0..<2 {
            let error = await #expect(throws: CocoaError.self) {
                try await provider.removeOriginal(path: "/tree", copiedTo: "/copy", since: copied)
            }
            #expect(error?.localizedDescription.contains("it has changed since it was copied, and stays") == true)
            let left = [
                "a", "b", "c", "d", "d/elsewhere", "d/elsewhere/f", "d/f", "gone", "other", "short",
            ]
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("tree")).sorted() == left)
        }
        #expect(folder.read("tree/b") == "new" && folder.read("tree/d/f") == "new" && folder.read("tree/a") == "two")
        #expect(folder.read("copy/touched") == "old" && folder.read("copy/linked") == "old")
    }

    @Test("what another has put in the place of what was copied is not removed, though the copy is the same")
    func otherOriginal() throws {
        let folder = try TemporaryFolder()
        for name in ["original", "copy", "former"] { try folder.write("same", to: name) }
        let base = try BaseFolder(path: folder.path()).folder()
        func place(_ name: String) -> Place { Place(folder: base, name: name.utf8.map { CChar(bitPattern: $0) } + [0]) }
        var remover = OriginalsRemover(paths: ("/original", "/copy"), begun: .now)
        let former = try folder.status("former").identity
        let error = #expect(throws: CocoaError.self) {
            try remover.remove(place("original"), former, copiedTo: place("copy"))
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(folder.read("original") == "same")
        let own = try folder.status("original").identity
        remover = OriginalsRemover(paths: ("/original", "/copy"), begun: .now)
        try remover.remove(place("original"), own, copiedTo: place("copy"))
        #expect(try folder.names() == ["copy", "former"])
    }

    @Test("a copy whose date is as its file system keeps it is one, and of another date only by its bytes")
    func datesOfCopies() async throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("fat", "new"), ("seconds", "new"), ("digits", "new"), ("other", "new"), ("same", "old")] {
            try folder.write("old", to: "tree/" + name)
            try folder.write(text, to: "copy/" + name)
        }
        try folder.write("old", to: "tree/later")
        try folder.write("new", to: "copy/later")
        let date = timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_321)
        for name in ["fat", "seconds", "digits", "other", "same", "later"] {
            setDate(date, of: folder.path("tree/" + name))
        }
        setDate(timespec(tv_sec: 1_700_000_000, tv_nsec: 0), of: folder.path("copy/fat"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 0), of: folder.path("copy/seconds"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_300), of: folder.path("copy/digits"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_301), of: folder.path("copy/other"))
        setDate(timespec(tv_sec: 1_600_000_001, tv_nsec: 0), of: folder.path("copy/same"))
        setDate(timespec(tv_sec: 1_700_000_002, tv_nsec: 0), of: folder.path("copy/later"))
        await #expect(throws: CocoaError.self) {
            try await folder.provider().removeOriginal(
                path: "/tree",
                copiedTo: "/copy",
                since: Date(timeIntervalSinceNow: 60)
            )
        }
        #expect(try folder.names().filter { $0.hasPrefix("tree/") }.sorted() == ["tree/later", "tree/other"])
    }
}

/// A small file system in memory, below a test's folder.
struct MountedFileSystem {
    private let path: String
    private let options: String

    init(_ folder: TemporaryFolder, type: String = "tmpfs", options: String = "") throws {
        path = folder.path("disk")
        self.options = options
        try folder.makeFolder("disk")
        try system { mount(type, path, type, 0, options) }
    }

    func makeReadOnly() throws {
        try system { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), options) }
    }

    func unmount() {
        umount2(path, CInt(MNT_DETACH))
    }
}
