import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import Synchronization
import Testing

@testable import FerryHTTP

private let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

@Suite("Redirects")
struct RedirectTests {
    private func session(_ transport: ScriptedTransport) -> HTTPSession {
        HTTPSession(
            transport: transport,
            origins: .home,
            authenticator: BearerAuthenticator(token: "secret"),
            logger: quiet,
            clock: InstantClock()
        )
    }

    @Test(
        "within the origin one is followed as it was sent, by methods that only read",
        arguments: [301, 302, 307, 308],
        ["GET", "HEAD", "OPTIONS", "PROPFIND", "SEARCH", "REPORT"]
    )
    func reading(status: Int, method: String) async throws {
        let transport = ScriptedTransport { request, number in
            number == 1 ? redirect(status, "/b%2fc?d=e%20f") : answer(200)
        }
        let reply = try await session(transport).send(.to(.init(named: method), "/a"), body: HTTPRequestBody("ask"))
        #expect(reply.status == .ok)
        #expect(
            transport.lines == [
                "\(method) https://home.example/a", "\(method) https://home.example/b%2fc?d=e%20f",
            ]
        )
        #expect(transport.sent.map(\.body) == [Data("ask".utf8), Data("ask".utf8)])
        #expect(transport.sent.map(\.authorization) == ["Bearer secret", "Bearer secret"])
    }

    @Test("307 and 308 keep any method, its body and its Destination", arguments: [307, 308], ["MOVE", "PUT", "POST"])
    func keeping(status: Int, method: String) async throws {
        let destination = try #require(HTTPField.Name("Destination"))
        let transport = ScriptedTransport { _, number in number == 1 ? redirect(status, "folder/") : answer(201) }
        var request = HTTPRequest.to(.init(named: method), "/x/folder")
        request.headerFields[destination] = "https://home.example/new/"
        #expect(try await session(transport).send(request, body: HTTPRequestBody("b")).status == .created)
        #expect(transport.sent.last?.line == "\(method) https://home.example/x/folder/")
        #expect(transport.sent.last?.request.headerFields[destination] == "https://home.example/new/")
        #expect(transport.sent.last?.body == Data("b".utf8))
    }

    @Test(
        "a method that changes something is not turned into another",
        arguments: [301, 302, 303],
        ["PUT", "MOVE", "DELETE", "MKCOL"]
    )
    func writing(status: Int, method: String) async throws {
        let transport = ScriptedTransport { _, _ in redirect(status, "/b") }
        let error = await #expect(throws: URLError.self) {
            try await session(transport).send(.to(.init(named: method), "/a"))
        }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(transport.sent.count == 1)
    }

    @Test("303 has the result of a POST fetched, without its body")
    func seeOther() async throws {
        let transport = ScriptedTransport { _, number in number == 1 ? redirect(303, "/made") : answer(200) }
        _ = try await session(transport).send(.to(.post, "/a"), body: HTTPRequestBody("form"))
        #expect(transport.lines == ["POST https://home.example/a", "GET https://home.example/made"])
        #expect(transport.sent.last?.body == nil)
    }

    @Test("a body that can't be sent twice isn't")
    func notReplayable() async throws {
        let transport = ScriptedTransport { _, _ in redirect(307, "/b") }
        let body = HTTPRequestBody(length: 1, isReplayable: false) { { nil } }
        let error = await #expect(throws: URLError.self) {
            try await session(transport).send(.to(.put, "/a"), body: body)
        }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(transport.sent.count == 1)
    }

    @Test("endless ones end after ten")
    func endless() async throws {
        let transport = ScriptedTransport { _, number in redirect(302, "/\(number)") }
        let error = await #expect(throws: URLError.self) { try await session(transport).send(.to("/a")) }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(transport.sent.count == 11)
    }

    @Test(
        "what leads nowhere is an error that says where, and nothing is sent",
        arguments: [
            ("http://home.example/a", "http://home.example"), ("ftp://home.example/a", "no address"),
            ("javascript:alert(1)", "no address"), ("data:text/plain,x", "no address"),
        ]
    )
    func refused(location: String, words: String) async throws {
        let transport = ScriptedTransport { _, _ in redirect(302, location) }
        let error = await #expect(throws: URLError.self) { try await session(transport).send(.to("/a")) }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(error?.localizedDescription.contains(words) == true)
        #expect(transport.sent.count == 1)
    }

    @Test("only GET and HEAD go to another origin", arguments: ["PROPFIND", "PUT", "OPTIONS", "POST", "DELETE"])
    func elsewhere(method: String) async throws {
        let transport = ScriptedTransport { _, _ in redirect(307, "https://other.example:8443/a") }
        let error = await #expect(throws: URLError.self) {
            try await session(transport).send(.to(.init(named: method), "/a"))
        }
        #expect(error?.localizedDescription.contains("https://other.example:8443") == true)
        #expect(transport.sent.count == 1)
    }

    @Test("a server that is wrong about its own port gives an error that says so, and sees no login there")
    func wrongPort() async throws {
        let transport = ScriptedTransport { request, _ in
            request.authority == "home.example" ? redirect(302, "https://home.example:444/a") : answer(404)
        }
        let error = await #expect(throws: URLError.self) { try await session(transport).send(.to("/a")) }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(error?.localizedDescription.contains("https://home.example:444") == true)
        #expect(transport.sent.map(\.authorization) == ["Bearer secret", nil])
    }

    @Test("a login that another server wants is not ours to give, nor its refusal about our login")
    func foreignLogin() async throws {
        let transport = ScriptedTransport { request, number in
            number == 1 ? redirect(302, "https://other.example/a") : answer(401, [.wwwAuthenticate: "Bearer"])
        }
        let error = await #expect(throws: URLError.self) { try await session(transport).send(.to("/a")) }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(transport.sent.count == 2)
    }

    @Test("whoever has sent us away can't send us back with our login")
    func thereAndBack() async throws {
        let transport = ScriptedTransport { request, number in
            switch number {
            case 1: redirect(302, "https://other.example/a")
            case 2: redirect(302, "https://home.example/secret")
            default: answer(200)
            }
        }
        _ = try await session(transport).send(.to("/a"))
        #expect(transport.sent.map(\.authorization) == ["Bearer secret", nil, nil])
    }

    @Test("they are handed out as they are where that is asked for, or where they say not where to")
    func handedOut() async throws {
        let transport = ScriptedTransport { _, _ in redirect(302, "/b") }
        let reply = try await session(transport).send(.to("/a"), options: HTTPRequestOptions(followsRedirects: false))
        #expect(reply.status == .found)
        let nowhere = ScriptedTransport { _, _ in answer(302) }
        #expect(try await session(nowhere).send(.to("/a")).status == .found)
        let choice = ScriptedTransport { _, _ in redirect(300, "/b") }
        #expect(try await session(choice).send(.to("/a")).status.code == 300)
    }

    @Test("what arrives at another host has no login, no cookie and no field of ours")
    func looking() async throws {
        let seen = Mutex<[LoopbackRequest]>.Box([])
        let other = try await LoopbackServer.start { (request: LoopbackRequest) in
            seen.mutex.withLock { $0.append(request) }
            return LoopbackAnswer(.ok, text: "there")
        }
        let away = "http://localhost:\(other.port)/there"
        let home = try await LoopbackServer.start { (request: LoopbackRequest) in
            request.target == "/first"
                ? LoopbackAnswer(.ok, fields: [.setCookie: "session=cookie-secret; Path=/"])
                : LoopbackAnswer(.found, fields: [.location: away])
        }
        let origin = try #require(HTTPOrigin(home.url))
        let jar = CookieJar(origin: origin)
        let session = HTTPSession(
            transport: NIOTransport(),
            origins: [origin],
            authenticator: PasswordAuthenticator(user: "ann", password: "secret"),
            cookies: jar,
            logger: quiet
        )
        await (try await session.send(origin.request(.get, "/first"))).body.drain()
        let custom = try #require(HTTPField.Name("X-Api-Key"))
        let request = origin.request(.get, "/second", [custom: "secret", .range: "bytes=0-1"])
        let reply = try await session.send(request)
        #expect(try await reply.body.collect(upTo: 100) == Data("there".utf8))
        await session.invalidate()
        await home.stop()
        await other.stop()
        let arrived = seen.mutex.withLock { $0 }
        #expect(arrived.count == 1)
        #expect(arrived.first?["Range"] == "bytes=0-1")
        for request in arrived {
            for field in request.head.headerFields {
                #expect(!field.value.contains("secret"))
            }
            #expect(request["Authorization"] == nil)
            #expect(request["Cookie"] == nil)
            #expect(request["X-Api-Key"] == nil)
        }
    }
}
