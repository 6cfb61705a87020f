import FerryCore
import Foundation
import Synchronization

/// The standard error: messages, and on a terminal a line at the bottom that shows the progress.
final class Console: Sendable {
    /// Whether a person is watching on a terminal that can redraw a line.
    let showsProgress: Bool

    /// Colours for what is told.
    let styling: Styling

    private let descriptor: CInt
    private let isTerminal: Bool
    private let statusLine = Mutex("")

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
    /// - Parameter message: One line, or more, without the last end of line.
    func tell(_ message: String) {
        statusLine.withLock { status in
            let redrawn = status.isEmpty ? "" : status
            put((redrawn.isEmpty ? "" : "\r\u{1B}[K") + message + "\n" + redrawn)
        }
    }

    /// Shows a line at the bottom, in place of the one before.
    ///
    /// - Parameter line: What to show, no wider than ``width``; empty to show nothing.
    func show(status line: String) {
        guard showsProgress else { return }
        statusLine.withLock { status in
            guard status != line else { return }
            put("\r\u{1B}[K" + line)
            status = line
        }
    }

    /// The characters that fit into a line of the terminal.
    var width: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
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
