import FerryCore
import Foundation

/// The text of a progress bar, as wide as the terminal allows.
///
/// ```
/// photos  ━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌  58%  1.2 GiB of 2.0 GiB  410 MiB/s  0:02 left
/// ```
struct ProgressLine {
    /// The item that is worked on.
    var title: String

    /// Units that are done.
    var done: Int64

    /// Units in all; `nil` if that is not known.
    var total: Int64?

    /// Indicates whether the units are bytes; else they are items.
    var countsBytes: Bool

    /// Units a second.
    var speed: Double?

    /// The time until the end.
    var timeLeft: Duration?

    /// Lays the parts out; what matters least goes first when there is not enough room.
    ///
    /// - Parameter width: The columns that may be used.
    /// - Returns: Text of at most `width` columns.
    func text(width: Int) -> String {
        var parts = [amount]
        if let percent { parts.insert(percent, at: 0) }
        if let speed { parts.append(rate(speed)) }
        if let timeLeft, total != nil { parts.append("\(Quantity.clock(timeLeft)) left") }
        let room = max(0, width - 1)
        // The title matters more than all but the first fact.
        while parts.count > 1, Self.columns(parts) > room - Self.leastTitle { parts.removeLast() }
        let facts = parts.joined(separator: "  ")
        let rest = room - facts.count
        guard rest >= Self.leastTitle else { return String(facts.prefix(room)) }
        let bar = total == nil ? 0 : min(30, max(0, rest / 2 - 2))
        let title = TerminalText.shortened(self.title, to: rest - 2 - (bar > 0 ? bar + 2 : 0))
        return title + "  " + (bar > 0 ? self.bar(bar) + "  " : "") + facts
    }

    /// Columns that title and bar need at least.
    private static let leastTitle = 12

    /// The part that is done, from 0 to 1.
    private var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(done) / Double(total)) : 1
    }

    private var percent: String? {
        fraction.map { fraction in
            let number = String(Int(fraction * 100))
            return String(repeating: " ", count: 3 - number.count) + number + "%"
        }
    }

    private var amount: String {
        let end = total.map { " of " + (countsBytes ? Quantity.words(bytes: $0) : Quantity.grouped($0)) } ?? ""
        return (countsBytes ? Quantity.words(bytes: done) : Quantity.grouped(done)) + end
    }

    private func rate(_ speed: Double) -> String {
        countsBytes ? Quantity.words(bytes: Int64(speed)) + "/s" : Quantity.grouped(Int64(speed)) + "/s"
    }

    private func bar(_ width: Int) -> String {
        let filled = Int((fraction ?? 0) * Double(width))
        return String(repeating: "━", count: filled) + String(repeating: "╌", count: width - filled)
    }

    private static func columns(_ parts: [String]) -> Int {
        parts.reduce(0) { $0 + $1.count } + 2 * (parts.count - 1)
    }
}
