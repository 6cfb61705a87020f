import Foundation

extension History {
    /// Which lines stay when the file has become too long: of the groups whose kept content is gone none, of each entry
    /// the last word, and of all that only the latest.
    ///
    /// - Parameters:
    ///   - lines: All lines.
    ///   - limits: How much may stay.
    ///   - keepsLatest: Whether one group stays however long it is.
    /// - Returns: Lines, in their order.
    static func shortened(
        _ lines: [Substring.UTF8View],
        to limits: HistoryLimits,
        keepsLatest: Bool = true
    ) -> [Substring.UTF8View] {
        struct Mark {
            var letter: Substring
            var group: Substring
        }
        func mark(_ line: Substring.UTF8View) -> Mark? {
            let parts = Substring(line.prefix(40)).split(separator: " ", maxSplits: 2)
            return parts.count >= 2 ? Mark(letter: parts[0], group: parts[1]) : nil
        }
        var order: [Substring] = []
        var dropped: Set<Substring> = []
        var sizes: [Substring: Int64] = [:]
        for line in lines {
            guard let mark = mark(line) else { continue }
            if mark.letter == "B", sizes[mark.group] == nil { order.append(mark.group) }
            // What was kept on one storage alone leaves the rest.
            if mark.letter == "D", line.count == mark.letter.utf8.count + 1 + mark.group.utf8.count {
                dropped.insert(mark.group)
            }
            sizes[mark.group, default: 0] += Int64(line.count)
        }
        var kept: Set<Substring> = []
        var size: Int64 = 0
        for group in order.reversed() where !dropped.contains(group) {
            size += sizes[group] ?? 0
            // The latest always stays.
            guard (keepsLatest && kept.isEmpty) || (size <= limits.fileSize / 2 && kept.count < limits.groups) else {
                break
            }
            kept.insert(group)
        }
        return lines.filter { line in mark(line).map { kept.contains($0.group) } ?? false }
    }
}
