import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("A Nextcloud provider waits on the clock that it is given, and asks it for the time of day")
struct NextcloudClockTests {
    @Test("two items of one name are removed in different seconds")
    func removals() async throws {
        let clock = InstantClock()
        let begin = clock.now
        let start = Date(timeIntervalSince1970: 1_800_000_000.25)
        let now: @Sendable () -> Date = { start + (clock.now - begin) / .seconds(1) }
        let files = try NextcloudLine.provider(
            try #require(URL(string: "http://127.0.0.1:1/")),
            NextcloudServerFacts(),
            MemoryUploadSessionStore(),
            clock: clock,
            now: now
        )
        var seconds: [Int] = []
        for _ in 1...2 {
            try await files.avoidingClash(of: "/a") { seconds.append(Int(now().timeIntervalSince1970)) }
        }
        #expect(seconds == [1_800_000_000, 1_800_000_001])
        #expect(clock.waits == Array(repeating: .milliseconds(100), count: 8))
        await files.invalidate()
    }

    @Test("a short wait is as long as the session's random number says", arguments: [(0.0, 10), (1.0, 20)])
    func random(number: Double, milliseconds: Int) async throws {
        let clock = InstantClock()
        var policy = RetryPolicy()
        policy.random = { number }
        let environment = FileProviderEnvironment()
        let session = HTTPSession(
            transport: NIOTransport(),
            retryPolicy: policy,
            logger: environment.logger,
            clock: clock
        )
        let connection = try WebDAVConnection(
            baseURL: try #require(URL(string: "http://127.0.0.1:1/")),
            session: session,
            environment: environment,
            clock: clock
        )
        try await connection.waitBriefly(attempt: 1)
        #expect(clock.waits == [.milliseconds(milliseconds)])
        await session.invalidate()
    }
}
