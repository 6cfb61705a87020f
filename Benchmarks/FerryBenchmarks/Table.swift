import Foundation

/// The table, in Markdown that reads well in a terminal too.
struct Table: Sendable {
    /// One number of ours, a peer's beside it, and what is asked.
    struct Row: Sendable {
        var what: String
        var fileSystem: String?
        var measured: String
        var ours: String?
        var peer: String?
        var ratio: Double?
        /// The limit that nobody can be faster than.
        var limit: String?
        /// `nil` for a number that is only shown.
        var target: String?

        /// `nil` if it couldn't be measured, or there is no target.
        var isMet: Bool?
    }

    var rows: [Row] = []

    /// The rows that have a target.
    var targets: [Row] { rows.filter { $0.target != nil } }

    /// The lines, every column as wide as its widest cell: first the rows that miss their target, last those that have
    /// none.
    var lines: [String] {
        let header = ["What", "On", "Measured", "Ferry", "Peer", "Ratio", "Limit", "Target", "Met"]
        let sorted =
            targets.filter { $0.isMet != true } + targets.filter { $0.isMet == true }
            + rows.filter { $0.target == nil }
        let body = sorted.map(cells)
        let widths = header.indices.map { column in
            ([header] + body).map { $0[column].count }.max() ?? 0
        }
        let line = { (cells: [String]) in
            "| "
                + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return [line(header), rule] + body.map(line)
    }

    private func cells(_ row: Row) -> [String] {
        let met =
            switch row.isMet {
            case true?: "✓"
            case false?: "✗"
            case nil: row.target == nil ? "–" : "?"
            }
        return [
            row.what, row.fileSystem ?? "–", row.measured, row.ours ?? "–", row.peer ?? "–",
            row.ratio.map { String(format: "%.2f", $0) } ?? "–", row.limit ?? "–", row.target ?? "–", met,
        ]
    }
}
