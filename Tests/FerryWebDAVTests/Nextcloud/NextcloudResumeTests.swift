import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Uploads to Nextcloud go on in a later process", .serialized)
struct NextcloudResumeTests {
    private static let size = 12 << 20

    /// Breaks an upload after 7 MB, with chunks of 1 MiB, and forgets all but the folder of the store.
    private func withBrokenUpload(
        perform body: (NextcloudLine, _ file: URL, Data, FolderUploadSessionStore, URL) async throws -> Void
    ) async throws {
        try await withLocalFile(of: Self.size) { file, content in
            let folder = file.deletingLastPathComponent().appending(path: "uploads", directoryHint: .isDirectory)
            let store = FolderUploadSessionStore(url: folder)
            try await withAliceOnALine({ $0.maximumChunkSize = 1 << 20 }, uploads: store) { line in
                line.proxy.fault = .cutRequest(after: 7_000_000)
                await #expect(throws: URLError.self) { try await line.alice.copyItem(localFile: file, to: "/big.bin") }
                line.proxy.fault = nil
                await line.alice.invalidate()
                #expect(line.server.node("big.bin") == nil)
                let done = try #require(line.server.uploads.first?.value.count)
                #expect((1...7).contains(done))
                line.server.forget()
                try await body(line, file, content, store, folder)
            }
        }
    }

    @Test("only what is missing is sent, and the whole is compared in the end")
    func resuming() async throws {
        try await withBrokenUpload { line, file, content, store, folder in
            let done = try #require(line.server.uploads.first?.value.count)
            let later = try line.anotherProvider(uploads: FolderUploadSessionStore(url: folder))
            let progress = Progress(totalUnitCount: -1)
            try await later.copyItem(localFile: file, to: "/big.bin", overwrite: false, reporting: progress)
            #expect(line.server.node("big.bin")?.content == content)
            #expect(line.server.count("PUT") == 12 - done && line.server.count("MKCOL") == 0)
            #expect(line.server.count("PATCH") == 1)
            #expect(line.server.uploads.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
            await later.invalidate()
        }
    }

    @Test("another content at the same path begins anew, and what was sent of the old one is removed")
    func otherSource() async throws {
        try await withBrokenUpload { line, file, content, store, folder in
            let other = Data(content.reversed())
            try other.write(to: file)
            let later = try line.anotherProvider(uploads: store)
            try await later.copyItem(localFile: file, to: "/big.bin")
            #expect(line.server.node("big.bin")?.content == other)
            #expect(line.server.count("MKCOL") == 1 && line.server.count("PUT") == 12)
            #expect(line.server.uploads.isEmpty)
            await later.invalidate()
        }
    }

    @Test("chunks that somebody else has changed meanwhile don't become the file")
    func spoiltMeanwhile() async throws {
        try await withBrokenUpload { line, file, content, store, folder in
            line.server.spoilUploads()
            let later = try line.anotherProvider(uploads: store)
            let error = await #expect(throws: CocoaError.self) {
                try await later.copyItem(localFile: file, to: "/big.bin")
            }
            #expect(error?.code == .fileWriteUnknown)
            #expect(line.server.node("big.bin") == nil)
            await later.invalidate()
        }
    }

    @Test("what nobody goes on with is forgotten, once the server has")
    func expired() async throws {
        try await withBrokenUpload { line, file, content, store, folder in
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
            try await store.removeExpired(at: Date())
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
            try Data().write(to: folder.appending(path: ".ferry-old.tmp"))
            try await store.removeExpired(at: Date(timeIntervalSinceNow: 2 * 86_400))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
        }
    }
}
