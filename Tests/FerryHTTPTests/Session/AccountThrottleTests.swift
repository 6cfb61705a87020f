import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("Requests of an account wait when one of them is refused for all")
struct AccountThrottleTests: SessionSuite {
    let clock = InstantClock()

    /// Sends a request that is refused, and not repeated, then another one: that one's wait.
    private func wait(after status: Int, _ field: String?, longest: Duration = .seconds(60)) async throws -> Duration {
        var fields = HTTPFields()
        fields[.retryAfter] = field
        let transport = ScriptedTransport { [fields] _, number in number == 1 ? answer(status, fields) : answer(200) }
        let session = session(transport, policy: RetryPolicy(maximumAttempts: 1, longestDelay: longest))
        let start = clock.now
        #expect(try await session.send(.to("/a")).status.code == status)
        #expect(clock.now == start)
        #expect(try await session.send(.to("/b")).status.code == 200)
        #expect(try await session.send(.to("/c")).status.code == 200)
        return clock.now - start
    }

    @Test(
        "as long as Retry-After says, in seconds or as a date, and not at all for other answers",
        arguments: [
            (429, "7", 7), (429, "Sun, 06 Nov 1994 08:49:47 GMT", 10), (429, nil, 0), (500, "7", 0), (503, "7", 0),
            (200, "7", 0), (429, "0", 0),
        ] as [(Int, String?, Int)]
    )
    func waits(status: Int, field: String?, seconds: Int) async throws {
        #expect(try await wait(after: status, field) == .seconds(seconds))
    }

    @Test("also for 503, where a service means the account by it")
    func otherStatuses() async throws {
        let session = HTTPSession(
            transport: ScriptedTransport { _, number in number == 1 ? answer(503, [.retryAfter: "7"]) : answer(200) },
            origins: .home,
            retryPolicy: RetryPolicy(maximumAttempts: 1),
            throttlingStatuses: [429, 503],
            logger: FileProviderEnvironment().logger,
            clock: clock
        )
        _ = try await session.send(.to("/a"))
        _ = try await session.send(.to("/b"))
        #expect(clock.waits == [.seconds(7)])
    }

    @Test("a longer time than a request waits is an error at once, with that time, and nothing is sent")
    func tooLong() async throws {
        let transport = ScriptedTransport { _, _ in answer(429, [.retryAfter: "61"]) }
        let session = session(transport, policy: RetryPolicy(longestDelay: .seconds(60)))
        #expect(try await session.send(.to("/a")).status.code == 429)
        let error = await #expect(throws: URLError.self) {
            try await session.send(.to("/b"), options: HTTPRequestOptions(path: "/box/b"))
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.serverAnswer?.path == "/box/b")
        #expect((error?.serverAnswer as? HTTPServerError)?.retryAfter == .seconds(61))
        #expect(transport.sent.count == 1)
        #expect(clock.waits.isEmpty)
    }

    @Test("what another origin says holds requests to it, and none to ours", arguments: [false, true])
    func otherOrigins(isRedirected: Bool) async throws {
        let transport = ScriptedTransport { request, _ in
            if request.authority == "other.example" { return answer(429, [.retryAfter: "7"]) }
            return request.path == "/away" ? redirect(302, "https://other.example/a") : answer(200)
        }
        let session = session(transport, policy: RetryPolicy(maximumAttempts: 1))
        var foreign = HTTPRequest.to("/away")
        if !isRedirected { foreign.authority = "other.example" }
        #expect(try await session.send(foreign).status.code == 429)
        #expect(try await session.send(.to("/b")).status.code == 200)
        #expect(clock.waits.isEmpty)
        #expect(try await session.send(foreign).status.code == 429)
        #expect(clock.waits == [.seconds(7)])
    }

    @Test("a request is signed when it goes, not before it waits")
    func signing() async throws {
        let transport = ScriptedTransport { _, number in
            number == 1 ? answer(429, [.retryAfter: "7"]) : answer(200)
        }
        let authenticator = TimeStamper(clock: clock, start: clock.now)
        let session = session(transport, authenticator: authenticator, policy: RetryPolicy(maximumAttempts: 1))
        _ = try await session.send(.to("/a"))
        _ = try await session.send(.to("/b"))
        #expect(transport.sent.map(\.authorization) == ["0", "7"])
    }
}

/// An authenticator whose proof is the time, in seconds.
private struct TimeStamper: HTTPAuthenticator {
    let clock: InstantClock
    let start: InstantClock.Instant

    func authorize(_ request: inout HTTPRequest) {
        request.headerFields[.authorization] = "\((clock.now - start).components.seconds)"
    }

    func renew(after response: HTTPResponse, of request: HTTPRequest) -> Bool { false }
}
