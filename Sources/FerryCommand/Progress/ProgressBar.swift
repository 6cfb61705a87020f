import FerryCore
import Foundation

/// Shows how far a long operation is, to a person who waits at a terminal.
enum ProgressBar {
    /// The time before anything is shown: work that ends sooner needs no bar.
    private static let patience = Duration.milliseconds(500)

    /// The time between two looks at the progress.
    private static let interval = Duration.milliseconds(100)

    /// Does some work, and shows its progress meanwhile.
    ///
    /// - Parameters:
    ///   - operation: The operation that is done.
    ///   - title: The item that it is done to, in the person's words.
    ///   - countsBytes: `true` if units are bytes.
    ///   - patience: The time before anything is shown.
    ///   - staysAtEnd: `true` if the full bar stays as a line when the work is done.
    ///   - console: Where to show it; nothing is shown if nobody watches.
    ///   - body: The work; it moves the progress.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    static func show<Result>(
        _ operation: FileOperationType,
        title: String,
        countsBytes: Bool = true,
        after patience: Duration = patience,
        staysAtEnd: Bool = false,
        on console: Console,
        _ body: (Progress?) async throws -> Result
    ) async throws -> Result {
        guard console.showsProgress else { return try await body(nil) }
        let progress = Progress.ferry(operation)
        let title = TerminalText.harmless(title)
        let watcher = Task {
            try await Task.sleep(for: patience)
            while !Task.isCancelled {
                console.show(status: line(progress, title, countsBytes).text(width: console.width))
                try await Task.sleep(for: interval)
            }
        }
        do {
            let result = try await body(progress)
            await end(watcher, console)
            if staysAtEnd { console.tell(line(progress, title, countsBytes).text(width: console.width)) }
            return result
        } catch {
            await end(watcher, console)
            throw error
        }
    }

    private static func end(_ watcher: Task<Void, any Error>, _ console: Console) async {
        watcher.cancel()
        _ = await watcher.result
        console.show(status: "")
    }

    /// Returns what a progress says at this moment.
    private static func line(_ progress: Progress, _ title: String, _ countsBytes: Bool) -> ProgressLine {
        let total = progress.totalUnitCount
        return ProgressLine(
            title: title,
            done: progress.completedUnitCount,
            total: total > 0 ? total : nil,
            countsBytes: countsBytes,
            speed: progress.speed(),
            timeLeft: progress.completedUnitCount < total ? progress.timeLeft() : nil
        )
    }
}
