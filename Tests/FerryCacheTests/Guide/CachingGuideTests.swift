import FerryCache
import FerryCore
import FerryMemory
import FerryTestServers
import Foundation
import Testing

@Suite("The guide to caching")
struct CachingGuideTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        let (cloud, disk) = (MemoryFileProvider(), MemoryFileProvider())
        try await cloud.create(folder: "Photos", at: "/")
        try await cloud.writeContents(path: "/Photos/boat.jpg", contents: Data("a boat".utf8))
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-guide-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // begin
        let store = CacheStore(at: folder, limits: CacheLimits(diskBytes: 2 << 30))
        let files = CachedFileProvider(cloud, store: store)
        let items = try await files.contentsOfDirectory(path: "/Photos")  // asks
        let again = try await files.contentsOfDirectory(path: "/Photos")  // doesn't
        // end
        #expect(items == again)
        // begin
        let fresh = try await files.withCaching(.doNotReturnCachedResult).contentsOfDirectory(path: "/Photos")
        let offline = files.withCaching(.onlyIfCached)
        do {
            print(try await offline.contents(path: "/Photos/boat.jpg").count, "bytes")
        } catch let error as URLError where error.code == .resourceUnavailable {
            print("not on this machine")
        }
        // end
        #expect(fresh == items)
        // begin
        for try await answer in files.listingAnswers(path: "/Photos") {
            print(answer.isCached ? "was:" : "is:", answer.value.map(\.name))
        }
        // end
        // begin
        for try await step in files.image(path: "/Photos/boat.jpg", preview: .diskAllowed) {
            print(step.isFull ? "the picture," : "a thumbnail,", step.data.count, "bytes")
        }
        // end
        // begin
        let usage = await store.usage()
        print(usage.bytes(of: .contents), "of", usage.diskBytes, "bytes are contents")
        for await entry in files.kept.offlineContents(below: "/Photos") where entry.isWhole {
            print(entry.path, entry.date)
        }
        let export = try await files.exportOffline(below: "/Photos", to: disk, at: "/rescued")
        print(export.files, "files without asking the storage,", export.failures.count, "not")
        await files.kept.removeFolder("/Photos")
        // end
        for await entry in store.entries() { Issue.record("\(entry.path) is kept") }
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 5)
        #expect(try examples.missing(from: "../../../Sources/FerryCache/FerryCache.docc/Caching.md") == [])
    }
}
