import Foundation
import Synchronization

/// Lets bytes pass as fast as a limit allows: a bucket that fills with time, for all files of a job together.
final class Pacer: Sendable {
    private struct State {
        /// Bytes that may pass at once; what has passed too early is owed.
        var tokens = 0.0
        var looked: Duration
    }

    /// The seconds whose share of bytes can be saved up.
    private static let burst = 0.1
    /// A wait is looked at again after so long, since the rate may be another then.
    private static let longestWait = 1.0

    private let limit: BandwidthLimit
    private let direction: BandwidthLimit.Direction
    private let calendar: Calendar
    private let begin: Date
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state: Mutex<State>

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - limit: How fast bytes may pass.
    ///   - direction: Which way.
    ///   - clock: The clock to wait on.
    ///   - begin: The time by which the limit goes, as of now.
    ///   - calendar: Says what time of the week it is.
    init(
        _ limit: BandwidthLimit,
        _ direction: BandwidthLimit.Direction,
        clock: some Clock<Duration>,
        begin: Date = Date(),
        calendar: Calendar = .current
    ) {
        self.limit = limit
        self.direction = direction
        self.calendar = calendar
        self.begin = begin
        elapsed = clock.measure()
        sleep = { try await clock.sleep(for: $0) }
        state = Mutex(State(looked: .zero))
    }

    /// Waits until some bytes may pass.
    ///
    /// - Parameter bytes: How many.
    /// - Throws: `CancellationError`.
    func pass(_ bytes: Int) async throws {
        var wait = look(taking: Double(bytes))
        while let seconds = wait {
            try await sleep(.seconds(min(seconds, Self.longestWait)))
            wait = look(taking: 0)
        }
    }

    /// Takes bytes from the bucket.
    ///
    /// - Returns: Seconds until nothing is owed any more; `nil` if nothing is.
    private func look(taking bytes: Double) -> Double? {
        let now = elapsed()
        let rate = limit.rate(at: begin.addingTimeInterval(now / .seconds(1)), direction, calendar: calendar)
        return state.withLock { state in
            let passed = (now - state.looked) / .seconds(1)
            state.looked = now
            guard let rate = rate.map(Double.init) else {
                state.tokens = 0
                return nil
            }
            state.tokens = min(rate * Self.burst, state.tokens + passed * rate) - bytes
            return state.tokens < 0 ? -state.tokens / rate : nil
        }
    }
}

/// How fast a job may be, both ways.
struct Pacing: Sendable {
    private let pacers: [Pacer]

    /// Makes what a job needs.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - readsAway: `true` if the source is not of this machine.
    ///   - writesAway: `true` if the target is not of this machine.
    ///   - clock: The clock to wait on.
    init(_ limit: BandwidthLimit, readsAway: Bool, writesAway: Bool, clock: any Clock<Duration>) {
        var pacers: [Pacer] = []
        if readsAway { pacers.append(Self.pacer(limit, .down, clock)) }
        if writesAway { pacers.append(Self.pacer(limit, .up, clock)) }
        // Between two disks there is one stream only: it is slowed down as what is sent.
        if pacers.isEmpty { pacers = [Self.pacer(limit, .up, clock)] }
        self.pacers = pacers
    }

    private static func pacer(
        _ limit: BandwidthLimit,
        _ direction: BandwidthLimit.Direction,
        _ clock: some Clock<Duration>
    ) -> Pacer {
        Pacer(limit, direction, clock: clock)
    }

    /// Waits until some bytes may pass.
    func pass(_ bytes: Int) async throws {
        for pacer in pacers { try await pacer.pass(bytes) }
    }
}
