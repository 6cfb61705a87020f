import FerryCore

/// Tries again what may go better the next time.
struct Patience: Sendable {
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>

    /// Makes one.
    ///
    /// - Parameters:
    ///   - policy: How often and when.
    ///   - clock: What waits.
    init(_ policy: RetryPolicy, clock: any Clock<Duration>) {
        self.policy = policy
        self.clock = clock
    }

    /// Waits before another try.
    ///
    /// - Parameters:
    ///   - attempt: The number of the try that failed, from 1.
    ///   - error: Why.
    /// - Returns: `false`, and nothing was waited for, if there shall be no further try.
    /// - Throws: `CancellationError`.
    func waits(afterAttempt attempt: Int, _ error: any Error) async throws -> Bool {
        guard !(error is CancellationError), attempt < policy.maximumAttempts, policy.isTransient(error) else {
            return false
        }
        try await clock.sleep(for: policy.delay(afterAttempt: attempt, error: error, jitter: .random(in: 0...1)))
        return true
    }

    /// Does something that only reads, until it goes well.
    ///
    /// - Parameter body: What to do.
    /// - Returns: What it returns.
    /// - Throws: The last error.
    func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch {
                guard try await waits(afterAttempt: attempt, error) else { throw error }
                attempt += 1
            }
        }
    }
}
