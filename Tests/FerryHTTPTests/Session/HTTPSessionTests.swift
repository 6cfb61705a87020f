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

@Suite("A session")
struct HTTPSessionTests: SessionSuite {
    let clock = InstantClock()

    // MARK: Repeating

    @Test(
        "a busy server is asked again when it says, in seconds or with a date",
        arguments: [429, 503],
        [("7", 7), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("0", 0)]
    )
    func busy(status: Int, hint: (text: String, seconds: Int)) async throws {
        let transport = ScriptedTransport { _, number in
            number < 3 ? answer(status, [.retryAfter: hint.text]) : answer(200)
        }
        #expect(try await session(transport).send(.to("/a")).status == .ok)
        #expect(clock.waits == [.seconds(hint.seconds), .seconds(hint.seconds)])
    }

    @Test("whoever sends much hears at once that it is too much")
    func heard() async throws {
        let transport = ScriptedTransport { _, number in answer([429, 503, 502, 200][number - 1]) }
        let count = Mutex<Int>.Box(0)
        let session = session(transport)
        let listener = OverloadListener { count.mutex.withLock { $0 += 1 } }
        let reply = try await OperationContext.with(\.overloadListener, listener) {
            try await session.send(.to("/a"))
        }
        #expect(reply.status == .ok)
        #expect(count.mutex.withLock { $0 } == 2)
    }

    @Test("a server that wants to be left alone for long is, and its answer is handed out")
    func busyForLong() async throws {
        let transport = ScriptedTransport { _, _ in answer(503, [.retryAfter: "3600"]) }
        let reply = try await session(transport).send(.to("/a"))
        #expect(reply.status.code == 503)
        #expect(transport.sent.count == 1)
        let error = try await HTTPServerError.read(reply, path: "/a")
        #expect(error.retryAfter == .seconds(3600))
    }

    @Test("a server that failed once is asked once more; a busy one as often as the policy allows, ever more slowly")
    func failing() async throws {
        let recovering = ScriptedTransport { _, number in number == 1 ? answer(500) : answer(200) }
        #expect(try await session(recovering).send(.to("/a")).status == .ok)
        let failing = ScriptedTransport { _, _ in answer(500) }
        #expect(try await session(failing).send(.to("/a")).status.code == 500)
        #expect(failing.sent.count == 2)
        let before = clock.waits.count
        let busy = ScriptedTransport { _, _ in answer(502) }
        #expect(try await session(busy).send(.to("/a")).status.code == 502)
        #expect(busy.sent.count == 4)
        #expect(clock.waits.dropFirst(before) == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    }

    @Test(
        "what changes something is repeated only if its sender says so",
        arguments: ["PUT", "DELETE", "MKCOL", "MOVE", "COPY", "POST", "LOCK", "PATCH"]
    )
    func changing(method: String) async throws {
        let transport = ScriptedTransport { _, number in number == 1 ? answer(503) : answer(201) }
        let request = HTTPRequest.to(.init(named: method), "/a")
        #expect(try await session(transport).send(request).status.code == 503)
        let other = ScriptedTransport { _, number in
            if number == 1 { throw URLError(.networkConnectionLost) }
            return answer(201)
        }
        let error = await #expect(throws: URLError.self) { try await session(other).send(request) }
        #expect(error?.code == .networkConnectionLost)
        for transport in [transport, other] { #expect(transport.sent.count == 1) }
        let told = ScriptedTransport { _, number in number == 1 ? answer(503) : answer(201) }
        let options = HTTPRequestOptions(isIdempotent: true)
        #expect(try await session(told).send(request, body: HTTPRequestBody("b"), options: options).status == .created)
        #expect(told.sent.map(\.body) == [Data("b".utf8), Data("b".utf8)])
    }

    @Test(
        "a request too many is repeated whatever it changes, if its body can be sent again",
        arguments: ["PUT", "DELETE", "MKCOL", "MOVE", "POST", "PATCH"]
    )
    func tooMany(method: String) async throws {
        let transport = ScriptedTransport { _, number in
            number < 3 ? answer(429, [.retryAfter: "7"]) : answer(201)
        }
        let request = HTTPRequest.to(.init(named: method), "/a")
        let options = HTTPRequestOptions(isIdempotent: false)
        let reply = try await session(transport).send(request, body: HTTPRequestBody("b"), options: options)
        #expect(reply.status == .created)
        let body = Data("b".utf8)
        #expect(transport.sent.map(\.body) == [body, body, body])
        #expect(clock.waits == [.seconds(7), .seconds(7)])
        let other = ScriptedTransport { _, _ in answer(429, [.retryAfter: "7"]) }
        #expect(try await session(other).send(request, body: once("b"), options: options).status.code == 429)
        #expect(other.sent.count == 1)
    }

    @Test(
        "a lost line is tried again, an untrusted certificate is not",
        arguments: [
            (URLError.networkConnectionLost, 2), (.cannotConnectToHost, 2), (.timedOut, 1),
            (.serverCertificateUntrusted, 1), (.cannotParseResponse, 1),
        ]
    )
    func lost(code: URLError.Code, requests: Int) async throws {
        let transport = ScriptedTransport { _, number in
            if number == 1 { throw URLError(code) }
            return answer(200)
        }
        let status = try? await session(transport).send(.to(.init(named: "PROPFIND"), "/a")).status
        #expect(transport.sent.count == requests)
        #expect(status == (requests == 2 ? .ok : nil))
    }

    @Test("all requests together repeat no more than the budget")
    func budget() async throws {
        let transport = ScriptedTransport { _, _ in answer(503) }
        let session = session(transport, policy: RetryPolicy(maximumAttempts: 10, budget: 3))
        for _ in 0..<4 { #expect(try await session.send(.to("/a")).status.code == 503) }
        #expect(transport.sent.count == 7)
    }

    @Test(
        "a kept connection that was closed costs one repetition at once, where that can do no harm",
        arguments: [
            ("GET", nil, true), ("PUT", nil, true), ("MOVE", nil, true), ("POST", nil, false), ("LOCK", nil, false),
            ("PUT", false, false), ("POST", true, true),
        ] as [(String, Bool?, Bool)]
    )
    func stale(method: String, isIdempotent: Bool?, isRepeated: Bool) async throws {
        let transport = ScriptedTransport { _, number in
            if number == 1 { throw StaleConnectionError(URLError(.networkConnectionLost)) }
            return answer(200)
        }
        let options = HTTPRequestOptions(isIdempotent: isIdempotent)
        let request = HTTPRequest.to(.init(named: method), "/a")
        if isRepeated {
            #expect(try await session(transport).send(request, options: options).status == .ok)
        } else {
            let error = await #expect(throws: URLError.self) {
                try await session(transport).send(request, options: options)
            }
            #expect(error?.code == .networkConnectionLost)
        }
        #expect(clock.waits.isEmpty)
        #expect(transport.sent.count == (isRepeated ? 2 : 1))
    }

    @Test("a body that can be sent once is sent over a new connection if the old one took nothing of it")
    func untouchedBody() async throws {
        let arrived = Mutex<Data?>.Box(nil)
        final class Closing: HTTPTransport {
            let calls = Mutex(0)
            let arrived: Mutex<Data?>.Box
            let takesFirst: Bool
            init(arrived: Mutex<Data?>.Box, takesFirst: Bool) {
                self.arrived = arrived
                self.takesFirst = takesFirst
            }
            func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
                let source = try await body?.makeSource()
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call == 1 {
                    if takesFirst { _ = try await source?() }
                    throw StaleConnectionError(URLError(.networkConnectionLost))
                }
                var bytes = Data()
                while let chunk = try await source?() { bytes.append(contentsOf: chunk.readableBytesView) }
                arrived.mutex.withLock { [bytes] in $0 = bytes }
                return answer(201)
            }
            func shutdown() async {}
        }
        let fresh = HTTPSession(transport: Closing(arrived: arrived, takesFirst: false), logger: quiet)
        #expect(try await fresh.send(.to(.post, "/a"), body: once("all of it")).status == .created)
        #expect(arrived.mutex.withLock { $0 } == Data("all of it".utf8))
        let touched = HTTPSession(transport: Closing(arrived: arrived, takesFirst: true), logger: quiet)
        let error = await #expect(throws: URLError.self) {
            try await touched.send(.to(.put, "/a"), body: once("all of it"))
        }
        #expect(error?.code == .networkConnectionLost)
    }

