import Foundation

/// A date and time as the service writes it (RFC 3339).
enum GraphTimestamp {
    /// Returns the date of a text with any offset and any number of fractional digits; `nil` for other texts.
    static func date(_ text: String) -> Date? {
        let units = Array(text.utf8)
        guard units.count >= 20, units[10] == UInt8(ascii: "T") || units[10] == UInt8(ascii: "t") else { return nil }
        let whole = String(decoding: units[..<19], as: UTF8.self).uppercased() + "Z"
        guard let base = try? Date(whole, strategy: .iso8601), base.formatted(.iso8601) == whole else { return nil }
        var rest = units[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = offset(String(decoding: rest, as: UTF8.self)) else { return nil }
        return base.addingTimeInterval(fraction - offset)
    }

    private static func offset(_ text: String) -> TimeInterval? {
        if text == "Z" || text == "z" { return 0 }
        let units = Array(text.utf8)
        guard units.count == 6, units[3] == UInt8(ascii: ":"), let hours = Int(text.dropFirst().prefix(2)),
            let minutes = Int(text.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        let seconds = TimeInterval(hours * 3600 + minutes * 60)
        switch text.first {
        case "+": return seconds
        case "-": return -seconds
        default: return nil
        }
    }

    /// Returns the text of a date in UTC.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - isPrecise: A Boolean value that indicates whether milliseconds are written, unless there are none; else
    ///     fractions of a second are dropped.
    /// - Returns: The text.
    static func text(_ date: Date, isPrecise: Bool) -> String {
        // A date in seconds has no exact thousandths.
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000 + 0.05).rounded(.down))
        let seconds = Int64((Double(milliseconds) / 1000).rounded(.down))
        let text = text(seconds: seconds)
        let rest = milliseconds - seconds * 1000
        guard isPrecise, rest > 0 else { return text }
        var digits = String(1000 + rest).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(text.dropLast()).\(digits)Z"
    }

    /// Returns the text of a number of seconds since 1970; a listing has thousands of dates, and formatters are slow.
    private static func text(seconds: Int64) -> String {
        let days = (seconds >= 0 ? seconds : seconds - 86399) / 86400
        let rest = seconds - days * 86400
        // Years begin in March, so that the day that comes and goes is the last one.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(year)-\(two(month < 10 ? month + 3 : month - 9))-\(two(dayOfYear - (153 * month + 2) / 5 + 1))"
        let padding = String(repeating: "0", count: max(0, 4 - String(year).count))
        return "\(padding)\(date)T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }
}
