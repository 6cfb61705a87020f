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
        try await untilOpenFiles(below: folder.path() + "/") { $0 == 0 }
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

    @Test(
        "a full disk is an error that loses nothing",
        .enabled(if: MountedFileSystem.isPossible, "mounting needs root")
    )
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

    @Test(
        "a read-only disk is an error that loses nothing",
        .enabled(if: MountedFileSystem.isPossible, "mounting needs root")
    )
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
}
