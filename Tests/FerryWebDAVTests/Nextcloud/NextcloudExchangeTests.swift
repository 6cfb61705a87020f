import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FerryWebDAV

/// The answers of a real Nextcloud, word for word, as the stand-in must give them: the other tests are worth as much.
@Suite("The stand-in answers as Nextcloud does")
struct NextcloudExchangeTests {
    @Test("2: a PUT over a file that breaks off tears it; the provider's way doesn't")
    func tornByPut() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("29 bytes of what was there ...".utf8))
            server.inject(NextcloudFault(.cutsRequest(afterBytes: 1_000), method: "PUT", path: "/files/"))
            let body = HTTPRequestBody(ByteBuffer(repeating: 7, count: 300_000))
            _ = try? await alice.place.origin.exchange(alice, .put, "/remote.php/dav/files/alice/a.txt", body: body)
            let torn = try #require(server.node("a.txt")?.content)
            #expect(torn.count < 300_000 && torn.first == 7)
            // A new name is cleaned up.
            server.inject(NextcloudFault(.cutsRequest(afterBytes: 1_000), method: "PUT", path: "/files/"))
            _ = try? await alice.place.origin.exchange(alice, .put, "/remote.php/dav/files/alice/new", body: body)
            #expect(server.node("new") == nil)

            try await alice.writeContents(path: "/b.txt", contents: Data("old".utf8))
            server.inject(NextcloudFault(.cutsRequest(afterBytes: 1_000), method: "PUT", path: "/", times: 100))
            await #expect(throws: URLError.self) {
                try await alice.writeContents(path: "/b.txt", contents: Data(count: 300_000), overwrite: true)
            }
            #expect(server.node("b.txt")?.content == Data("old".utf8))
        }
    }

    @Test("4: a client's checksum is kept unseen; what the server works out is true")
    func checksums() async throws {
        try await withAlice { alice, server in
            let origin = alice.place.origin
            let target = "/remote.php/dav/files/alice/a.txt"
            let zeros = "SHA1:" + String(repeating: "0", count: 40)
            let (put, _) = try await origin.exchange(
                alice,
                .put,
                target,
                ["OC-Checksum": zeros, "X-Hash": "all"],
                body: HTTPRequestBody("hello")
            )
            #expect(put.status == .created)
            #expect(put["X-Hash-MD5"] == "5d41402abc4b2a76b9719d911017c592")
            #expect(put["X-Hash-SHA1"] == "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d")
            let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
            #expect(put["X-Hash-SHA256"] == sum)
            #expect(try await origin.exchange(alice, .get, target).head["OC-Checksum"] == zeros)
            #expect(try await alice.attributesOfItem(path: "/a.txt").extras[.checksums]?[.sha1]?.first == "0")
            #expect(try await alice.storedChecksum(of: "/a.txt") == sum)
            let (recalculated, _) = try await origin.exchange(alice, .patch, target, ["X-Recalculate-Hash": "sha256"])
            #expect(recalculated.status == .noContent && recalculated["OC-Checksum"] == "SHA256:\(sum)")
            #expect(try await origin.exchange(alice, .patch, target).head.status.code == 500)
            // A move keeps it, a copy drops it, and a PUT without it clears it.
            try await alice.moveItem(path: "/a.txt", to: "/b.txt")
            #expect(server.node("b.txt")?.checksum == "SHA256:\(sum)")
            try await alice.copyItem(path: "/b.txt", to: "/c.txt")
            #expect(server.node("c.txt")?.checksum == nil)
            let other = "/remote.php/dav/files/alice/b.txt"
            _ = try await origin.exchange(alice, .put, other, body: HTTPRequestBody("hello"))
            #expect(server.node("b.txt")?.checksum == nil)
        }
    }

    @Test("5: a date that makes no sense is 500, but the file is stored")
    func badDate() async throws {
        try await withAlice { alice, server in
            let target = "/remote.php/dav/files/alice/a.txt"
            let body = HTTPRequestBody("hello")
            let (answer, _) = try await alice.place.origin.exchange(
                alice,
                .put,
                target,
                ["X-OC-MTime": "5"],
                body: body
            )
            #expect(answer.status.code == 500 && server.node("a.txt")?.content == Data("hello".utf8))
        }
    }

    @Test(
        "7: which status means what",
        arguments: [
            ("PUT", "nope/a.txt", nil, 404), ("MKCOL", "nope/dir", nil, 409), ("MKCOL", "dir", nil, 405),
            ("PUT", "dir", nil, 409), ("MOVE", "a.txt", "nope/a.txt", 409), ("MOVE", "a.txt", "a.txt", 403),
            ("MOVE", "dir", "dir/sub", 409), ("MOVE", "a.txt", "dir", 412), ("COPY", "a.txt", "new", 201),
            ("LOCK", "a.txt", nil, 501), ("GET", "dir", nil, 200), ("GET", "nope", nil, 404),
        ] as [(String, String, String?, Int)]
    )
    func statuses(method: String, path: String, destination: String?, status: Int) async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            try await alice.writeContents(path: "/a.txt", contents: Data("a".utf8))
            let base = "/remote.php/dav/files/alice/"
            var fields: [String: String] = [:]
            if let destination {
                fields = ["Destination": alice.place.origin.url(base + destination), "Overwrite": "F"]
            }
            let (answer, body) = try await alice.place.origin.exchange(
                alice,
                HTTPRequest.Method(method) ?? .get,
                base + path,
                fields,
                body: method == "PUT" ? HTTPRequestBody("x") : nil
            )
            #expect(answer.status.code == status)
            if method == "GET", path == "dir" {
                #expect(answer["Content-Type"]?.hasPrefix("text/html") == true && body.isEmpty)
            }
        }
    }

    @Test("7: a folder that answers a GET with an empty page is no empty file")
    func folderAsFile() async throws {
        try await withAlice { alice, _ in
            try await alice.create(folder: "dir", at: "/")
            let error = await #expect(throws: CocoaError.self) { _ = try await alice.contents(path: "/dir") }
            #expect(error?.code == CocoaError.isAFolder("/dir").code)
        }
    }

    @Test("8: a copy of depth 0 has the children; other people's files are an empty folder")
    func depthZero() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            try await alice.writeContents(path: "/dir/a.txt", contents: Data("a".utf8))
            let base = "/remote.php/dav/files/alice/"
            let (copied, _) = try await alice.place.origin.exchange(
                alice,
                .copy,
                base + "dir/",
                ["Destination": alice.place.origin.url(base + "copy/"), "Depth": "0"]
            )
            #expect(copied.status.code == 201 && server.node("copy/a.txt") != nil)
            let (found, body) = try await alice.place.origin.exchange(
                alice,
                .propfind,
                "/remote.php/dav/files/bob/",
                ["Depth": "1"]
            )
            #expect(found.status.code == 207)
            #expect(try MultistatusParser.entries(of: body, others: []).count == 1)
        }
    }

    @Test("10: OCS wants its field, version 1 has errors with HTTP's 200, version 2 has HTTP's codes")
    func ocs() async throws {
        try await withAlice { alice, server in
            let origin = alice.place.origin
            let place = "/ocs/v2.php/cloud/user?format=json"
            let (suspicious, words) = try await origin.exchange(alice, .get, place)
            #expect(suspicious.status.code == 412)
            #expect(String(decoding: words, as: UTF8.self).contains("CSRF check failed"))
            let shares = "apps/files_sharing/api/v1/shares?format=json&path=/nope"
            let fields = ["OCS-APIRequest": "true"]
            let (first, told) = try await origin.exchange(alice, .get, "/ocs/v1.php/\(shares)", fields)
            #expect(first.status == .ok && String(decoding: told, as: UTF8.self).contains("\"statuscode\":404"))
            #expect(try await origin.exchange(alice, .get, "/ocs/v2.php/\(shares)", fields).head.status == .notFound)
            let missing = await #expect(throws: CocoaError.self) { _ = try await alice.publicLinks(to: "/nope") }
            #expect(missing?.code == .fileNoSuchFile)
            #expect(
                server.requests.filter { $0.path?.contains("/ocs/") == true }.dropFirst(2)
                    .contains { $0.headerFields[.ocsRequest] == "true" }
            )
        }
    }

    @Test(
        "10: the codes inside an answer count, whatever HTTP says",
        arguments: [(404, true), (997, false), (998, true)]
    )
    func ocsCodes(code: Int, isMissing: Bool) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok, text: #"{"ocs":{"meta":{"status":"failure","statuscode":\#(code)},"data":[]}}"#)
        } perform: { server in
            let origin = try #require(HTTPOrigin(server.url))
            let session = HTTPSession(
                transport: NIOTransport(),
                logger: FileProviderEnvironment().logger
            )
            let api = OCSClient(session: session, origin: origin, prefix: "")
            let error = await #expect(throws: (any Error).self) { _ = try await api.call(.get, "cloud/user") }
            if isMissing {
                #expect((error as? CocoaError)?.code == .fileNoSuchFile)
            } else {
                #expect((error as? URLError)?.code == .userAuthenticationRequired)
            }
            await session.invalidate()
        }
    }

    @Test("13: a folder shared for reading takes nothing, and says so")
    func readOnlyShare() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "dir", at: "/")
            server.restrict("dir", .readOnly)
            let error = await #expect(throws: CocoaError.self) {
                try await alice.writeContents(path: "/dir/a.txt", contents: Data("a".utf8))
            }
            #expect(error?.code == .fileWriteNoPermission)
            let results = try await alice.writeFiles(
                [BulkFile(path: "/dir/b", contents: Data()), BulkFile(path: "/dir/c", contents: Data())],
                overwrite: true
            )
            #expect(results.allSatisfy { (try? $0.get()) == nil })
        }
    }

    @Test("14: a range, several, one that is none, and one of another version")
    func ranges() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("0123456789".utf8))
            let target = "/remote.php/dav/files/alice/a.txt"
            let answers = [
                (["Range": "bytes=2-4"], 206, "234"), (["Range": "bytes=0-0,9-9"], 200, "0123456789"),
                (["Range": "bytes=20-"], 416, nil), (["Range": "bytes=2-4", "If-Range": "\"x\""], 200, "0123456789"),
            ]
            for (fields, status, text) in answers {
                let (answer, body) = try await alice.place.origin.exchange(alice, .get, target, fields)
                #expect(answer.status.code == status)
                if let text { #expect(String(decoding: body, as: UTF8.self) == text) }
            }
            #expect(try await alice.contents(path: "/a.txt", offset: 2, length: 3) == Data("234".utf8))
            _ = try await alice.place.origin.exchange(
                alice,
                .put,
                "/remote.php/dav/files/alice/old.txt",
                ["X-OC-CTime": "1600000000"],
                body: HTTPRequestBody("x")
            )
            let created = try await alice.attributesOfItem(path: "/old.txt").creationDate
            #expect(created == Date(timeIntervalSince1970: 1_600_000_000))
        }
    }

    @Test("15: pages after the first have broken dates; they are read all the same, and never asked for")
    func pagination() async throws {
        try await withAlice { alice, server in
            for name in ["a", "b", "c"] { try await alice.writeContents(path: "/\(name)", contents: Data("x".utf8)) }
            let target = "/remote.php/dav/files/alice/"
            var fields = ["Depth": "1", "X-NC-Paginate": "true", "X-NC-Paginate-Count": "2"]
            let (first, page) = try await alice.place.origin.exchange(alice, .propfind, target, fields)
            // The folder itself counts.
            #expect(first["X-NC-Paginate-Total"] == "4")
            let whole = try MultistatusParser.entries(of: page, others: [])
            #expect(whole.count == 2 && whole.last?.properties.modifiedDate != nil)
            fields["X-NC-Paginate-Token"] = first["X-NC-Paginate-Token"]
            fields["X-NC-Paginate-Offset"] = "2"
            let (_, rest) = try await alice.place.origin.exchange(alice, .propfind, target, fields)
            let broken = try MultistatusParser.entries(of: rest, others: [])
            #expect(broken.count == 2)
            #expect(broken.allSatisfy { $0.properties.modifiedDate == nil && $0.properties.contentLength == 1 })
            server.forget()
            #expect(try await alice.contentsOfDirectory(path: "/").count == 3)
            #expect(server.requests.allSatisfy { $0["X-NC-Paginate"] == nil })
        }
    }

    @Test("16: a folder's eTag changes with anything below it")
    func folderTags() async throws {
        try await withAlice { alice, _ in
            try await alice.create(folder: "a", at: "/")
            try await alice.create(folder: "b", at: "/a")
            let before = try await alice.attributesOfItem(path: "/a").eTag
            try await alice.writeContents(path: "/a/b/c.txt", contents: Data("c".utf8))
            #expect(try await alice.attributesOfItem(path: "/a").eTag != before)
        }
    }
}

extension HTTPOrigin {
    /// Sends what a test writes itself, with alice's login.
    func exchange(
        _ alice: NextcloudFileProvider,
        _ method: HTTPRequest.Method,
        _ target: String,
        _ named: [String: String] = [:],
        body: HTTPRequestBody? = nil
    ) async throws -> (head: HTTPResponse, body: Data) {
        var fields = HTTPFields()
        for (name, value) in named { HTTPField.Name(name).map { fields[$0] = value } }
        let session = HTTPSession(
            transport: NIOTransport(),
            origins: [self],
            authenticator: PasswordAuthenticator.authenticator(
                for: FileProviderCredential(user: "alice", secret: .password("secret")),
                scheme: .basic
            ),
            retryPolicy: RetryPolicy(maximumAttempts: 1),
            logger: FileProviderEnvironment().logger
        )
        do {
            let reply = try await session.send(request(method, target, fields), body: body)
            let data = try await reply.body.collect(upTo: 1 << 20)
            await session.invalidate()
            return (reply.head, data)
        } catch {
            await session.invalidate()
            throw error
        }
    }
}

extension HTTPResponse {
    fileprivate subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headerFields[$0] } }
}

extension HTTPRequest {
    fileprivate subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headerFields[$0] } }
}
