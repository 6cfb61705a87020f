import FerryCore
import Foundation
import Synchronization

/// The standard error: messages, and on a terminal lines at the bottom that show the progress.
final class Console: Sendable {
    /// Indicates whether a person is watching on a terminal that can redraw a line.
    let showsProgress: Bool

    /// Colours for what is told.
    let styling: Styling

    private let descriptor: CInt
    private let isTerminal: Bool
    /// The lines at the bottom; the cursor is at the end of the last one.
    private let status = Mutex<[String]>([])

    /// Makes a console.
    ///
    /// - Parameters:
    ///   - descriptor: Where messages go.
    ///   - environment: `TERM=dumb` turns the progress off.
    init(descriptor: CInt, environment: [String: String]) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        styling = Styling(isTerminal: isTerminal, environment: environment)
        showsProgress = isTerminal && !["dumb", ""].contains(environment["TERM"] ?? "")
    }

    /// Tells something on a line of its own.
    ///
    /// Whatever is in it that other people chose, such as names: nothing of it moves the cursor.
    ///
    /// - Parameter message: One line, or more, without the last end of line.
    func tell(_ message: String) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { TerminalText.oneLine($0) }.joined(separator: "\n")
        status.withLock { status in
            put(erasing(status) + text + "\n" + status.joined(separator: "\n"))
        }
    }

    /// Shows a line at the bottom, in place of the one before.
    ///
    /// - Parameter line: The line to show, no wider than ``width``; empty to show nothing.
    func show(status line: String) {
        show(status: line.isEmpty ? [] : [line])
    }

    /// Shows lines at the bottom, in place of those before.
    ///
    /// - Parameter lines: The lines to show, no wider and no more than ``size`` says; none to show nothing.
    func show(status lines: [String]) {
        guard showsProgress else { return }
        let lines = lines.map { TerminalText.harmless($0) }
        status.withLock { status in
            guard status != lines else { return }
            if status.isEmpty { Interruption.beforeAbruptEnd { [weak self] in self?.clear() } }
            put(erasing(status) + lines.joined(separator: "\n"))
            status = lines
        }
    }

    /// Takes the lines at the bottom away, unless somebody is writing at this moment.
    private func clear() {
        _ = status.withLockIfAvailable { status in
            put(erasing(status))
            status = []
        }
    }

    /// Returns what takes lines away: they may take up more rows by now, in a terminal that became narrower.
    private func erasing(_ lines: [String]) -> String {
        if lines.isEmpty { return "" }
        let width = max(1, size.width)
        let rows = lines.reduce(0) { $0 + max(1, (TerminalText.columns(of: $1) + width - 1) / width) }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A\u{1B}[J" : "\r\u{1B}[K"
    }

    /// The characters that fit into a line of the terminal.
    var width: Int { size.width }

    /// The columns and rows of the terminal.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes at once; what can't be told is not told, and no reason to stop.
    private func put(_ text: String) {
        let bytes = isTerminal ? Array(text.utf8) : NameEscape.bytes(ofName: text)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return }
            written += max(0, count)
        }
    }
}
