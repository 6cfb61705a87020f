package import FerryCore
import Foundation

/// Repeats the requests that keep an item before it is removed or replaced, and those that undo, while a storage is busy or
/// can't be reached.
///
/// A provider repeats its requests itself, but gives up soon: some services want to be left alone for minutes.
package struct UndoRetries: Sendable {
    /// The longest wait that a storage may ask for; one that wants more is given up.
    private static let longestHint = Duration.seconds(15 * 60)

    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let onWait: (@Sendable (Duration) -> Void)?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - policy: How often, and when.
    ///   - clock: The clock to wait on.
    ///   - onWait: Called before each wait, with how long it is.
    package init(
        policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        onWait: (@Sendable (Duration) -> Void)? = nil
    ) {
        self.policy = policy
        self.clock = clock
        self.onWait = onWait
    }

    /// Returns whether a storage only refuses to work for a while: another way to keep an item is then no better.
    ///
    /// - Parameter error: The error.
    /// - Returns: `false` also for 500 and 502, with which some servers answer each time what they can't do.
    static func isPassing(_ error: any Error) -> Bool {
        guard RetryPolicy.isTransient(error) else { return false }
        return error.serverAnswer.map { ![500, 502].contains($0.statusCode) } ?? true
    }

    /// Does something until it goes well, or fails for good.
    ///
    /// - Parameter body: The work; it gets the number of the try, from 1.
    /// - Returns: The value that the work returns.
    /// - Throws: The last error.
    package func run<Result>(_ body: (_ attempt: Int) async throws -> Result) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await body(attempt)
            } catch {
                guard let delay = delay(after: attempt, error) else { throw error }
                onWait?(delay)
                try await clock.sleep(for: delay)
                attempt += 1
            }
        }
    }

    /// Does something that only reads, again where the storage has answered that it can't now.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: The last error; that the storage can't be reached, at once.
    package func reading<Result>(_ body: () async throws -> Result) async throws -> Result {
        let outcome: Swift.Result<Result, any Error> = try await run { _ in
            do {
                return .success(try await body())
            } catch  where error.serverAnswer == nil {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func delay(after attempt: Int, _ error: any Error) -> Duration? {
        guard attempt < policy.maximumAttempts, policy.isTransient(error) else { return nil }
        if let hint = RetryPolicy.hint(of: error) { return hint <= Self.longestHint ? hint : nil }
        return policy.delay(afterAttempt: attempt, error: error)
    }
}

extension Error {
    /// Indicates whether a storage may still carry out the request that failed with it: nobody knows, since no answer came.
    var mayStillBeDone: Bool {
        self is CancellationError || [.timedOut, .networkConnectionLost].contains((self as? URLError)?.code)
    }
}
