import Synchronization

/// The questions that a storage has not answered yet, so that a person can be told what is waited for.
package final class WaitWatch: Sendable {
    /// A question without an answer.
    package struct Wait: Sendable, Hashable {
        /// The number of the question, which no other one has.
        package let id: UInt64
        /// The question: `PROPFIND`.
        package let question: String
        /// The name of who was asked: `example.org`.
        package let host: String
        /// The time at which it was asked.
        package let start: ContinuousClock.Instant
    }

    private struct State {
        var count: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
    }

    private let state = Mutex(State())

    /// Makes a watch.
    package init() {}

    /// Notes a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - host: The name of who is asked.
    /// - Returns: The number of the question.
    package func begin(_ question: String, host: String) -> UInt64 {
        let start = ContinuousClock.now
        return state.withLock { state in
            state.count += 1
            state.waits[state.count] = Wait(id: state.count, question: question, host: host, start: start)
            return state.count
        }
    }

    /// Notes that an answer has come, or none will.
    ///
    /// - Parameter id: The number of the question.
    package func end(_ id: UInt64) {
        state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    /// The questions that have had no answer for some time.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - now: The present moment.
    /// - Returns: The questions, the oldest first.
    package func waits(longerThan time: Duration, now: ContinuousClock.Instant = .now) -> [Wait] {
        state.withLock { state in
            state.waits.values.filter { now - $0.start >= time }.sorted { $0.id < $1.id }
        }
    }
}
