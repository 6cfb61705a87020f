import Foundation

/// The end of waiting for a program: time in which other programs had the processor doesn't count.
struct ProgramDeadline {
    /// The activity of a program so far.
    struct Activity: Sendable, Hashable {
        /// Time of the processor that it has used.
        var used: Duration
        /// A Boolean value that indicates whether it would go on if it had a processor, or data that the disk is reading.
        var isReady: Bool
    }

    private let limit: Duration
    private let start: ContinuousClock.Instant
    private let first: Activity?
    private var last: Activity?
    /// Looks in a row at which it did nothing.
    private var idleLooks = 0

    /// How many times its time a program can take on a machine that has other things to do.
    private static let mostTimes = 12
    /// The number of looks in a row without any work after which a program counts as idle.
    ///
    /// A program that can run has done some by then, however busy the machine is.
    private static let mostIdleLooks = 5

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
    /// - Returns: `false` if it has used its time, does nothing at several looks in a row, or takes far too long.
    mutating func allowsMore(_ activity: Activity?, at now: ContinuousClock.Instant) -> Bool {
        guard let activity, let first, let last, start.duration(to: now) < limit * Self.mostTimes else { return false }
        self.last = activity
        idleLooks = activity.isReady || activity.used > last.used ? 0 : idleLooks + 1
        return idleLooks < Self.mostIdleLooks && activity.used - first.used < limit
    }

    /// Returns the part of its limit that a program has taken.
    ///
    /// - Parameters:
    ///   - activity: The program's activity by now.
    ///   - now: The time.
    /// - Returns: Its time of the processor, but no less than what makes ``mostTimes`` times the limit the end; all time
    ///   that has passed if the system doesn't say.
    func taken(_ activity: Activity?, at now: ContinuousClock.Instant) -> Duration {
        let elapsed = start.duration(to: now)
        guard let activity, let first else { return elapsed }
        return max(activity.used - first.used, elapsed / Self.mostTimes)
    }
}

extension ProgramDeadline.Activity {
    /// Asks the system: proc_pid_stat(5); `nil` if it doesn't say.
    ///
    /// Darwin, which has no `/proc`, says a program's time only to those who may trace it.
    ///
    /// - Parameter pid: The number of the program's process.
    init?(of pid: Int32) {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
            // The name before the state is in brackets, and may hold some itself.
            let name = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: line[name...].dropFirst(2), as: UTF8.self).split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        let perSecond = max(1, Int(sysconf(CInt(_SC_CLK_TCK))))
        used = .milliseconds(1000 * (user + system) / perSecond)
        isReady = fields[0] == "R" || fields[0] == "D"
    }
}
