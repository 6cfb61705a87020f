import FerryTransfer
import Foundation

/// The lines that show how far a transfer is, as wide and as many as the terminal allows.
///
/// ```
/// photos  ━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌  58%  1.2 GiB of 2.0 GiB  410 MiB/s  0:02 left
/// 1,204 of 2,100 files  2 errors
///   2026/IMG_0001.jpg  ━━━━━━╌╌╌╌  62%  12.4 MiB of 20.1 MiB
/// ```
struct TransferLines {
    /// A file that is under way.
    struct File {
        /// Its path.
        var name: String
        /// Bytes that have arrived.
        var done: Int64
        /// Bytes in all.
        var total: Int64
    }

    /// The source of the transfer, in the person's words.
    var title: String

    /// How far it is.
    var status: TransferStatus

    /// Bytes a second.
    var speed: Double?

    /// The files that are under way.
    var files: [File] = []

    /// The time until the end; `nil` while it is not known how much there is.
    private var timeLeft: Duration? {
        guard status.isListed, let speed, speed > 0, status.bytesDone < status.bytesFound else { return nil }
        return .seconds(Double(status.bytesFound - status.bytesDone) / speed)
    }

    private var total: ProgressLine {
        ProgressLine(
            title: title,
            done: status.bytesDone,
            total: status.isListed ? status.bytesFound : nil,
            countsBytes: true,
            speed: speed,
            timeLeft: timeLeft
        )
    }

    /// Files and errors: `12 of 1,204 files, 2 errors`.
    var counts: String {
        var words = "\(Quantity.grouped(status.filesDone)) of \(Quantity.count(status.filesFound, "file"))"
        if !status.isListed { words += " found so far" }
        if status.failures > 0 { words += ", \(Quantity.count(status.failures, "error"))" }
        return words
    }

    /// Lays them out.
    ///
    /// - Parameters:
    ///   - width: The columns that may be used.
    ///   - height: The rows that may be used, at least 1.
    /// - Returns: Lines of less than `width` columns, at most `height` of them.
    func text(width: Int, height: Int) -> [String] {
        var lines = [total.text(width: width)]
        if height > 1 { lines.append(TerminalText.shortened("  " + counts, to: width - 1)) }
        for file in files.prefix(max(0, height - 2)) {
            let line = ProgressLine(title: file.name, done: file.done, total: file.total, countsBytes: true)
            if width > 20 { lines.append("  " + line.text(width: width - 2)) }
        }
        return lines
    }

    /// All in one line, for a log.
    var logLine: String {
        var parts = [title, Quantity.words(bytes: status.bytesDone)]
        if status.isListed {
            parts[1] += " of " + Quantity.words(bytes: status.bytesFound)
        }
        parts.append(counts)
        if let speed { parts.append(Quantity.words(bytes: Int64(speed)) + "/s") }
        if let timeLeft { parts.append(Quantity.clock(timeLeft) + " left") }
        return parts.joined(separator: "  ")
    }
}
