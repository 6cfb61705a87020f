import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("Work that is repeated")
struct RepeatingTests {
    private struct Passing: Error {}

    private struct Outcome: Equatable {
        var tries: Int
        var isDone: Bool
    }

    private func outcome(
        failing failures: Int,
        with error: any Error = Passing(),
        attempts: Int? = nil,
        clock: InstantClock = InstantClock()
    ) async -> Outcome {
        let policy = RetryPolicy(maximumAttempts: 3, longestDelay: .seconds(10))
        var count = 0
        do {
            try await policy.repeating(attempts: attempts, clock: clock, where: { !($0 is CancellationError) }) {
                count += 1
                if count <= failures { throw error }
            }
            return Outcome(tries: count, isDone: true)
        } catch {
            return Outcome(tries: count, isDone: false)
        }
    }

    @Test(
        "is tried until it goes well, as often as the policy or the caller says",
        arguments: [
            (0, nil, 1, true), (2, nil, 3, true), (3, nil, 3, false), (4, 5, 5, true), (1, 1, 1, false),
        ] as [(Int, Int?, Int, Bool)]
    )
    func attempts(failures: Int, attempts: Int?, count: Int, isDone: Bool) async {
        let clock = InstantClock()
        let outcome = await outcome(failing: failures, attempts: attempts, clock: clock)
        #expect(outcome == Outcome(tries: count, isDone: isDone))
        #expect(clock.waits.count == count - 1)
    }

    @Test("ends at once with an error that does not pass, or that asks for a longer wait than the policy allows")
    func endings() async {
        #expect(await outcome(failing: 1, with: CancellationError()) == Outcome(tries: 1, isDone: false))
        let busy = HTTPServerError(.tooManyRequests, path: .root, retryAfter: .seconds(11))
        #expect(await outcome(failing: 1, with: busy) == Outcome(tries: 1, isDone: false))
        // The wait that a server asks for is found in an error of the table, too.
        #expect(await outcome(failing: 1, with: busy.mapped()) == Outcome(tries: 1, isDone: false))
    }

    @Test("waits for as long as the server asks")
    func hint() async {
        let clock = InstantClock()
        let busy = HTTPServerError(.tooManyRequests, path: .root, retryAfter: .seconds(9))
        #expect(await outcome(failing: 1, with: busy.mapped(), clock: clock) == Outcome(tries: 2, isDone: true))
        #expect(clock.waits == [.seconds(9)])
    }
}

@Suite("The tokens of pages")
struct PageTokensTests {
    @Test("end a listing that comes back to a page, the first included")
    func repeated() {
        var tokens = PageTokens(first: "a")
        #expect(tokens.note("b", afterEmptyPage: false) == nil)
        #expect(tokens.note("b", afterEmptyPage: false) == .repeated)
        #expect(tokens.note("a", afterEmptyPage: false) == .repeated)
    }

    @Test("end a listing of which no page has anything, but not one with empty pages in between")
    func empty() {
        var tokens = PageTokens()
        var faults = (0..<2_500).map { tokens.note("\($0)", afterEmptyPage: $0 % 900 != 0) }
        #expect(faults.allSatisfy { $0 == nil })
        faults = (2_500..<3_500).map { tokens.note("\($0)", afterEmptyPage: true) }
        #expect(faults.contains(.endless))
    }
}
