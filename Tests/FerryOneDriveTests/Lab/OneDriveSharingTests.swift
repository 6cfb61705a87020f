import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Links and shared items")
struct OneDriveSharingTests {
    @Test("a link keeps its access, its password and its end")
    func options() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let expires = Date(timeIntervalSinceNow: 86_400).rounded(to: .seconds(1))
            let link = try await provider.publicLink(
                to: "/a.txt",
                options: ShareOptions(access: .edit, expires: expires, password: "a Password")
            )
            #expect(link.access == .edit && link.hasPassword == true && link.expires == expires)
            #expect(try await provider.publicLinks(to: "/a.txt") == [link])
            #expect(try await provider.publicLinks(to: nil) == [link])
            try await provider.revoke(link)
            #expect(try await provider.publicLinks(to: "/a.txt").isEmpty)
            let twice = await #expect(throws: CocoaError.self) { try await provider.revoke(link) }
            #expect(twice?.code == .fileNoSuchFile)
        }
    }

    @Test("the same wish gets the same link")
    func same() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.makeFolder(at: "/Folder")
            let first = try await provider.publicLink(to: "/Folder", options: ShareOptions())
            #expect(try await provider.publicLink(to: "/Folder", options: ShareOptions()) == first)
            lab.faults.add(.loseAnswer, route: "deletePermission")
            try await provider.revoke(first)
            #expect(try await provider.publicLinks(to: "/Folder").isEmpty)
        }
    }

    @Test("a link that exists and asks for a password is not given to somebody who wants one without")
    func another() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let existing = #"""
                {"id": "1", "roles": ["read"], "hasPassword": true, "expirationDateTime": "0001-01-01T00:00:00Z",
                "link": {"type": "view", "scope": "anonymous", "webUrl": "https://1drv.ms/u/1"}}
                """#
            lab.faults.add(.answer(status: 200, contentType: "application/json", body: existing), route: "createLink")
            let error = await #expect(throws: CocoaError.self) {
                try await provider.publicLink(to: "/a.txt", options: ShareOptions())
            }
            #expect(error?.code == .fileWriteFileExists)
        }
    }

    @Test("a link to a renamed file can still be revoked")
    func renamed() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let link = try await provider.publicLink(to: "/a.txt", options: ShareOptions())
            try lab.graph.account.storage.move(from: "/a.txt", to: "/b.txt")
            try await provider.revoke(link)
            #expect(try await provider.publicLinks(to: "/b.txt").isEmpty)
        }
    }

    @Test("a picture can be embedded in a personal drive, with HTML")
    func embedding() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.jpg")
            let embedding = try await provider.embedding(of: "/a.jpg")
            #expect(embedding.html?.contains(embedding.link.url.absoluteString) == true)
        }
    }

    @Test("a drive of an organization makes links for its people, and refuses passwords with the service's words")
    func organization() async throws {
        try await withDrive {
            $0.graph.driveType = .business
        } perform: { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let link = try await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: .organization))
            #expect(link.scope == .organization)
            #expect(try await provider.publicLinks(to: "/a.txt").contains(link))
            let error = await #expect(throws: CocoaError.self) {
                try await provider.publicLink(to: "/a.txt", options: ShareOptions(password: "a Password"))
            }
            #expect(error?.code == .featureUnsupported)
            #expect((error?.serverAnswer as? OneDriveError)?.codes.contains("notSupported") == true)
        }
    }

    @Test("a personal drive makes links for those with whom an item is shared, and has no organization to make one for")
    func scopes() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let error = await #expect(throws: CocoaError.self) {
                try await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: .organization))
            }
            #expect(error?.code == .featureUnsupported)
            #expect(try await provider.publicLinks(to: "/a.txt").isEmpty)
            let invited = try await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: .invited))
            #expect(invited.scope == .invited)
            let plain = try await provider.publicLink(to: "/a.txt", options: ShareOptions())
            #expect(plain.scope == .anyone && plain.id != invited.id)
            let all = try await provider.publicLinks(to: "/a.txt")
            #expect(all.count == 2 && all.contains(invited) && all.contains(plain))
        }
    }

    @Test("a link that somebody sent leads to the item, which can be read")
    func foreignLink() async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            try other.storage.write(Data("theirs".utf8), to: "/Folder/a.txt")
            let owner = try lab.oneDrive(of: other)
            let link = try await owner.publicLink(to: "/Folder/a.txt", options: ShareOptions())
            let item = try await provider.item(atLink: link.url)
            #expect(item.name == "a.txt" && item.path.isIdentifier)
            let own = try await owner.item(atLink: link.url)
            #expect(own.path == "/Folder/a.txt")
            await owner.invalidate()
        }
    }

    @Test("the name of a link is its URL in base 64 for URLs")
    func token() throws {
        let url = try #require(
            URL(string: "https://onedrive.live.com/redir?resid=1231244193912!12&authKey=1201919!12921!1")
        )
        #expect(
            OneDriveFileProvider.sharingToken(of: url)
                == "u!aHR0cHM6Ly9vbmVkcml2ZS5saXZlLmNvbS9yZWRpcj9yZXNpZD0xMjMxMjQ0MTkzOTEyITEyJmF1dGhLZXk9MTIwMTkxOSExMjkyMSEx"
        )
    }

    @Test("shared items are listed, read without being mounted, and mounted as shortcuts")
    func shared() async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            try other.storage.write(Data("theirs".utf8), to: "/Shared/a.txt")
            try lab.graph.share("/Shared", of: other, with: lab.graph.account)
            let items = try await provider.sharedItems()
            #expect(items.map(\.name) == ["Shared"] && items.map(\.isFolder) == [true])
            let item = try #require(items.first)
            let listed = try await provider.contentsOfDirectory(path: item.path)
            #expect(listed.map(\.name) == ["a.txt"])
            #expect(try await provider.contents(path: try #require(listed.first?.path)) == Data("theirs".utf8))
            let shortcut = try await provider.mount(item, as: "Theirs")
            #expect(shortcut.path == "/Theirs" && shortcut.extras[.shortcutTarget] == item.id)
            #expect(try await provider.contents(path: "/Theirs/a.txt") == Data("theirs".utf8))
            try await provider.writeContents(path: "/Theirs/b.txt", contents: Data("ours".utf8))
            #expect(other.storage.contents(at: "/Shared/b.txt") == Data("ours".utf8))
            let taken = await #expect(throws: CocoaError.self) { try await provider.mount(item, as: "Theirs") }
            #expect(taken?.code == .fileWriteFileExists)
            try await provider.removeItem(path: "/Theirs")
            #expect(other.storage.contents(at: "/Shared/a.txt") == Data("theirs".utf8))
        }
    }
}
