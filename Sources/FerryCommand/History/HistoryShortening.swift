import Foundation

/// Which lines stay when the file has become too long: of the groups whose kept content is gone none, and of the others
/// only the latest.
///
/// It is told all lines, one after the other, and then asked about each.
struct HistoryShortening {
    /// How much may stay.
    private let limits: HistoryLimits

    /// Indicates whether one group stays however long it is.
    private let keepsLatest: Bool

    private var order: [Substring] = []
    private var dropped: Set<Substring> = []
    private var sizes: [Substring: Int64] = [:]
    private var hasNonsense = false

    /// Prepares to look.
    ///
    /// - Parameters:
    ///   - limits: How much may stay.
    ///   - keepsLatest: `true` if one group stays however long it is.
    init(_ limits: HistoryLimits, keepsLatest: Bool = true) {
        self.limits = limits
        self.keepsLatest = keepsLatest
    }

    /// Returns what a line is about: its letter and its group; `nil` if it makes no sense.
    private static func mark(_ line: UnsafeRawBufferPointer) -> (letter: Substring, group: Substring)? {
        let parts = String(decoding: line.prefix(40), as: UTF8.self).split(separator: " ", maxSplits: 2)
        return parts.count >= 2 ? (parts[0], parts[1]) : nil
    }

    /// Looks at a line.
    ///
    /// - Parameter line: The line, without its end.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        guard let (letter, group) = Self.mark(line) else { return hasNonsense = true }
        if letter == "B", sizes[group] == nil { order.append(group) }
        // A line that drops what is kept on one storage leaves the rest.
        if letter == "D", line.count == letter.utf8.count + 1 + group.utf8.count { dropped.insert(group) }
        sizes[group, default: 0] += Int64(line.count)
    }

    /// Returns what stays, when all lines were looked at.
    ///
    /// - Returns: A closure that returns `true` if a line stays; `nil` if all do.
    func decided() -> ((UnsafeRawBufferPointer) -> Bool)? {
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
        if !hasNonsense, kept.count == sizes.count { return nil }
        return { line in Self.mark(line).map { kept.contains($0.group) } ?? false }
    }
}
