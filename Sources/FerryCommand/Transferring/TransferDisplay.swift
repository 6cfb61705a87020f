import FerryCore
import FerryTransfer
import Foundation

/// Shows a transfer while it goes on: on a terminal lines that are drawn again and again, elsewhere a line now and then,
/// and for programs JSON.
struct TransferDisplay {
    /// The time before anything is shown: a transfer that ends sooner needs no display.
    private static let patience = Duration.milliseconds(500)

    /// The time between two looks at a terminal.
    private static let interval = Duration.milliseconds(100)

    /// The time between two lines that stay.
    private static let pause = Duration.seconds(10)

    /// The time between two lines for a program.
    private static let step = Duration.seconds(1)

    /// Files that are shown at the same time, at most.
    private static let fileCount = 8

    /// The source of the transfer, in the person's words.
    let title: String

    let board: TransferBoard
    let console: Console

    /// Where programs read; `nil` if a person does.
    let events: TransferEventLines?

    private let clock = ContinuousClock()

    init(title: String, board: TransferBoard, console: Console, events: TransferEventLines?) {
        self.title = TerminalText.harmless(title)
        self.board = board
        self.console = console
        self.events = events
    }

    /// Does some work, and shows how far it is meanwhile.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        // The first speed that is shown is one since the beginning.
        _ = speed()
        let watcher = Task { try await watch() }
        do {
            let result = try await body()
            await end(watcher)
            return result
        } catch {
            await end(watcher)
            throw error
        }
    }

    private func end(_ watcher: Task<Void, any Error>) async {
        watcher.cancel()
        _ = await watcher.result
        console.show(status: [])
    }

    private func watch() async throws {
        if let events {
            while true {
                try await Task.sleep(for: Self.step)
                events.progress(board.status, speed: speed())
            }
        }
        guard console.showsProgress else {
            while true {
                try await Task.sleep(for: Self.pause)
                console.tell(lines(files: 0)?.logLine ?? looking)
            }
        }
        try await Task.sleep(for: Self.patience)
        while !Task.isCancelled {
            let size = console.size
            let text =
                lines(files: Self.fileCount)?.text(width: size.width, height: max(1, size.height - 1))
                ?? [TerminalText.shortened(looking, to: size.width - 1)]
            console.show(status: text)
            try await Task.sleep(for: Self.interval)
        }
    }

    private func speed() -> Double? { board.speed(board.status.bytesDone, at: clock.now) }

    /// The line that is shown while only listings are looked at.
    private var looking: String {
        let count = board.progress.completedUnitCount
        return title + "  comparing" + (count > 0 ? ", \(Quantity.count(count, "file")) so far" : "")
    }

    private func lines(files count: Int) -> TransferLines? {
        guard let status = board.progress.transferStatus else { return nil }
        let files = count > 0 ? board.files.prefix(count) : []
        return TransferLines(
            title: title,
            status: status,
            speed: board.speed(status.bytesDone, at: clock.now),
            files: files.map { file in
                TransferLines.File(
                    name: TerminalText.harmless(file.path.string.dropFirst()),
                    done: file.progress.completedUnitCount,
                    total: file.progress.totalUnitCount
                )
            }
        )
    }
}
