import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import NIOCore
import Synchronization
import Testing

@testable import FerryHTTP

@Suite("A session that logs in")
struct HTTPSessionLoginTests: SessionSuite {
    let clock = InstantClock()

    /// An authenticator for which no time passes: no nonce gets old.
    private static func timeless() -> PasswordAuthenticator {
        let start = ContinuousClock.now
        return PasswordAuthenticator(
            user: "ann",
            password: "secret",
            scheme: .automatic,
            now: { start },
            makeNonce: { "c" }
        )
    }

    @Test("the same proof is not sent again")
    func refusedOnce() async throws {
        let transport = ScriptedTransport { _, _ in answer(401, [.wwwAuthenticate: #"Basic realm="x""#]) }
        let authenticator = PasswordAuthenticator(user: "ann", password: "wrong")
        let session = session(transport, authenticator: authenticator)
        #expect(try await session.send(.to("/a")).status == .unauthorized)
        #expect(transport.sent.count == 1)
    }

    @Test("before the server has said what it wants, no body is sent; one question serves all requests")
    func question() async throws {
        let transport = ScriptedTransport { request, _ in
            request.headerFields[.authorization] == nil
                ? answer(401, [.wwwAuthenticate: #"Digest realm="x", nonce="n", qop="auth""#]) : answer(201)
        }
        let session = session(transport, authenticator: Self.timeless())
        let body = once(String(repeating: "x", count: 100_000))
        #expect(try await session.send(.to(.put, "/big", scheme: "http"), body: body).status == .created)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { _ = try await session.send(.to("/\(number)", scheme: "http")) }
            }
            try await group.waitForAll()
        }
        #expect(transport.lines.prefix(2) == ["OPTIONS http://home.example/big", "PUT http://home.example/big"])
        #expect(transport.sent.filter { $0.authorization == nil }.count == 1)
        let numbers = Set(transport.sent.compactMap { $0.authorization?.firstMatch(of: /nc=([0-9a-f]+)/)?.1 })
        #expect(numbers.count == 21)
    }

    @Test(
        "login and cookies go to the session's origins only, unless the request asks for something else",
        arguments: [
            ("https://home.example/a", HTTPRequestOptions.Credentials.forOwnOrigins, true),
            ("https://home.example:443/a", .forOwnOrigins, true), ("https://HOME.example/a", .forOwnOrigins, true),
            ("https://home.example:8443/a", .forOwnOrigins, false), ("https://other.example/a", .forOwnOrigins, false),
            ("https://home.example.other.example/a", .forOwnOrigins, false),
            ("https://other.example/a", .always, true), ("https://home.example/a", .never, false),
        ]
    )
    func origins(_ url: String, _ credentials: HTTPRequestOptions.Credentials, isSigned: Bool) async throws {
        let transport = ScriptedTransport { _, _ in answer(200, [.setCookie: "a=cookie"]) }
        let homeURL = try #require(URL(string: "https://home.example/"))
        let home = try #require(HTTPOrigin(homeURL))
        let session = HTTPSession(
            transport: transport,
            origins: [home],
            authenticator: BearerAuthenticator(token: "secret"),
            cookies: CookieJar(origin: home),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        _ = try await session.send(home.request(.get, "/first"))
        let request = HTTPRequest(method: .put, url: try #require(URL(string: url)))
        _ = try await session.send(request, body: once("x"), options: HTTPRequestOptions(credentials: credentials))
        let sent = try #require(transport.sent.last)
        #expect(sent.authorization == (isSigned ? "Bearer secret" : nil))
        let isHome = HTTPOrigin(request) == home
        #expect(sent.request.headerFields[.cookie] == (isSigned && isHome ? "a=cookie" : nil))
    }

    @Test("a refusal elsewhere is the answer: no other login is tried, and none is asked for")
    func refusedElsewhere() async throws {
        let transport = ScriptedTransport { _, _ in answer(401, [.wwwAuthenticate: #"Basic realm="x""#]) }
        let session = session(transport, authenticator: PasswordAuthenticator(user: "ann", password: "secret"))
        let request = HTTPRequest(method: .put, scheme: "https", authority: "upload.example", path: "/signed?sig=1")
        #expect(try await session.send(request, body: once("x")).status == .unauthorized)
        #expect(transport.sent.map(\.authorization) == [nil])
    }

    @Test("many first requests at once ask one question")
    func oneQuestion() async throws {
        let transport = ScriptedTransport { request, _ in
            await Task.yield()
            return request.headerFields[.authorization] == nil
                ? answer(401, [.wwwAuthenticate: #"Digest realm="x", nonce="n", qop="auth""#]) : answer(200)
        }
        let session = session(transport, authenticator: PasswordAuthenticator(user: "ann", password: "secret"))
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let status = try await session.send(.to("/\(number)", scheme: "http")).status
                    #expect(status == .ok)
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.sent.filter { $0.authorization == nil }.count == 1)
    }

    @Test("a server that asks nobody is asked once, and then let be")
    func openServer() async throws {
        let transport = ScriptedTransport { _, _ in answer(200) }
        let session = session(transport, authenticator: PasswordAuthenticator(user: "ann", password: "secret"))
        for _ in 0..<3 { _ = try await session.send(.to("/a", scheme: "http")) }
        #expect(transport.sent.map(\.request.method) == [.options, .head, .get, .get, .get])
        #expect(transport.sent.allSatisfy { $0.authorization == nil })
    }

    /// A server whose nonces last for a number of requests.
    private static func digestServer(uses: Int) -> ScriptedTransport {
        let state = Mutex<(nonce: Int, uses: Int)>.Box((0, 0))
        return ScriptedTransport { request, _ in
            let sent = request.headerFields[.authorization]?.firstMatch(of: /nonce="n([0-9]+)"/).flatMap { Int($0.1) }
            let (isGood, nonce) = state.mutex.withLock { state in
                state.uses += 1
                let isGood = sent == state.nonce && state.uses <= uses
                if !isGood { state = (state.nonce + 1, 0) }
                return (isGood, state.nonce)
            }
            let stale = sent == nil ? "" : ", stale=true"
            let challenge = #"Digest realm="x", nonce="n\#(nonce)", qop="auth"\#(stale)"#
            return isGood ? answer(201) : answer(401, [.wwwAuthenticate: challenge])
        }
    }

    @Test("a login that runs out while a body goes by that can be sent once is no verdict: the next call goes well")
    func expiredWhileSending() async throws {
        let session = session(Self.digestServer(uses: 1), authenticator: Self.timeless())
        #expect(try await session.send(.to(.put, "/a", scheme: "http"), body: once("first")).status == .created)
        let error = await #expect(throws: URLError.self) {
            _ = try await session.send(.to(.put, "/a", scheme: "http"), body: once("second"))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(error.map { RetryPolicy.isTransient($0) } == true)
        #expect(try await session.send(.to(.put, "/a", scheme: "http"), body: once("second")).status == .created)
        // A request that can be sent again is, within the call.
        #expect(try await session.send(.to("/a", scheme: "http")).status == .created)
    }

    @Test("before a body that can be sent once, a nonce that was not used for long is looked at")
    func oldNonce() async throws {
        let start = ContinuousClock.now
        let elapsed = Mutex<Duration>.Box(.zero)
        let authenticator = PasswordAuthenticator(
            user: "ann",
            password: "secret",
            scheme: .digest,
            now: { start + elapsed.mutex.withLock { $0 } },
            makeNonce: { "c" }
        )
        let transport = Self.digestServer(uses: 4)
        let session = session(transport, authenticator: authenticator)
        for (text, seconds) in [("a", 0), ("b", 10), ("c", 10), ("d", 300), ("e", 300)] {
            elapsed.mutex.withLock { $0 += .seconds(seconds) }
            #expect(try await session.send(.to(.put, "/a"), body: once(text)).status == .created)
        }
        // The second question is refused at its end, the third is not.
        let question: [HTTPRequest.Method] = [.options, .head]
        let methods: [HTTPRequest.Method] = [.options, .put, .put, .put] + question + [.put] + question + [.put]
        #expect(transport.sent.map(\.request.method) == methods)
        #expect(transport.sent.filter { $0.body != nil }.count == 5)
    }
}
