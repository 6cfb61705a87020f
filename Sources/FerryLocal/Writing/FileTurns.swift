import Synchronization

/// Has those that write to one file take turns on one thread.
///
/// The kernel writes to a file for one thread at a time, and has the others wait with a processor each that somebody else
/// could use.
final class FileTurns: Sendable {
    /// The state that those who write to one file share.
    final class Turn: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Bool] = []
            var isWorking = false
        }

        private let pool: BlockingPool
        private let state = Mutex(State())

        fileprivate init(_ pool: BlockingPool) {
            self.pool = pool
        }

        /// Does something on a thread that does nothing else for the file meanwhile.
        ///
        /// - Parameter step: Work that may block; returns whether there is more of it. The others come first then.
        func start(_ step: @escaping @Sendable () -> Bool) {
            let mustStart = state.withLock { state in
                state.waiting.append(step)
                defer { state.isWorking = true }
                return !state.isWorking
            }
            if mustStart { pool.start { self.work() } }
        }

        private func work() {
            var unfinished: (@Sendable () -> Bool)?
            while let step = next(unfinished) { unfinished = step() ? step : nil }
        }

        private func next(_ unfinished: (@Sendable () -> Bool)?) -> (@Sendable () -> Bool)? {
            state.withLock { state in
                if let unfinished { state.waiting.append(unfinished) }
                guard !state.waiting.isEmpty else {
                    state.isWorking = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
        }
    }

    private struct Entry {
        weak var turn: Turn?
    }

    private let pool: BlockingPool
    private let entries = Mutex<[RawName: Entry]>([:])

    /// Makes an empty table.
    ///
    /// - Parameter pool: The threads that write.
    init(_ pool: BlockingPool) {
        self.pool = pool
    }

    /// The turn of a file.
    ///
    /// - Parameter name: The file's name, which no other has.
    /// - Returns: The same one for all who ask while somebody holds it.
    func turn(of name: RawName) -> Turn {
        entries.withLock { entries in
            if let turn = entries[name]?.turn { return turn }
            entries = entries.filter { $0.value.turn != nil }
            let turn = Turn(pool)
            entries[name] = Entry(turn: turn)
            return turn
        }
    }
}
