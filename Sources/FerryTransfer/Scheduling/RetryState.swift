import FerryCore
import Foundation
import Synchronization

/// Decides what is tried again, and when; shared by all that a transfer does at the same time.
final class RetryState: Sendable {
    /// How often something was tried.
    struct Trial: Sendable {
        /// The number of the try, from 1.
        var attempt = 1
        /// How long was waited before it, all waits together.
        var waited = Duration.zero
    }

    private struct State {
        /// Repetitions that are left; `nil` for any number.
        var budget: Int?
        /// Somebody has waited for a storage in vain, and nothing has gone well since.
        var hasGivenUp = false
        /// Answers of a storage that it has too much to do, which nobody has taken notice of yet.
        var overloads = 0
    }

    /// The longest wait between two tries to reach a storage.
    private static let longestOutageDelay = Duration.seconds(5)
    /// The longest wait that a storage may ask for; one that wants more is given up.
    private static let longestHint = Duration.seconds(15 * 60)

    private let policy: RetryPolicy
    private let outagePatience: Duration
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// Makes one.
    ///
    /// - Parameters:
    ///   - policy: How often and when.
    ///   - outagePatience: How long a storage is waited for that can't be reached.
    ///   - clock: The clock to wait on.
    init(
        _ policy: RetryPolicy,
        outagePatience: Duration,
        clock: any Clock<Duration>
    ) {
        self.policy = policy
        self.outagePatience = outagePatience
        self.clock = clock
        state = Mutex(State(budget: policy.budget))
    }

    /// Waits before another try.
    ///
    /// - Parameters:
    ///   - trial: The try that failed.
    ///   - error: Why.
    /// - Returns: The next try; `nil`, and nothing was waited for, if there shall be none.
    /// - Throws: `CancellationError`.
    func next(after trial: Trial, _ error: any Error) async throws -> Trial? {
        guard let delay = delay(after: trial, error) else { return nil }
        try await clock.sleep(for: delay)
        return Trial(attempt: trial.attempt + 1, waited: trial.waited + delay)
    }

    /// Does something that only reads, until it goes well.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: The last error.
    func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        var trial = Trial()
        while true {
            do {
                let result = try await body()
                succeeded()
                return result
            } catch {
                if Self.meansOverload(error) { noteOverload() }
                guard let next = try await next(after: trial, error) else { throw error }
                trial = next
            }
        }
    }

    /// Something went well: the storages can be reached.
    func succeeded() {
        state.withLock { $0.hasGivenUp = false }
    }

    /// A storage has said that it has too much to do.
    func noteOverload() {
        state.withLock { $0.overloads += 1 }
    }

    /// Returns whether a storage has said that it has too much to do, since this was last asked.
    func takeOverload() -> Bool {
        state.withLock { state in
            defer { state.overloads = 0 }
            return state.overloads > 0
        }
    }

    private func delay(after trial: Trial, _ error: any Error) -> Duration? {
        guard !(error is CancellationError), policy.maximumAttempts > 1, policy.isTransient(error) else { return nil }
        let isOutage = Self.meansOutage(error)
        let mayGoOn = state.withLock { state in
            if trial.attempt >= policy.maximumAttempts {
                guard isOutage, !state.hasGivenUp, trial.waited < outagePatience else {
                    if isOutage { state.hasGivenUp = true }
                    return false
                }
                return true
            }
            if let budget = state.budget {
                guard budget > 0 else { return false }
                state.budget = budget - 1
            }
            return true
        }
        guard mayGoOn else { return nil }
        // A client that comes back before the time that was named is only refused again, and may be shut out.
        if let hint = RetryPolicy.hint(of: error), hint > policy.longestDelay {
            return hint <= Self.longestHint ? hint : nil
        }
        let delay = policy.delay(afterAttempt: trial.attempt, error: error)
        return isOutage ? min(delay, Self.longestOutageDelay) : delay
    }

    // MARK: Meaning of errors

    /// Too many requests, or no answer in time (RFC 6585 §4, RFC 9110 §15.6.4).
    static func meansOverload(_ error: any Error) -> Bool {
        if (error as? URLError)?.code == .timedOut { return true }
        return error.serverAnswer.map { $0.statusCode == 429 || $0.statusCode == 503 } ?? false
    }

    /// Nothing answers there.
    private static func meansOutage(_ error: any Error) -> Bool {
        switch (error as? URLError)?.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
            .timedOut:
            true
        default: false
        }
    }
}
