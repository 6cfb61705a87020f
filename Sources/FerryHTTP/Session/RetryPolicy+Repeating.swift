package import FerryCore

extension RetryPolicy {
    /// Does work, and does it again after failures that may pass.
    ///
    /// - Parameters:
    ///   - attempts: Tries in all, the first included; `nil` for ``maximumAttempts``.
    ///   - clock: The clock that waits between two tries.
    ///   - mayPass: Returns `true` for an error after which another try makes sense.
    ///   - body: The work.
    /// - Returns: The result of the body.
    /// - Throws: The last error of the body; at once one after which the server wants no request for too long.
    package func repeating<Value>(
        attempts: Int? = nil,
        clock: any Clock<Duration>,
        where mayPass: (any Error) -> Bool,
        _ body: () async throws -> Value
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch let error where mayPass(error) {
                guard attempt < attempts ?? maximumAttempts, !isTooSoon(after: error) else { throw error }
                try await wait(after: error, attempt: attempt, clock: clock)
                attempt += 1
            }
        }
    }

    /// Does work that must not be done twice: after an answer that was lost, it checks whether the work was done.
    ///
    /// - Parameters:
    ///   - clock: The clock that waits between two tries.
    ///   - repeats: A Boolean value that indicates whether it is done again if it was not done.
    ///   - mayHaveBeenDone: Returns whether the work may be done in spite of an error.
    ///   - body: The work.
    ///   - outcome: Returns what the body would have, if it was done after all; `nil` if it was not.
    /// - Returns: The result of the body, or the outcome.
    /// - Throws: The last error of the body, also where it can't be found out whether the work was done.
    package func onceOnly<Value>(
        clock: any Clock<Duration>,
        repeats: Bool,
        mayHaveBeenDone: (any Error) -> Bool,
        _ body: () async throws -> Value,
        outcome: () async throws -> Value?
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch let failure where mayHaveBeenDone(failure) {
                let found: Value?
                do {
                    found = try await outcome()
                } catch let cancellation as CancellationError {
                    throw cancellation
                } catch {
                    // An item that could not be looked at is no proof of anything.
                    throw failure
                }
                if let found { return found }
                guard repeats, attempt < maximumAttempts, !isTooSoon(after: failure) else { throw failure }
                try await wait(after: failure, attempt: attempt, clock: clock)
                attempt += 1
            }
        }
    }

    /// Waits before a further try.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - attempt: The number of the try that failed, from 1.
    ///   - clock: The clock that waits.
    /// - Throws: `CancellationError`.
    package func wait(after error: any Error, attempt: Int, clock: any Clock<Duration>) async throws {
        try await clock.sleep(for: delay(afterAttempt: attempt, error: error))
    }
}
