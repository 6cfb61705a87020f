import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FerryWebDAV

/// What Nextcloud does differently, by the numbers of our list of its quirks (1 to 5 are uploads').
@Suite("Nextcloud's quirks")
struct NextcloudQuirkTests {
    @Test("1: the stand-in loses a body without a length, as some servers do")
    func lostBody() async throws {
        try await withAlice { alice, server in
            let body = HTTPRequestBody(length: nil, isReplayable: false) {
                let channel = BodyChannel()
                Task {
                    _ = try await channel.send(ByteBuffer(string: "hello"))
                    channel.finish()
                }
                return { try await channel.next() }
            }
            let reply = try await alice.connection.send(.put, "/lost.txt", body: body)
            #expect(reply.status == .created)
            #expect(server.node("lost.txt")?.content.isEmpty == true)
        }
    }

    @Test("3: contents written in one second have different eTags, and a stale one is refused")
    func eTags() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("one".utf8))
            let first = try await alice.attributesOfItem(path: "/a.txt")
            try await alice.writeContents(path: "/a.txt", contents: Data("two".utf8), overwrite: true)
            let second = try await alice.attributesOfItem(path: "/a.txt")
            #expect(first.eTag != second.eTag)
            await #expect(throws: PreconditionFailedError.self) {
                try await alice.writeStream(
                    path: "/a.txt",
                    contents: DataChunks(Data("bad".utf8)),
                    length: 3,
                    options: WriteOptions(ifMatch: first.eTag)
                )
            }
            #expect(server.node("a.txt")?.content == Data("two".utf8))
            try await alice.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("good".utf8)),
                length: 4,
                options: WriteOptions(ifMatch: second.eTag)
            )
            #expect(server.node("a.txt")?.content == Data("good".utf8))
        }
    }

    @Test("5: dates that the upload can't set are set afterwards", arguments: [1_500_000_001, 5_000])
    func dates(seconds: Int) async throws {
        try await withAlice { alice, server in
            let options = WriteOptions(modifiedDate: Date(timeIntervalSince1970: TimeInterval(seconds)))
            try await alice.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("a".utf8)),
                length: 1,
                options: options
            )
            #expect(server.node("a.txt")?.modified == seconds)
        }
    }

    @Test("6: what is locked for a moment is tried again", arguments: [("DELETE", 423), ("PUT", 423), ("MOVE", 423)])
    func locked(method: String, status: Int) async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            server.inject(NextcloudFault(.answer(status), method: method, times: 2))
            switch method {
            case "DELETE": try await alice.removeItem(path: "/a.txt")
            case "PUT": try await alice.writeContents(path: "/b.txt", contents: Data("b".utf8))
            default: try await alice.moveItem(path: "/a.txt", to: "/b.txt")
            }
            #expect((server.node("a.txt") == nil) == (method != "PUT"))
        }
    }

    @Test("7: a missing folder and a folder in the way are told apart from a missing file")
    func statuses() async throws {
        try await withAlice { alice, _ in
            try await alice.create(folder: "dir", at: "/")
            let missing = await #expect(throws: CocoaError.self) {
                try await alice.writeContents(path: "/nope/a.txt", contents: Data("a".utf8))
            }
            #expect(missing?.code == .fileNoSuchFile)
            #expect(missing?.userInfo[NSFilePathErrorKey] as? String == "/nope")
            let folder = await #expect(throws: CocoaError.self) {
                try await alice.writeContents(path: "/dir", contents: Data("a".utf8))
            }
            #expect(folder?.code == .fileWriteFileExists)
            await #expect(throws: CocoaError.self) { try await alice.contents(path: "/dir") }
        }
    }

    @Test(
        "8: the user's identifier is the server's, whatever name was used to log in",
        arguments: [
            "alice", "ALICE", "alice@cloud.example",
        ]
    )
    func identifier(user: String) async throws {
        try await withNextcloud { server in
            let provider = try await server.provider(user: user)
            #expect(provider.userID == "alice")
            try await provider.writeContents(path: "/a.txt", contents: Data("a".utf8))
            #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            await provider.invalidate()
        }
    }

    @Test("9: cookies are kept, so that the password is worked out once")
    func cookies() async throws {
        try await withAlice { alice, server in
            for index in 0..<20 { try await alice.writeContents(path: "/\(index)", contents: Data("x".utf8)) }
            _ = try await alice.contentsOfDirectory(path: "/")
            #expect(server.slowLogins <= 2)
        }
    }

    @Test("11: a wrong password is tried once, and a server in maintenance is unavailable")
    func troubles() async throws {
        try await withNextcloud { server in
            let error = await #expect(throws: URLError.self) { _ = try await server.provider(password: "wrong") }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(server.requests.count <= 2)
            server.configure { $0.isInMaintenance = true }
            let maintenance = await #expect(throws: URLError.self) { _ = try await server.provider() }
            #expect(maintenance?.code == .resourceUnavailable)
        }
    }

    @Test("12: names come back composed, and those that the server forbids are refused before they are sent")
    func names() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/G e\u{301}+[x].txt", contents: Data("a".utf8))
            let listed = try await alice.contentsOfDirectory(path: "/").map(\.name)
            #expect(listed.map { Array($0.utf8) } == [Array("G \u{E9}+[x].txt".utf8)])
            server.forget()
            for name in [".htaccess", "a.part", "b.filepart", "a\\b", String(repeating: "x", count: 251)] {
                let error = await #expect(throws: CocoaError.self) {
                    try await alice.writeContents(path: ItemPath.root.appending(name), contents: Data("a".utf8))
                }
                #expect(error?.code == .fileWriteInvalidFileName)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("13: negative quotas are no numbers, and permissions are read")
    func quotas() async throws {
        try await withAlice { alice, server in
            #expect(try await alice.storageProperties().availableCapacity == nil)
            #expect(try await alice.user().totalBytes == nil)
            server.setQuota(1_000_000)
            #expect(try await alice.storageProperties().availableCapacity == 1_000_000)
            #expect(try await alice.user().totalBytes == 1_000_000)
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            let file = try await alice.attributesOfItem(path: "/a.txt")
            #expect(file.extras[.cloudPermissions] == "RGDNVW" && file.extras[.isReadOnly] == nil)
            var readOnly = FileObject(path: "/x", type: .file)
            var told = WebDAVProperties()
            told.others = [WebDAVElement(.permissions, text: "SGDNV")]
            alice.complete(&readOnly, with: told)
            #expect(readOnly.extras[.isReadOnly] == true)
        }
    }

    @Test("14: a creation date of 1970 is none")
    func creationDate() async throws {
        try await withAlice { alice, _ in
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            #expect(try await alice.attributesOfItem(path: "/a.txt").creationDate == nil)
        }
    }

    @Test("16: what is removed for good is not in the trash, and two of one name in one second both are")
    func trash() async throws {
        try await withAlice { alice, server in
            for _ in 0..<2 {
                try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
                try await alice.removeItem(path: "/a.txt")
            }
            #expect(server.trashedNames == ["a.txt", "a.txt"])
            try await alice.writeContents(path: "/b.txt", contents: Data("b".utf8))
            try await alice.removeItemForGood(path: "/b.txt")
            #expect(!server.trashedNames.contains("b.txt"))
        }
    }

    @Test("17: a server that gives itself the wrong host is reached all the same")
    func wrongHost() async throws {
        try await withAlice {
            $0.reportedOrigin = "http://wrong.example:81"
        } perform: { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            let link = try await alice.publicLink(to: "/a.txt", options: ShareOptions())
            #expect(link.url.host() == "127.0.0.1" && link.url.port == server.url.port)
            let login = try await NextcloudLogin.begin(server: server.url)
            #expect(login.loginURL.port == server.url.port)
            #expect(try await login.poll() == nil)
            server.grantLogins()
            let granted = try #require(try await login.poll())
            #expect(granted.server == server.url && granted.credential.user == "alice")
            #expect(!"\(granted)".contains("app-"))
            await login.end()
            #expect(try await alice.theme().logo?.port == server.url.port)
        }
    }
}
