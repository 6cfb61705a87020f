import FerryCore
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Work that is tried again waits as policy, clock and random numbers say")
struct RetryStateTests {
    @Test("a wait is half of the delay or more, as the random number says", arguments: [(0.0, 700), (1.0, 1_400)])
    func jitter(number: Double, milliseconds: Int) async {
        let clock = SteppingClock()
        var policy = RetryPolicy(maximumAttempts: 4, firstDelay: .milliseconds(200))
        policy.random = { number }
        let retryState = RetryState(policy, outagePatience: .zero, clock: clock)
        await #expect(throws: URLError.self) {
            try await retryState.retrying { () async throws -> Void in throw URLError(.cannotConnectToHost) }
        }
        // 200, 400 and 800 ms, or half of that.
        #expect(clock.now.offset == .milliseconds(milliseconds))
    }
}
