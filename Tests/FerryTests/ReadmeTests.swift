import Ferry
import FerryCache
import FerryMedia
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        // begin
        let provider = MemoryFileProvider()  // or any other: the rest stays as it is
        try await provider.create(folder: "Reports", at: "/")
        try await provider.writeContents(path: "/Reports/july.txt", contents: Data("All is well.".utf8))
        try await provider.copyItem(path: "/Reports/july.txt", to: "/Reports/august.txt")

        let query = try FileQuery(parsing: "name BEGINSWITH[c] 'JU' AND fileSize > 10")
        for try await item in provider.searchFiles(path: "/", recursive: true, query: query) {
            print(item.path, item.size ?? 0)
        }
        // end
        let found = try await provider.searchFiles(path: "/", recursive: true, query: query, foundItemHandler: nil)
        #expect(found.map(\.path) == ["/Reports/july.txt"])

        #expect(try Self.isShown(code: 1))
    }

    @Test("shows code for WebDAV that compiles: this very code")
    func webDAVCode() throws {
        #expect(try Self.isShown(code: 2))
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

    @Test("shows code for the cache that compiles: this very code")
    func cacheCode() throws {
        #expect(try Self.isShown(code: 3))
    }

    /// Compiled, and never called: it would use this person's cache.
    private func useCache(of cloud: WebDAVFileProvider) async throws {
        // begin
        let store = CacheStore()  // in the user's cache folder, for all accounts
        let files = CachedFileProvider(cloud, store: store)
        for try await answer in files.listingAnswers(path: "/Photos") {
            print(answer.isCached ? "was:" : "is:", answer.value.map(\.name))
        }
        let offline = files.withCaching(.onlyIfCached)  // asks nobody
        // end
        print(try await offline.contentsOfDirectory(path: "/Photos").count)
    }

    @Test("shows code for thumbnails that compiles: this very code")
    func mediaCode() throws {
        #expect(try Self.isShown(code: 4))
    }

    /// Compiled, and never called: there is no such server.
    private func useMedia(of cloud: WebDAVFileProvider) async throws {
        // begin
        let photos = MediaFileProvider(cloud)  // or any other
        let options = ThumbnailOptions(width: 256, height: 256, mode: .fill, format: .webP)
        let small = try await photos.thumbnailOfFile(path: "/Photos/boat.jpg", options: options)
        let facts = try await photos.propertiesOfFile(path: "/Photos/boat.jpg")
        print(small.data.count, facts.text(.dateTaken) ?? "no date", facts.text(.exposureTime) ?? "")
        // end
    }

    /// Whether the README has what stands between a pair of marks in this file, counted from 1.
    private static func isShown(code number: Int) throws -> Bool {
        let examples = try CompiledExamples()
        let text = try #require(examples.texts.count >= number ? examples.texts[number - 1] : nil)
        return try !examples.missing(from: "../../README.md").contains(text)
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
