import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("What Nextcloud adds to WebDAV")
struct NextcloudFeatureTests {
    @Test(
        "every URL of a server leads to the user's files",
        arguments: [
            ("", "/"), ("index.php/apps/files", "/"), ("remote.php/webdav", "/"), ("remote.php/dav/files/alice", "/"),
            ("remote.php/dav/files/Alice/dir", "/dir"), ("remote.php/webdav/dir", "/dir"),
        ]
    )
    func urls(path: String, folder: String) async throws {
        try await withNextcloud { server in
            let alice = try await server.provider()
            try await alice.create(folder: "dir", at: "/")
            try await alice.writeContents(path: "/dir/a.txt", contents: Data("a".utf8))
            let other = try await server.provider(path: path)
            let here = folder == "/" ? "/dir/a.txt" : "/a.txt"
            let item = try await other.attributesOfItem(path: ItemPath(stringLiteral: here))
            let byNumber = try await other.attributesOfItem(path: ItemPath(identifier: item.id ?? ""))
            #expect(byNumber.path == item.path)
            let link = try await other.publicLink(to: item.path, options: ShareOptions())
            #expect(link.path == item.path)
            await alice.invalidate()
            await other.invalidate()
        }
    }

    @Test("a server that knows no OCS is plain WebDAV")
    func plain() async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.notFound)
        } perform: { server in
            let provider = try await NextcloudFileProvider.open(server.url, credential: nil)
            #expect(provider is WebDAVFileProvider)
        }
    }

    @Test("ownCloud is known by what it says")
    func ownCloud() async throws {
        try await withAlice {
            $0.isOwnCloud = true
        } perform: { alice, server in
            #expect(alice.facts.product == .ownCloud && alice.bulkLimits == nil)
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            try await alice.writeContents(path: "/a.txt", contents: Data("b".utf8), overwrite: true)
            // The kind that it has said it prefers, of the content that is there now.
            #expect(server.node("a.txt")?.checksum == "SHA1:e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98")
            #expect(try await alice.contentsOfDirectory(path: "/").count == 1)
        }
    }

    @Test("what comes out of the trash to the top, since its folder is gone, goes where it was meant to")
    func restoredInFolder() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            let inside = try await server.provider(path: "remote.php/dav/files/alice/dir")
            try await inside.create(folder: "sub", at: "/")
            try await inside.writeContents(path: "/sub/a 50%.txt", contents: Data("a".utf8))
            let item = try await inside.trashItem(path: "/sub/a 50%.txt")
            try await inside.removeItem(path: "/sub")
            try await inside.restoreFromTrash(item, to: "/é.txt")
            #expect(try await inside.contents(path: "/é.txt") == Data("a".utf8))
            #expect(try await alice.contentsOfDirectory(path: "/").map(\.name) == ["dir"])
            await inside.invalidate()
        }
    }

    @Test("a content that was written just now is a version of its own, with all its bytes")
    func quickVersions() async throws {
        try await withAlice { alice, _ in
            for text in ["one", "second", "the third"] {
                try await alice.writeContents(path: "/a.txt", contents: Data(text.utf8), overwrite: true)
            }
            var texts: [String] = []
            for version in try await alice.versions(of: "/a.txt") {
                let content = try await alice.contentStream(of: version, path: "/a.txt").collect()
                texts.append(String(decoding: content, as: UTF8.self))
            }
            #expect(texts == ["second", "one"])
        }
    }

    @Test("an item tells its number, favourite, tags, comments, size and what is in it")
    func attributes() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            try await alice.writeContents(path: "/dir/a.jpg", contents: Data("abc".utf8))
            server.decorate("dir/a.jpg", tags: ["holiday"], comments: 2)
            try await alice.setFavorite(true, of: "/dir/a.jpg")
            let file = try #require(try await alice.contentsOfDirectory(path: "/dir").first)
            #expect(file.id == server.node("dir/a.jpg").map { String($0.id) })
            #expect(file.extras[.isFavorite] == true && file.extras[.tags] == ["holiday"])
            #expect(file.extras[.commentCount] == 2 && file.extras[.hasPreview] == true)
            let folder = try await alice.attributesOfItem(path: "/dir")
            #expect(folder.size == 3 && folder.extras[.childCount] == 1)
            #expect(try await alice.favorites().map(\.path) == ["/dir/a.jpg"])
            try await alice.setFavorite(false, of: "/dir/a.jpg")
            #expect(try await alice.favorites().isEmpty)
        }
    }

    @Test("a public link has its options, is changed and revoked")
    func links() async throws {
        try await withAlice { alice, _ in
            try await alice.create(folder: "dir", at: "/")
            let expires = Date(timeIntervalSince1970: 1_893_456_000)
            let options = ShareOptions(access: .edit, expires: expires, password: "a Password 1!")
            let link = try await alice.publicLink(to: "/dir", options: options, label: "for all")
            #expect(link.access == .edit && link.hasPassword == true && link.expires == expires)
            let changed = try await alice.update(link, options: ShareOptions(), label: "for some")
            #expect(changed.id == link.id && changed.url == link.url)
            #expect(changed.access == .read && changed.hasPassword == false && changed.expires == nil)
            #expect(changed.scope == .anyone)
            for scope in [ShareScope.organization, .invited] {
                let options = ShareOptions(scope: scope)
                let made = await #expect(throws: CocoaError.self) {
                    try await alice.publicLink(to: "/dir", options: options)
                }
                let narrowed = await #expect(throws: CocoaError.self) {
                    try await alice.update(changed, options: options)
                }
                #expect(made?.code == .featureUnsupported && narrowed?.code == .featureUnsupported)
            }
            #expect(try await alice.publicLinks(to: nil).map(\.id) == [changed.id])
            try await alice.revoke(changed)
            #expect(try await alice.publicLinks(to: nil).isEmpty)
        }
    }

    @Test("a thumbnail has the size that the server really made")
    func thumbnails() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.jpg", contents: Data("jpeg".utf8))
            try await alice.writeContents(path: "/a.bin", contents: Data("bin".utf8))
            let fitting = try await alice.thumbnailOfFile(
                path: "/a.jpg",
                options: ThumbnailOptions(width: 128, height: 128)
            )
            #expect(fitting.contentType == "image/jpeg" && fitting.width == 256 && fitting.height == 171)
            let filling = try await alice.thumbnailOfFile(
                path: "/a.jpg",
                options: ThumbnailOptions(width: 128, height: 128, mode: .fill)
            )
            #expect(filling.width == 256 && filling.height == 256)
            server.forget()
            let usual = try await alice.thumbnailOfFile(path: "/a.jpg", options: ThumbnailOptions())
            #expect(usual.width == 256)
            let high = try await alice.thumbnailOfFile(path: "/a.jpg", options: ThumbnailOptions(height: 300))
            #expect(high.width == 384)
            _ = try await alice.thumbnailOfFile(path: "/a.jpg", options: ThumbnailOptions(width: 90, mode: .fill))
            let sizes = server.requests.compactMap { request in
                request.path?.firstMatch(of: /x=(-?[0-9]+)&y=(-?[0-9]+)/).map { "\($0.1)×\($0.2)" }
            }
            #expect(sizes == ["256×256", "-1×300", "90×90"])
            let none = await #expect(throws: CocoaError.self) {
                try await alice.thumbnailOfFile(path: "/a.bin", options: nil)
            }
            #expect(none?.code == .featureUnsupported)
            let missing = await #expect(throws: CocoaError.self) {
                try await alice.thumbnailOfFile(path: "/b.jpg", options: nil)
            }
            #expect(missing?.code == .fileNoSuchFile)
            #expect(try await alice.propertiesOfFile(path: "/a.jpg").text(.dimensions) == "1200 × 800")
        }
    }

    @Test("a server's looks are told without a login, its colours in one form")
    func theming() async throws {
        try await withNextcloud { server in
            let theme = try await NextcloudFileProvider.theme(of: server.url)
            #expect(theme.name == "Example Cloud" && theme.color == "#1a6f8a" && theme.textColor == "#ffffff")
            #expect(theme.slogan != nil && theme.background != nil)
            #expect(theme.elementColor == "#1a6f8a" && theme.brightElementColor == "#1a6f8a")
            #expect(theme.darkElementColor == "#3a8faa")
            #expect(theme.hasPlainBackground == false && theme.hasDefaultBackground == true)
            #expect(ServerTheme.color("#ABC") == "#aabbcc" && ServerTheme.color("red") == nil)
        }
    }

    @Test("an app password is made, used and revoked")
    func appPasswords() async throws {
        try await withAlice { alice, server in
            let password = try await alice.makeAppPassword()
            #expect(server.appPasswords == [password])
            let app = try await server.provider(password: password)
            let error = await #expect(throws: CocoaError.self) { _ = try await app.makeAppPassword() }
            #expect(error?.code == .fileReadNoPermission)
            try await app.revokeAppPassword()
            #expect(server.appPasswords.isEmpty)
            await app.invalidate()
        }
    }

    @Test("a provider is made again from its configuration without asking the server")
    func configuration() async throws {
        try await withAlice { alice, server in
            let store = MemoryCredentialStore()
            let configuration = alice.configuration
            await store.setCredential(
                FileProviderCredential(user: "alice", secret: .password("secret")),
                for: configuration.account
            )
            server.forget()
            let again = try await NextcloudFileProvider(
                configuration: configuration,
                credentials: store,
                environment: FileProviderEnvironment()
            )
            #expect(server.requests.isEmpty)
            #expect(again.facts == alice.facts && again.baseURL == alice.baseURL)
            try await again.writeContents(path: "/a.txt", contents: Data("a".utf8))
            await again.invalidate()
        }
    }
}