    // MARK: Ending

    @Test("once it is invalidated, waits end and bodies end, and nothing is sent any more")
    func invalidated() async throws {
        let transport = ScriptedTransport { request, _ in
            request.path == "/busy" ? answer(503) : answer(200, [:], "content")
        }
        let clock = StoppedClock()
        let session = HTTPSession(transport: transport, logger: quiet, clock: clock)
        let reply = try await session.send(.to("/a"))
        let waiting = Task { try await session.send(.to("/busy")) }
        for await _ in clock.isWaited.stream { break }
        await session.invalidate()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        await #expect(throws: CancellationError.self) { try await reply.body.collect(upTo: 100) }
        await #expect(throws: CancellationError.self) { try await session.send(.to("/a")) }
        #expect(transport.isShutDown)
        #expect(transport.sent.count == 2)
    }

    @Test("what a closed connection says when the session has closed it, is that it was cancelled")
    func closing() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let arrived = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { _, _ in
            arrived.continuation.yield()
            for await _ in gate.stream { break }
            throw URLError(.networkConnectionLost)
        }
        let session = session(transport)
        let reply = Task { try await session.send(.to("/a")) }
        for await _ in arrived.stream { break }
        await session.invalidate()
        gate.continuation.yield()
        await #expect(throws: CancellationError.self) { _ = try await reply.value }
        #expect(transport.sent.count == 1)
    }

    @Test("cancelling the caller ends its wait")
    func cancelled() async throws {
        let clock = StoppedClock()
        let session = HTTPSession(
            transport: ScriptedTransport { _, _ in answer(503) },
            logger: quiet,
            clock: clock
        )
        let task = Task { try await session.send(.to("/a")) }
        for await _ in clock.isWaited.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("it logs what it does, and no secret")
    func logs() async throws {
        let lines = Mutex<[String]>.Box([])
        var logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        logger.logLevel = .trace
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: redirect(302, "/b?token=secret")
            case 2: answer(503, [.retryAfter: "0"])
            default: answer(200, [.setCookie: "a=secret"])
            }
        }
        let origin = try #require(HTTPOrigin(HTTPRequest.to("/")))
        let session = HTTPSession(
            transport: transport,
            origins: [origin],
            authenticator: PasswordAuthenticator(user: "ann", password: "secret"),
            cookies: CookieJar(origin: origin),
            logger: logger,
            clock: InstantClock()
        )
        _ = try await session.send(.to("/a?signature=secret"))
        let all = lines.mutex.withLock { $0 }.joined(separator: "\n")
        #expect(all.contains("https://home.example/a") && all.contains("503"))
        #expect(!all.contains("secret") && !all.contains("YW5uOnNlY3JldA"))
    }
}

/// Keeps what is logged.
private struct LineHandler: LogHandler {
    let lines: Mutex<[String]>.Box
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: Mutex<[String]>.Box) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.mutex.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
}
