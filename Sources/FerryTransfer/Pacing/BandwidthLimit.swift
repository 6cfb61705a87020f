public import Foundation

/// The rates at which bytes may pass, by the time of day and of the week.
///
/// Written as rclone has it: one rate (`10M`), or times with what holds from then on
/// (`08:00,512k 12:00,10M 18:00,off`, `Mon-08:00,1M Sat-00:00,off`). A rate is a number of KiB per second, or of what its
/// letter says (`B`, `K`, `M`, `G`, `T`: powers of 1,024), or `off`; two with a colon between them are for sending and for
/// receiving (`1M:off`).
public struct BandwidthLimit: Sendable, Hashable, Codable {
    /// The direction of the bytes.
    public enum Direction: Sendable, Hashable {
        /// To a storage.
        case up
        /// From a storage.
        case down
    }

    /// The rates that hold from some time on.
    private struct Entry: Sendable, Hashable, Codable {
        /// Minutes since the week began, on Sunday.
        var minute: Int
        var rates: Rates
    }

    /// Bytes per second; `nil` for no limit.
    private struct Rates: Sendable, Hashable, Codable {
        var up: Int64?
        var down: Int64?
    }

    /// In the order of their times.
    private let entries: [Entry]

    /// The same at all times.
    ///
    /// - Parameters:
    ///   - up: Bytes per second to a storage, at least 1; `nil` for no limit.
    ///   - down: Bytes per second from a storage, at least 1; `nil` for no limit.
    public init(up: Int64?, down: Int64?) {
        entries = [Entry(minute: 0, rates: Rates(up: up.map { max(1, $0) }, down: down.map { max(1, $0) }))]
    }

    /// Reads a limit; it fails for what is none.
    ///
    /// - Parameter text: One rate, or times with their rates.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        if words.count == 1, !text.contains(",") {
            guard let rates = Self.rates(words[0]) else { return nil }
            entries = [Entry(minute: 0, rates: rates)]
            return
        }
        var entries: [Int: Rates] = [:]
        for word in words {
            let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let minutes = Self.minutes(parts[0]), let rates = Self.rates(parts[1]) else {
                return nil
            }
            for minute in minutes { entries[minute] = rates }
        }
        guard !entries.isEmpty else { return nil }
        self.entries = entries.map { Entry(minute: $0.key, rates: $0.value) }.sorted { $0.minute < $1.minute }
    }

    /// Indicates whether it is the same at all times.
    var isConstant: Bool { entries.count == 1 }

    /// The rate at a time.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - direction: Which way.
    ///   - calendar: Says what time of the week it is.
    /// - Returns: Bytes per second; `nil` for no limit.
    public func rate(at date: Date, _ direction: Direction, calendar: Calendar = .current) -> Int64? {
        var minute = 0
        if !isConstant {
            let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
            minute = (((parts.weekday ?? 1) - 1) * 24 + (parts.hour ?? 0)) * 60 + (parts.minute ?? 0)
        }
        // Before the first of the week, the last one of the week before holds.
        let entry = entries.last { $0.minute <= minute } ?? entries.last
        return direction == .up ? entry?.rates.up : entry?.rates.down
    }

    // MARK: Reading

    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    /// `08:00`, which is on each day, or `Mon-08:00`.
    private static func minutes(_ text: Substring) -> [Int]? {
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let time = parts.popLast(), parts.count < 2 else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, clock[1].count == 2, let hour = UInt8(clock[0]), hour < 24,
            let minute = UInt8(clock[1]), minute < 60
        else { return nil }
        let ofDay = Int(hour) * 60 + Int(minute)
        guard let name = parts.first else { return (0..<7).map { $0 * 1_440 + ofDay } }
        guard let day = days.firstIndex(of: name.prefix(3).lowercased()), name.count >= 3 else { return nil }
        return [day * 1_440 + ofDay]
    }

    private static func rates(_ text: Substring) -> Rates? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(rate)
        guard (1...2).contains(parts.count), let up = parts[0], let down = parts[parts.count - 1] else { return nil }
        return Rates(up: up, down: down)
    }

    /// The inner `nil` is no limit, the outer one no rate.
    private static func rate(_ text: Substring) -> Int64?? {
        if text.lowercased() == "off" { return .some(nil) }
        var digits = text
        var unit = 1_024.0
        if let letter = digits.last, let power = ["b", "k", "m", "g", "t"].firstIndex(of: letter.lowercased()) {
            digits.removeLast()
            unit = pow(1_024, Double(power))
        }
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits) else {
            return nil
        }
        let bytes = number * unit
        guard bytes < 1e15 else { return nil }
        // As with rclone, nothing at all is no limit.
        return bytes < 1 ? .some(nil) : .some(Int64(bytes))
    }
}
