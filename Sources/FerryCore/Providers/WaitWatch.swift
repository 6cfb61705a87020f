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
        /// The time since which the response is waited for.
        package fileprivate(set) var start: ContinuousClock.Instant
    }

    private struct State {
        var count: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
        var paused: Set<UInt64> = []
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
        state.withLock { state in
            state.waits.removeValue(forKey: id)
            state.paused.remove(id)
        }
    }

    /// Notes that the next part of a request is being made: no response is waited for meanwhile.
    ///
    /// - Parameter id: The number of the question.
    package func pause(_ id: UInt64) {
        state.withLock { state in
            if state.waits[id] != nil { state.paused.insert(id) }
        }
    }

    /// Notes that a part of a request has been made: the wait for the response begins again.
    ///
    /// - Parameter id: The number of the question.
    package func resume(_ id: UInt64) {
        let start = ContinuousClock.now
        state.withLock { state in
            state.waits[id]?.start = start
            state.paused.remove(id)
        }
    }

    /// The questions that have had no answer for some time.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - now: The present moment.
    /// - Returns: The questions, those that are waited for longest first.
    package func waits(longerThan time: Duration, now: ContinuousClock.Instant = .now) -> [Wait] {
        state.withLock { state in
            state.waits.values
                .filter { now - $0.start >= time && !state.paused.contains($0.id) }
                .sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        }
    }
}
