import FerryCore
import FerryTransfer
import Foundation

/// The events of a transfer as JSON, an object a line, for programs.
///
/// `event` says which it is; names and meanings stay as they are, others may be added.
///
/// | event | keys |
/// |---|---|
/// | `planned` | as `done`, in a dry run |
/// | `began` | `path` (from the top of the transfer, empty for the top itself), `action`, `reason`, `bytes` |
/// | `progress` | `filesDone`, `filesFound`, `bytesDone`, `bytesFound`, `isListed`, `failures`, `bytesPerSecond` |
/// | `done` | `path`, `action`, `reason`, `bytes`; of what was renamed `from` |
/// | `failed` | `path`, `action`, `reason`, `error` |
/// | `summary` | `isComplete`, `isDryRun`, `counts` by action, `bytes`, `seconds`, `failures`, `losses` |
///
/// Items that stay as they are have no line of their own: `summary` counts them as `skip`. A file that was `done` can
/// begin anew, or fail, when a server turns out not to have it; `summary` counts it once. A dry run names what is not
/// removed, with the reason.
///
/// Events are written by threads that must not wait: a reader who falls behind pauses the transfer.
final class TransferEventLines: Sendable {
    /// Pauses what is told while the reader has enough to read.
    let control: TransferControl

    private let lines: LineWriter

    /// Begins.
    ///
    /// - Parameters:
    ///   - descriptor: Where the lines go.
    ///   - failed: Called once, from any thread, when nobody can read any more: the work is in vain.
    init(descriptor: CInt, failed: @escaping @Sendable () -> Void) {
        let control = TransferControl()
        self.control = control
        lines = LineWriter(
            descriptor: descriptor,
            isFull: { $0 ? control.pause() : control.resume() },
            failed: failed
        )
    }

    /// Writes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - words: Returns an error's message for people.
    func tell(_ event: TransferEvent, words: (any Error, TransferAction) -> String) {
        switch event {
        case .began(let action, _): write(action, "began")
        case .did(let action):
            if action.kind != .skip { write(action, "done") }
        case .failed(let action, let error): write(action, "failed", error: words(error, action))
        }
    }

    /// Tells of an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - event: The name of the event.
    ///   - error: Why it could not be done.
    func write(_ action: TransferAction, _ event: String, error: String? = nil) {
        write { line in
            line.text("event", event)
            Self.add(action, to: &line)
            line.text("error", error)
        }
    }

    /// Tells how far it is.
    ///
    /// - Parameters:
    ///   - status: How far.
    ///   - speed: Bytes a second.
    func progress(_ status: TransferStatus, speed: Double?) {
        // A reader who has fallen behind learns of it soon enough.
        if control.isPaused { return }
        write { line in
            line.text("event", "progress")
            line.number("filesDone", Int64(status.filesDone))
            line.number("filesFound", Int64(status.filesFound))
            line.number("bytesDone", status.bytesDone)
            line.number("bytesFound", status.bytesFound)
            line.flag("isListed", status.isListed)
            line.number("failures", Int64(status.failures))
            line.number("bytesPerSecond", speed.map { Int64($0) })
        }
    }

    /// Writes the outcome.
    ///
    /// - Parameters:
    ///   - report: The report of the transfer.
    ///   - isDryRun: `true` if nothing was done.
    ///   - duration: How long it took.
    ///   - words: Returns an error's message for people.
    func summary(
        _ report: TransferReport,
        isDryRun: Bool = false,
        duration: Duration,
        words: (any Error, TransferAction) -> String
    ) {
        write { line in
            line.text("event", "summary")
            line.flag("isComplete", report.isComplete)
            line.flag("isDryRun", isDryRun)
            line.object("counts") { line in
                for (kind, count) in report.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    line.number(kind.rawValue, Int64(count))
                }
            }
            line.number("bytes", report.bytes)
            line.number("seconds", decimal: duration / .seconds(1))
            line.objects("failures", report.failures) { failure, line in
                Self.add(failure.action, to: &line)
                line.text("error", words(failure.error, failure.action))
            }
            line.object("losses") { line in
                for (loss, count) in report.losses.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    line.number(loss.rawValue, Int64(count))
                }
            }
        }
    }

    /// Waits until all is written.
    ///
    /// - Throws: As ``LineWriter/finish()``.
    func finish() async throws {
        try await lines.finish()
    }

    private static func add(_ action: TransferAction, to line: inout JSONLine) {
        line.text("path", String(action.path.string.dropFirst()))
        line.text("action", action.kind.rawValue)
        line.text("reason", action.reason.rawValue)
        if action.kind == .add || action.kind == .update { line.number("bytes", action.source?.size) }
        line.text("from", action.from.map { String($0.string.dropFirst()) })
    }

    private func write(_ body: (inout JSONLine) -> Void) {
        var line = JSONLine()
        line.begin()
        body(&line)
        line.end()
        lines.write(line.bytes)
    }
}
