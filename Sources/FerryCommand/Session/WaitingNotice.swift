import FerryCore

/// Tells a person at a terminal what is waited for, when a server thinks for long.
struct WaitingNotice: Sendable {
    /// A server that has not answered for so long is told of.
    static let threshold = Duration.seconds(10)

    private let watch: WaitWatch
    private let console: Console

    /// Prepares a notice.
    ///
    /// - Parameters:
    ///   - watch: The questions that have no answer.
    ///   - console: The terminal.
    init(_ watch: WaitWatch, on console: Console) {
        self.watch = watch
        self.console = console
    }

    /// Looks once a second, until the task is cancelled; each server is told of once a minute at most.
    ///
    /// - Parameter clock: The clock that waits.
    func run(clock: any Clock<Duration> = ContinuousClock()) async {
        var told: [String: ContinuousClock.Instant] = [:]
        while !Task.isCancelled {
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
            for wait in watch.waits(longerThan: Self.threshold) {
                if let last = told[wait.host], .now - last < .seconds(60) { continue }
                told[wait.host] = .now
                console.tell(Self.line(wait, now: .now))
            }
        }
    }

    /// The line for a question.
    ///
    /// - Parameters:
    ///   - wait: The question.
    ///   - now: The present moment.
    /// - Returns: One line.
    static func line(_ wait: WaitWatch.Wait, now: ContinuousClock.Instant) -> String {
        let seconds = (now - wait.start).components.seconds
        let words = "ferry: \(wait.host) has not answered for \(seconds) s (\(wait.question)); still waiting"
        return TerminalText.oneLine(words)
    }
}
