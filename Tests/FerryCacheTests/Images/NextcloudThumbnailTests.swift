import FerryCache
import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Thumbnails of a Nextcloud that are kept")
struct NextcloudThumbnailTests {
    @Test("are fetched once, and again when the file has changed")
    func previews() async throws {
        try await withNextcloud { server in
            let alice = try #require(
                try await NextcloudFileProvider.open(
                    server.url,
                    credential: FileProviderCredential(user: "alice", secret: .password("secret"))
                ) as? NextcloudFileProvider
            )
            let files = CachedFileProvider(alice, store: CacheStore(at: nil))
            try await alice.writeContents(path: "/a.jpg", contents: Data("jpeg".utf8))
            _ = try await files.contentsOfDirectory(path: "/")
            server.forget()
            for _ in 0..<2 {
                let usual = try await files.thumbnail(path: "/a.jpg")
                #expect(usual.width == 256 && usual.height == 171 && usual.contentType == "image/jpeg")
                let filling = ThumbnailOptions(width: 90, height: 90, mode: .fill)
                #expect(try await files.thumbnail(path: "/a.jpg", properties: filling).height == 96)
            }
            #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.path?.contains("preview") == true })

            try await alice.writeContents(path: "/a.jpg", contents: Data("other".utf8), overwrite: true)
            _ = try await files.withCaching(.doNotReturnCachedResult).contentsOfDirectory(path: "/")
            server.forget()
            _ = try await files.thumbnail(path: "/a.jpg")
            #expect(server.requests.count == 1)
            #expect(await files.thumbnails(of: "/a.jpg").filter(\.isCurrent).count == 1)
            for try await step in files.image(path: "/a.jpg", preview: .none) {
                guard case .full(let contents) = step else { continue }
                #expect(contents.contentType == "image/jpeg" && contents.data == Data("other".utf8))
            }
            await alice.invalidate()
        }
    }
}
