import FerryCore
import Foundation
import NIOCore
import Testing

@testable import FerryLocal

@Suite("A wrapper around local files")
struct WrappedLocalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("one", to: "from/a")
        try folder.write("two", to: "from/d/b")
        try folder.makeFolder("to")
    }

    private func copyFolder(to target: some FileProviderDirectPartCopying) async throws {
        _ = try await target.copyFolder(
            path: "/d",
            of: folder.provider("from"),
            as: target.folderRecord(path: "/d"),
            noting: nil,
            leavingOut: 1 << 20,
            reporting: nil,
            onError: nil
        )
    }

    @Test("reads many files at once, as they do")
    func bulkReading() async throws {
        let files = RetryingFileProvider(ReadOnlyFileProvider(folder.provider("from")))
        let read = try await files.wholeFiles(["/a", "/d/b"], upTo: 100)
        #expect(read.map { $0.map { String(buffer: $0.contents) } } == ["one", "two"])
    }

    @Test("lets nothing through where it is read-only, by whichever ability")
    func readOnly() async throws {
        let (disk, source) = (folder.provider("to"), folder.provider("from"))
        try folder.write("old", to: "to/old")
        let names = try folder.names()
        let write = try await disk.beginPartialWrite(path: "/a", length: 3, options: WriteOptions()) { _ in }
        let files = ReadOnlyFileProvider(disk)
        let attributes = ItemAttributes(permissions: 0o700)
        let changes: [() async throws -> Void] = [
            { try await copyFolder(to: files) },
            { _ = try await files.copyPart(of: write, from: "/a", of: source, range: 0..<3) },
            { _ = try await files.finishPartialWrite(write, like: "/a", of: source, options: WriteOptions()) },
            { try await files.finishPartialWrite(write, options: WriteOptions()) },
            { try await files.discardPartialWrite(write) },
            { _ = try await files.beginPartialWrite(path: "/b", length: 3, options: WriteOptions()) { _ in } },
            {
                _ = try await files.copyItem(
                    path: "/a",
                    of: source,
                    to: "/b",
                    overwrite: false,
                    reporting: nil,
                    onError: nil
                )
            },
            { _ = try await files.writeFiles([BulkFile(path: "/b", contents: Data())], overwrite: true) },
            { try await files.create(symbolicLink: "/b", withDestination: "old") },
            { try await files.setAttributes(attributes, path: "/old") },
            { try await files.trashItem(path: "/old") },
            { _ = try await files.setAside(path: "/old", name: "old", copying: false) },
        ]
        for change in changes { await expect(.fileWriteVolumeReadOnly) { try await change() } }
        try await disk.discardPartialWrite(write)
        #expect(try folder.names() == names)
        #expect(try folder.status("to/old").mode & 0o777 != 0o700 && folder.read("to/old") == "old")
    }

    @Test("copies folders as they do")
    func copying() async throws {
        try await copyFolder(to: RetryingFileProvider(folder.provider("to")))
        #expect(folder.read("to/d/b") == "two")
    }
}
