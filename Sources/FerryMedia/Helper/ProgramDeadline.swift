/// The end of waiting for a program: time in which other programs had the processor doesn't count.
struct ProgramDeadline {
    /// The activity of a program so far.
    struct Activity: Sendable, Hashable {
        /// Time of the processor that it has used.
        var used: Duration
        /// Indicates whether it would go on if only it had a processor.
        var isReady: Bool
    }

    private let limit: Duration
    private let start: ContinuousClock.Instant
    private let first: Activity?
    private var last: Activity?

    /// How many times its time a program can take on a machine that has other things to do.
    private static let mostTimes = 12

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - limit: The time that the program has.
    ///   - activity: The program's activity before; `nil` if the system doesn't tell.
    ///   - start: The time.
    init(limit: Duration, activity: Activity?, start: ContinuousClock.Instant) {
        self.limit = limit
        self.start = start
        first = activity
        last = activity
    }

    /// Returns whether a program that has not answered in time is waited for a little longer.
    ///
    /// - Parameters:
    ///   - activity: The program's activity by now.
    ///   - now: The time.
    /// - Returns: `false` if it has used its time, does nothing, or takes far too long.
    mutating func allowsMore(_ activity: Activity?, at now: ContinuousClock.Instant) -> Bool {
        guard let activity, let first, let last, start.duration(to: now) < limit * Self.mostTimes else { return false }
        self.last = activity
        let isWorking = activity.isReady || activity.used > last.used
        return isWorking && activity.used - first.used < limit
    }
}
