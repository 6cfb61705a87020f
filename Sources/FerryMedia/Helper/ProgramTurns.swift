/// Keeps count of which caller has which program, which ones wait, and whether one more may be started.
///
/// It only decides; whoever asks acts.
struct ProgramTurns<Program: Sendable, Waiter: Sendable>: Sendable {
    /// The turn of somebody who wants a program.
    enum Turn: Sendable {
        /// One that has nothing to do.
        case use(Program)
        /// None; one may be started, and counts already.
        case start
    }

    /// How many programs may run at the same time.
    let limit: Int

    /// Programs that have nothing to do, with the time since when; the last one was used last.
    private(set) var idle: [(program: Program, since: ContinuousClock.Instant)] = []
    /// Programs that run, or are about to.
    private(set) var count = 0
    private var waiting: [(id: UInt64, waiter: Waiter)] = []
    private var lastID: UInt64 = 0
    /// Those who stopped waiting before they began.
    private var gone: Set<UInt64> = []

    /// Begins with none.
    ///
    /// - Parameter limit: How many programs may run at the same time, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many wait.
    var waitingCount: Int { waiting.count }

    /// Somebody wants a program.
    ///
    /// - Returns: Their turn; `nil` if they must wait.
    mutating func request() -> Turn? {
        if let last = idle.popLast() { return .use(last.program) }
        guard count < limit else { return nil }
        count += 1
        return .start
    }

    /// A number for somebody who may wait.
    mutating func ticket() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Somebody waits, unless there is something for them by now.
    ///
    /// - Parameters:
    ///   - id: Their ticket.
    ///   - waiter: The waiter to wake when it is their turn.
    /// - Returns: Their turn, if they need not wait; `isGone` if they have stopped already.
    mutating func wait(_ id: UInt64, _ waiter: Waiter) -> (turn: Turn?, isGone: Bool) {
        if gone.remove(id) != nil { return (nil, true) }
        if let turn = request() { return (turn, false) }
        waiting.append((id, waiter))
        return (nil, false)
    }

    /// Somebody stops waiting.
    ///
    /// - Parameter id: Their ticket.
    /// - Returns: The waiter; `nil` if they did not wait yet.
    mutating func leave(_ id: UInt64) -> Waiter? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            gone.insert(id)
            return nil
        }
        return waiting.remove(at: index).waiter
    }

    /// Somebody who had a ticket has what they want, and can't leave any more.
    mutating func forget(_ id: UInt64) {
        gone.remove(id)
    }

    /// A program has done its job.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - now: The time.
    /// - Returns: The waiter who has waited longest, and gets it; `nil` if it has nothing to do now.
    mutating func finished(_ program: Program, at now: ContinuousClock.Instant) -> Waiter? {
        guard !waiting.isEmpty else {
            idle.append((program, now))
            return nil
        }
        return waiting.removeFirst().waiter
    }

    /// A program is no more.
    ///
    /// - Returns: The waiter who has waited longest, and may start another, which counts already.
    mutating func ended() -> Waiter? {
        count -= 1
        guard !waiting.isEmpty, count < limit else { return nil }
        count += 1
        return waiting.removeFirst().waiter
    }

    /// Takes programs that have had nothing to do for a while.
    ///
    /// - Parameter time: Since when, at least.
    /// - Returns: Programs that are to be ended, and count no more.
    mutating func takeIdle(since time: ContinuousClock.Instant) -> [Program] {
        let old = idle.filter { $0.since <= time }.map(\.program)
        idle.removeAll { $0.since <= time }
        count -= old.count
        return old
    }
}
