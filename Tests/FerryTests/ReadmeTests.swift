import Ferry
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test("shows code for WebDAV that compiles: this very code")
    func webDAVCode() throws {
        #expect(try Self.isShown(code: 1))
    }

    /// Compiled, and never called: there is no such server.
    private func useWebDAV(savingTo picture: URL, password: String) async throws {
        // begin
        guard let url = URL(string: "https://example.org/dav/") else { return }
        let credential = FileProviderCredential(user: "alice", secret: .password(password))
        let cloud = try WebDAVFileProvider(baseURL: url, credential: credential)

        for item in try await cloud.contentsOfDirectory(path: "/Photos") {
            print(item.name, item.size ?? 0)
        }
        try await cloud.writeContents(path: "/notes.txt", contents: Data("hello".utf8), overwrite: true)
        try await cloud.moveItem(path: "/notes.txt", to: "/Archive/notes.txt")
        try await cloud.copyItem(path: "/Photos/boat.jpg", toLocalURL: picture)
        // end
    }

    /// Returns whether the README has what stands between a pair of marks in this file, counted from 1.
    private static func isShown(code number: Int) throws -> Bool {
        let examples = try CompiledExamples()
        let text = try #require(examples.texts.count >= number ? examples.texts[number - 1] : nil)
        return try !examples.missing(from: "../../README.md").contains(text)
    }

    @Test("can be read in a few minutes")
    func length() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
        #expect(text.split(whereSeparator: \.isWhitespace).count <= 1_000)
    }

    @Test("promises abilities that the providers have")
    func abilities() throws {
        let memory: any FileProviderBasic = MemoryFileProvider()
        let local: any FileProviderBasic = LocalFileProvider(baseURL: FileManager.default.temporaryDirectory)
        #expect(memory is any FileProvider & FileProviderReadWriteProgressive & FileProviderSymbolicLink)
        #expect(memory is any FileProviderTrash & FileProviderMonitor)
        #expect(memory is any FileProviderChangeTracking & FileProviderVersioning)
        #expect(local is any FileProvider & FileProviderReadWriteProgressive & FileProviderSymbolicLink)
        #expect(local is any FileProviderTrash & FileProviderMonitor & FileProviderChangeTracking)
        #expect(!(local is any FileProviderVersioning))
        let webDAV: any FileProviderBasic = try WebDAVFileProvider(
            baseURL: #require(URL(string: "https://example.org/")),
            credential: nil
        )
        #expect(webDAV is any FileProvider & FileProviderReadWriteProgressive & FileProviderLocking)
        #expect(webDAV is any FileProviderMonitor & FileProviderChangeTracking)
        #expect(!(webDAV is any FileProviderTrash) && !(webDAV is any FileProviderSharing))
        #expect(!(webDAV is any FileProviderVersioning) && !(webDAV is any FileProviderSymbolicLink))
        for provider in [memory, local] {
            #expect(!(provider is any FileProviderUndoable) && !(provider is any FileProviderSharing))
        }
    }

    /// Compiled, and never called: there is none without a server.
    private func abilities(
        of nextcloud: NextcloudFileProvider
    ) -> any FileProvider & FileProviderReadWriteProgressive & FileProviderMonitor & FileProviderChangeTracking
        & FileProviderTrash & FileProviderVersioning & FileProviderSharing & FileProviderBulkWriting
        & ExtendedFileProvider
    { nextcloud }
}
