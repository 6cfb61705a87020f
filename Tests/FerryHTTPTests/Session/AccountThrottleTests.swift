import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("Requests of an account wait when one of them is refused for all")
struct AccountThrottleTests {
    private func wait(after status: Int, _ field: String?, longest: Duration = .seconds(60)) async throws -> Duration {
        let clock = InstantClock()
        let start = clock.now
        // The time of day passes only while somebody waits.
        let now = { @Sendable in Date(timeIntervalSince1970: 1_000_000 + (clock.now - start) / .seconds(1)) }
        let throttle = AccountThrottle(longestDelay: longest, clock: clock, now: now)
        var fields = HTTPFields()
        fields[.retryAfter] = field
        let transport = ThrottledTransport(
            transport: ScriptedTransport { [fields] _, number in number == 1 ? answer(status, fields) : answer(200) },
            throttle: throttle,
            now: now
        )
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        #expect(try await transport.send(request, body: nil).status.code == status)
        #expect(try await transport.send(request, body: nil).status.code == 200)
        return clock.now - start
    }

    @Test(
        "as long as Retry-After says, in seconds or as a date, and not at all for other answers",
        arguments: [
            (429, "7", 7), (503, "7", 7), (429, "Mon, 12 Jan 1970 13:46:50 GMT", 10), (429, nil, 0), (500, "7", 0),
            (200, "7", 0), (429, "0", 0),
        ] as [(Int, String?, Int)]
    )
    func waits(status: Int, field: String?, seconds: Int) async throws {
        #expect(try await wait(after: status, field) == .seconds(seconds))
    }

    @Test("a longer time than a request waits is an error at once, with that time")
    func tooLong() async {
        await #expect(throws: URLError.self) { try await wait(after: 429, "61") }
    }
}
