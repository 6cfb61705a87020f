import Ferry
import FerryCache
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("The guide for who comes from WebDAV-Swift")
struct ComingFromWebDAVSwiftTests {
    @Test("shows code that compiles: this very code")
    func code() throws {
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 1)
        #expect(try examples.missing(from: "../../Sources/Ferry/Ferry.docc/ComingFromWebDAVSwift.md") == [])
    }

    /// Compiled, and never called: there is no such server.
    private func use(_ server: URL, appPassword: String) async throws {
        // begin
        let credential = FileProviderCredential(user: "alice", secret: .password(appPassword))
        let storage = try await NextcloudFileProvider.open(server, credential: credential)
        guard let cloud = storage as? NextcloudFileProvider else { return }
        let store = CacheStore()  // on the disk and in memory, for all accounts
        let files = CachedFileProvider(cloud, store: store)

        // listFiles(atPath:, caching: .requestEvenIfCached)
        for try await answer in files.listingAnswers(path: "/Photos") {
            print(answer.isCached ? "was:" : "is:", answer.value.map(\.name))
        }

        // upload(data:toPath:), download(fileAtPath:)
        try await files.writeContents(path: "/notes.txt", contents: Data("hello".utf8), overwrite: true)
        let data = try await files.contents(path: "/notes.txt")

        // downloadThumbnail(path:with:), cachedThumbnailURL(forItemAtPath:with:)
        let options = ThumbnailOptions(width: 512, height: 512, mode: .fill)
        let thumbnail = try await files.thumbnail(path: "/Photos/boat.jpg", properties: options)
        let url = await files.cachedThumbnailURL(path: "/Photos/boat.jpg", properties: options)

        // getCacheSize(), getNextcloudTheme
        print(await store.usage().sizeText, try await cloud.theme().elementColor ?? "")
        // end
        print(data, thumbnail, url ?? server)
    }

    /// The names of the tables that are not in the example, compiled.
    private func names(
        _ files: CachedFileProvider<NextcloudFileProvider>,
        _ store: CacheStore,
        _ theme: ServerTheme
    ) async throws {
        _ = try await files.base.contentsOfDirectory(path: "/", includeSelf: true)
        _ = FileObjectSorting(by: .name, foldersFirst: true).sorted([])
        _ = await files.kept.contentsURL(of: "/a")
        await files.kept.removeItem("/a")
        await files.kept.removeAll(kinds: [.listing, .attributes])
        await store.removeAll()
        store.trimMemory()
        _ = await files.thumbnails(of: "/a")
        _ = await files.cachedThumbnailURLs(of: "/a")
        await files.removeThumbnails(of: "/a")
        for try await step in files.image(path: "/a", preview: .memoryOnly) { print(step.isFull) }
        files.contentsOfDirectory(path: "/") { (answer: CachedAnswer<[FileObject]>?, _) in print(answer as Any) }
        _ = (theme.color, theme.brightElementColor, theme.darkElementColor, theme.hasPlainBackground)
        _ = (theme.hasDefaultBackground, try await NextcloudFileProvider.theme(of: URL(filePath: "/")))
    }
}
