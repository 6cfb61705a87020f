import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import NIOCore
import Synchronization
import Testing

@testable import FerryHTTP

private let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// Keeps credentials, and remembers the order of what was done with them.
private final class RecordingStore: CredentialStore {
    let base: MemoryCredentialStore
    let saved = Mutex<[String]>([])
    let failures = Mutex(0)

    init(_ token: OAuth2Token) {
        base = MemoryCredentialStore(["a": FileProviderCredential(user: "ann", secret: .oauth(token))])
    }

    func credential(for account: String) async throws -> FileProviderCredential? {
        await base.credential(for: account)
    }

    func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        let fails = failures.withLock { failures in
            guard failures > 0 else { return false }
            failures -= 1
            return true
        }
        if fails { throw CocoaError(.fileWriteOutOfSpace) }
        await base.setCredential(credential, for: account)
        if case .oauth(let token) = credential?.secret { saved.withLock { $0.append(token.accessToken) } }
    }

    var token: OAuth2Token? {
        get async {
            if case .oauth(let token) = await base.credential(for: "a")?.secret { token } else { nil }
        }
    }
}

@Suite("A token of OAuth 2")
struct OAuth2AuthenticatorTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private func client(_ transport: any HTTPTransport) throws -> OAuth2Client {
        let configuration = OAuth2Configuration(
            tokenURL: try #require(URL(string: "https://login.example/token")),
            clientID: "app"
        )
        return OAuth2Client(
            configuration: configuration,
            transport: transport,
            logger: quiet,
            clock: InstantClock(),
            now: { Self.now }
        )
    }

    private func authenticator(_ store: any CredentialStore, _ transport: any HTTPTransport) throws
        -> OAuth2Authenticator
    {
        OAuth2Authenticator(client: try client(transport), store: store, account: "a", logger: quiet)
    }

    private func token(_ access: String, refresh: String? = "r0", seconds: TimeInterval? = 3_600) -> OAuth2Token {
        OAuth2Token(
            accessToken: access,
            refreshToken: refresh,
            expires: seconds.map { Self.now.addingTimeInterval($0) }
        )
    }

    private func proof(_ authenticator: OAuth2Authenticator) async throws -> String? {
        var request = HTTPRequest.to("/a")
        try await authenticator.authorize(&request)
        return request.headerFields[.authorization]
    }

    /// An authorization server that gives `t1`, `t2`, … for rotating refresh tokens.
    private func rotating(before: @escaping @Sendable () async throws -> Void = {}) -> ScriptedTransport {
        ScriptedTransport { _, number in
            try await before()
            return answer(
                200,
                [:],
                #"{"access_token":"t\#(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"r\#(number)"}"#
            )
        }
    }

    @Test("is renewed once when fifty requests meet its end in mid-job, and every request is sent again")
    func midJob() async throws {
        let store = RecordingStore(token("t0"))
        let good = Mutex<String>.Box("Bearer t0")
        let served = Mutex<[String]>.Box([])
        let files = try await LoopbackServer.start { (request: LoopbackRequest) in
            guard request["Authorization"] == good.mutex.withLock({ $0 }) else {
                return LoopbackAnswer(.unauthorized, fields: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
            }
            served.mutex.withLock { $0.append(request.target) }
            return LoopbackAnswer(.ok, text: request.text)
        }
        let logins = rotating()
        let origin = try #require(HTTPOrigin(files.url))
        let session = HTTPSession(
            transport: NIOTransport(),
            origins: [origin],
            authenticator: try authenticator(store, logins),
            logger: quiet
        )
        await (try await session.send(origin.request(.get, "/first"))).body.drain()
        good.mutex.withLock { $0 = "Bearer t1" }
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let reply = try await session.send(
                        origin.request(.put, "/\(number)"),
                        body: HTTPRequestBody("content \(number)")
                    )
                    #expect(reply.status == .ok)
                    #expect(try await reply.body.collect(upTo: 100) == Data("content \(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        await session.invalidate()
        await files.stop()
        #expect(logins.sent.count == 1)
        #expect(Set(served.mutex.withLock { $0 }).count == 51)
        #expect(store.saved.withLock { $0 } == ["t1"])
        #expect(await store.token?.refreshToken == "r1")
    }

    @Test("is renewed before it ends, and asked for in the form that the RFC wants")
    func beforeItsEnd() async throws {
        let store = RecordingStore(token("t0", refresh: "r 0&x", seconds: 59))
        let logins = rotating()
        let authenticator = try authenticator(store, logins)
        #expect(try await proof(authenticator) == "Bearer t1")
        #expect(try await proof(authenticator) == "Bearer t1")
        #expect(logins.lines == ["POST https://login.example/token"])
        let body = logins.sent[0].body.map { String(decoding: $0, as: UTF8.self) }
        #expect(body == "client_id=app&grant_type=refresh_token&refresh_token=r%200%26x")
        #expect(await store.token?.expires == Self.now.addingTimeInterval(3_600))
    }

    @Test("that is good for long, or has no end, is used as it is", arguments: [61, 1e6, nil])
    func fresh(seconds: TimeInterval?) async throws {
        let logins = rotating()
        let authenticator = try authenticator(RecordingStore(token("t0", seconds: seconds)), logins)
        #expect(try await proof(authenticator) == "Bearer t0")
        #expect(logins.sent.isEmpty)
    }

    @Test("is stored before anybody uses it; one that can't be stored is kept, and not handed out")
    func storedFirst() async throws {
        let store = RecordingStore(token("t0", seconds: 0))
        store.failures.withLock { $0 = 1 }
        let logins = rotating()
        let authenticator = try authenticator(store, logins)
        let error = await #expect(throws: CocoaError.self) { try await proof(authenticator) }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(await store.token?.accessToken == "t0")
        #expect(try await proof(authenticator) == "Bearer t1")
        #expect(logins.sent.count == 1)
        #expect(await store.token?.refreshToken == "r1")
    }

    @Test("that another process has renewed is taken from the store")
    func otherProcess() async throws {
        let store = RecordingStore(token("t0"))
        let logins = rotating()
        let authenticator = try authenticator(store, logins)
        var request = HTTPRequest.to("/a")
        try await authenticator.authorize(&request)
        try await store.setCredential(
            FileProviderCredential(user: "ann", secret: .oauth(token("theirs"))),
            for: "a"
        )
        #expect(try await authenticator.renew(after: HTTPResponse(status: .unauthorized), of: request))
        #expect(try await proof(authenticator) == "Bearer theirs")
        #expect(logins.sent.isEmpty)
    }

    @Test("keeps its refresh token where the server gives no other")
    func keepsRefreshToken() async throws {
        let logins = ScriptedTransport { _, _ in
            answer(200, [:], #"{"access_token":"t1","token_type":"bearer","expires_in":"60"}"#)
        }
        let store = RecordingStore(token("t0", seconds: 0))
        #expect(try await proof(try authenticator(store, logins)) == "Bearer t1")
        #expect(await store.token?.refreshToken == "r0")
    }

    @Test("cancelling one who waits doesn't end the renewal for the others")
    func cancelledWaiter() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let started = AsyncStream<Void>.makeStream()
        let logins = rotating {
            started.continuation.yield()
            for await _ in gate.stream { break }
            try Task.checkCancellation()
        }
        let store = RecordingStore(token("t0", seconds: 0))
        let authenticator = try authenticator(store, logins)
        let first = Task { try await proof(authenticator) }
        for await _ in started.stream { break }
        let second = Task { try await proof(authenticator) }
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        gate.continuation.yield()
        #expect(try await second.value == "Bearer t1")
        #expect(logins.sent.count == 1)
    }

    @Test("a refused renewal means a new login; a bad line or a server out of order does not")
    func troubles() async throws {
        func error(_ script: @escaping ScriptedTransport.Script) async throws -> URLError? {
            let authenticator = try authenticator(RecordingStore(token("t0", seconds: 0)), ScriptedTransport(script))
            return await #expect(throws: URLError.self) { try await proof(authenticator) }
        }
        let refused = try await error { _, _ in
            answer(400, [.contentType: "application/json"], #"{"error":"invalid_grant","error_description":"too old"}"#)
        }
        #expect(refused?.code == .userAuthenticationRequired)
        let words = (refused?.errorUserInfo[NSUnderlyingErrorKey] as? HTTPServerError)?.serverDescription
        #expect(words == "too old")
        #expect(try await error { _, _ in throw URLError(.networkConnectionLost) }?.code == .networkConnectionLost)
        #expect(try await error { _, _ in answer(503) }?.code == .resourceUnavailable)
        #expect(try await error { _, _ in answer(500, [:], "<html>") }?.code == .badServerResponse)
        #expect(try await error { _, _ in answer(200, [:], "<html>") }?.code == .cannotParseResponse)
        let busy = try await error { _, _ in answer(400, [:], #"{"error":"temporarily_unavailable"}"#) }
        #expect(busy?.code == .resourceUnavailable)
    }

    @Test("a token that can't be renewed is used to its end, and then a new login is needed")
    func withoutRefreshToken() async throws {
        let logins = rotating()
        let short = try authenticator(RecordingStore(token("t0", refresh: nil, seconds: 10)), logins)
        #expect(try await proof(short) == "Bearer t0")
        let over = try authenticator(RecordingStore(token("t0", refresh: nil, seconds: -1)), logins)
        let ended = await #expect(throws: URLError.self) { try await proof(over) }
        #expect(ended?.code == .userAuthenticationRequired)
        let none = try authenticator(MemoryCredentialStore(), logins)
        let missing = await #expect(throws: URLError.self) { try await proof(none) }
        #expect(missing?.code == .userAuthenticationRequired)
        #expect(logins.sent.isEmpty)
    }

    @Test(
        "an answer of the wrong shape is no token",
        arguments: [
            "[]", "{}", #"{"access_token":1}"#, #"{"access_token":""}"#, #"{"access_token":"a b"}"#,
            #"{"access_token":"a\r\nX: y"}"#, #"{"access_token":"a","token_type":"mac"}"#,
            #"{"access_token":"a","expires_in":[]}"#, #"{"access_token":"a","expires_in":-1}"#,
            #"{"access_token":"a","refresh_token":7}"#, #"{"access_token":"a","refresh_token":""}"#, "not json",
        ]
    )
    func wrongShape(body: String) async throws {
        let store = RecordingStore(token("t0", seconds: 0))
        let authenticator = try authenticator(store, ScriptedTransport { _, _ in answer(200, [:], body) })
        let error = await #expect(throws: URLError.self) { try await proof(authenticator) }
        #expect(error?.code == .cannotParseResponse)
        #expect(await store.token?.accessToken == "t0")
    }
}
