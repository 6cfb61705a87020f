import Synchronization

/// Lets the threads that write to one file take turns.
///
/// The kernel writes to a file for one of them at a time, and has the others wait with a processor each that somebody else
/// could use.
final class FileTurns: Sendable {
    /// What the threads that write to one file share.
    final class Turn: Sendable {
        private let lock = Mutex(())

        /// Does something that nobody else does to the file at the same time.
        ///
        /// - Parameter body: What to do, on a thread that may wait.
        /// - Throws: What it throws.
        func take(_ body: () throws -> Void) throws {
            try lock.withLock { _ in try body() }
        }
    }

    private struct Entry {
        weak var turn: Turn?
    }

    private let entries = Mutex<[RawName: Entry]>([:])

    /// The turn of a file.
    ///
    /// - Parameter name: The file's name, which no other has.
    /// - Returns: The same one for all who ask while somebody holds it.
    func turn(of name: RawName) -> Turn {
        entries.withLock { entries in
            if let turn = entries[name]?.turn { return turn }
            entries = entries.filter { $0.value.turn != nil }
            let turn = Turn()
            entries[name] = Entry(turn: turn)
            return turn
        }
    }
}
