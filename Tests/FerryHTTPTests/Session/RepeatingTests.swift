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

    @Test("waits for half of the delay or more, as the policy's random number says", arguments: [(0.0, 1), (1.0, 2)])
    func random(number: Double, factor: Int) async {
        var policy = RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(200))
        policy.random = { number }
        let clock = InstantClock()
        await #expect(throws: Passing.self) {
            try await policy.repeating(clock: clock, where: { $0 is Passing }) { () async throws -> Void in
                throw Passing()
            }
        }
        #expect(clock.waits == [.milliseconds(100 * factor), .milliseconds(200 * factor)])
    }
}

@Suite("Work that must not be done twice")
struct OnceOnlyTests {
    private struct Lost: Error {}

    private func run(
        doneAt tries: Int?,
        repeats: Bool = true,
        looking: @escaping @Sendable () throws -> Void = {}
    ) async throws -> (result: String, tries: Int) {
        let policy = RetryPolicy(maximumAttempts: 3, firstDelay: .zero)
        var count = 0
        let result = try await policy.onceOnly(
            clock: ContinuousClock(),
            repeats: repeats,
            mayHaveBeenDone: { $0 is Lost }
        ) { () async throws -> String in
            count += 1
            throw Lost()
        } outcome: { () async throws -> String? in
            try looking()
            guard let tries, count >= tries else { return nil }
            return "found"
        }
        return (result, count)
    }

    @Test("is found after a lost answer, and repeated only while it is not there, as often as the policy says")
    func looked() async throws {
        #expect(try await run(doneAt: 1) == ("found", 1))
        #expect(try await run(doneAt: 2) == ("found", 2))
        await #expect(throws: Lost.self) { try await run(doneAt: nil) }
        await #expect(throws: Lost.self) { try await run(doneAt: 2, repeats: false) }
    }

    @Test("is not repeated where nobody can say whether it was done")
    func unseen() async {
        await #expect(throws: Lost.self) { try await run(doneAt: 2) { throw URLError(.timedOut) } }
    }
}
