import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FerryWebDAV

/// The quirks of Nextcloud, by the numbers of our list of them.
///
/// | quirk | tests |
/// |---|---|
/// | 1 a body without a length is lost | `lostBody`, `NextcloudUploadTests.unknownLength` |
/// | 2 a plain `PUT` tears | `NextcloudExchangeTests.tornByPut`, `NextcloudPulledPlugTests` |
/// | 3 eTags are made of the date | `NextcloudTagTests`, `NextcloudUploadTests.replacing` |
/// | 4 checksums are kept unseen | `NextcloudExchangeTests.checksums`, `NextcloudUploadTests.damaged` |
/// | 5 dates of uploads | `dates`, `NextcloudExchangeTests.badDate` |
/// | 6 locks of the server's own | `locked`, `lockedForReal` |
/// | 7 statuses | `statuses`, `NextcloudExchangeTests.statuses`, `NextcloudExchangeTests.folderAsFile` |
/// | 8 depth 0, other users, the user's name | `identifier`, `NextcloudExchangeTests.depthZero` |
/// | 9 cookies | `cookies`, `cookiesOverTLS`, `halfOfTheCookies` |
/// | 10 OCS | `NextcloudExchangeTests.ocs`, `NextcloudExchangeTests.ocsCodes` |
/// | 11 brute force, maintenance | `troubles`, `bruteForce` |
/// | 12 hrefs and names | `names` |
/// | 13 quotas and permissions | `quotas`, `NextcloudExchangeTests.readOnlyShare` |
/// | 14 creation dates, ranges | `creationDate`, `NextcloudExchangeTests.ranges` |
/// | 15 pagination | `NextcloudExchangeTests.pagination` |
/// | 16 folders' eTags, the trash | `trash`, `NextcloudTagTests.keptListing`, `NextcloudExchangeTests.folderTags` |
/// | 17 the server's own name | `wrongHost`, `publicHost` |
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

    @Test("6: a folder with an upload in it is locked in two ways, and waited for")
    func lockedForReal() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            try await alice.writeContents(path: "/dir/a.txt", contents: Data("a".utf8))
            let exception = "OCP\\Lock\\LockedException"
            server.inject(
                NextcloudFault(
                    .answer(500, exception: exception, message: "\"dir\" is locked"),
                    method: "MOVE",
                    times: 3
                )
            )
            try await alice.moveItem(path: "/dir", to: "/moved")
            #expect(server.node("moved/a.txt") != nil && server.count("MOVE") == 4)
            // Trouble of another kind is none that passes.
            server.inject(NextcloudFault(.answer(500, exception: "Error", message: "oops"), method: "MOVE", times: 9))
            server.forget()
            let error = await #expect(throws: URLError.self) { try await alice.moveItem(path: "/moved", to: "/dir") }
            #expect(error?.code == .badServerResponse && server.count("MOVE") < 9)
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

    @Test("9: over TLS the cookies have other names, and are kept, too")
    func cookiesOverTLS() async throws {
        let authority = try TestAuthority()
        try await withNextcloud(tls: LoopbackTLS(authority.issue())) { server in
            var configuration = HTTPTransportConfiguration()
            configuration.trust = .only([.pem(Data(authority.certificatePEM.utf8))])
            let alice = try await server.provider(transport: NIOTransport(configuration))
            for index in 0..<20 { try await alice.writeContents(path: "/\(index)", contents: Data("x".utf8)) }
            #expect(server.slowLogins <= 2)
            let cookie = server.requests.last?.headerFields[.cookie] ?? ""
            #expect(cookie.contains("__Host-nc_sameSiteCookiestrict=true") && cookie.contains("oc1234567890="))
            await alice.invalidate()
        }
    }

    @Test("9: half of the cookies is refused, so all of an account are kept, or none")
    func halfOfTheCookies() async throws {
        try await withAlice { alice, server in
            _ = try await alice.contentsOfDirectory(path: "/")
            let jar = server.requests.last?.headerFields[.cookie] ?? ""
            let session = jar.split(separator: "; ").first { $0.hasPrefix("oc1234567890=") }
            var fields: HTTPFields = [.cookie: String(try #require(session))]
            fields[.authorization] = server.requests.last?.headerFields[.authorization]
            let transport = NIOTransport()
            let request = alice.place.origin.request(.propfind, "/remote.php/dav/files/alice/", fields)
            let reply = try await transport.send(request, body: nil)
            #expect(reply.status.code == 412)
            let words = try await reply.body.collect(upTo: 1 << 10)
            #expect(String(decoding: words, as: UTF8.self).contains("Strict Cookie has not been found in request"))
            await transport.shutdown()
            #expect(jar.split(separator: "; ").count == 4)
        }
    }

    @Test("11: once too many were wrong, the right password is refused, too, and nobody tries it in a loop")
    func bruteForce() async throws {
        try await withAlice { alice, server in
            for _ in 0..<10 { _ = try? await server.provider(password: "wrong") }
            server.forget()
            let other = try NextcloudLine.provider(server.url, alice.facts, MemoryUploadSessionStore())
            let error = await #expect(throws: URLError.self) { _ = try await other.contentsOfDirectory(path: "/") }
            #expect(error?.code == .resourceUnavailable)
            #expect(server.requests.count <= 4)
            await other.invalidate()
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
            // The port is lost, as behind some web servers.
            $0.reportedOrigin = "http://127.0.0.1"
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

    @Test("17: a host that the server's owner has chosen for the public is left as it is")
    func publicHost() async throws {
        try await withAlice {
            $0.reportedOrigin = "https://cloud.example"
        } perform: { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            let link = try await alice.publicLink(to: "/a.txt", options: ShareOptions())
            #expect(link.url.absoluteString.hasPrefix("https://cloud.example/s/"))
            let login = try await NextcloudLogin.begin(server: server.url)
            #expect(login.loginURL.host() == "cloud.example")
            // We ask where we have asked before.
            #expect(try await login.poll() == nil)
            await login.end()
            server.configure { $0.reportedOrigin = "http://localhost:8080" }
            #expect(try await alice.publicLinks(to: "/a.txt").first?.url.port == server.url.port)
        }
    }
}
