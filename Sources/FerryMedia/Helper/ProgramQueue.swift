/// Keeps count of which caller has which program, which ones wait, and whether one more may be started.
///
/// It only decides; whoever asks acts.
struct ProgramQueue<Program: Sendable, Waiter: Sendable>: Sendable {
    /// The answer to a request for a program.
    enum Answer: Sendable {
        /// A program that has nothing to do.
        case use(Program)
        /// No program is free; one may be started, and counts already.
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
    /// The tickets of callers that were cancelled before they began to wait.
    private var gone: Set<UInt64> = []

    /// Begins with none.
    ///
    /// - Parameter limit: How many programs may run at the same time, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of callers that wait.
    var waitingCount: Int { waiting.count }

    /// Requests a program.
    ///
    /// - Returns: The answer; `nil` if the caller must wait.
    mutating func request() -> Answer? {
        if let last = idle.popLast() { return .use(last.program) }
        guard count < limit else { return nil }
        count += 1
        return .start
    }

    /// Makes a number for a caller that may have to wait.
    mutating func ticket() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Requests a program, and enters a waiter into the queue if there is none.
    ///
    /// - Parameters:
    ///   - id: The caller's ticket.
    ///   - waiter: The waiter to wake when there is a program.
    /// - Returns: The answer; `nil` if the waiter is in the queue, or the caller was cancelled before (`isGone`).
    mutating func wait(_ id: UInt64, _ waiter: Waiter) -> (answer: Answer?, isGone: Bool) {
        if gone.remove(id) != nil { return (nil, true) }
        if let answer = request() { return (answer, false) }
        waiting.append((id, waiter))
        return (nil, false)
    }

    /// Takes a caller out of the queue.
    ///
    /// - Parameter id: The caller's ticket.
    /// - Returns: The waiter; `nil` if it did not wait yet.
    mutating func leave(_ id: UInt64) -> Waiter? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            gone.insert(id)
            return nil
        }
        return waiting.remove(at: index).waiter
    }

    /// Ends the validity of a ticket: its caller has got an answer.
    mutating func forget(_ id: UInt64) {
        gone.remove(id)
    }

    /// Takes back a program that has done its job.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - now: The time.
    /// - Returns: The waiter that has waited longest, and gets the program; `nil` if nobody waits.
    mutating func finished(_ program: Program, at now: ContinuousClock.Instant) -> Waiter? {
        guard !waiting.isEmpty else {
            idle.append((program, now))
            return nil
        }
        return waiting.removeFirst().waiter
    }

    /// Notes that a program has ended, or could not be started.
    ///
    /// - Returns: The waiter that has waited longest, and may start another program, which counts already.
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
