package import Foundation

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Reads a date, also in the two old forms that a client must understand.
    ///
    /// - Parameters:
    ///   - text: A field's value.
    ///   - now: Says which century a year of two digits belongs to.
    /// - Returns: The date, or `nil` if it is none.
    package static func date(_ text: String, now: Date = Date()) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," || $0 == "-" })
        return switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where isGMT(words[5]): date(day: words[1], month: words[2], year: words[3], time: words[4], now: now)
        // Sun Nov  6 08:49:37 1994
        case 5: date(day: words[2], month: words[1], year: words[4], time: words[3], now: now)
        default: nil
        }
    }

    /// Writes a date.
    ///
    /// - Parameter date: Any date from year 1 to 9999; fractions of a second are cut off.
    /// - Returns: A field's value.
    package static func text(_ date: Date) -> String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let rest = Int(seconds - days * 86_400)
        let (year, month, day) = civil(days)
        let weekday = weekdays[Int(((days % 7) + 11) % 7)]
        return "\(weekday), \(two(day)) \(months[month - 1]) \(four(year)) "
            + "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func isGMT(_ zone: Substring) -> Bool { zone == "GMT" || zone == "UTC" }

    private static func date(
        day: Substring,
        month: Substring,
        year: Substring,
        time: Substring,
        now: Date
    ) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day = number(day), let month = months.firstIndex(of: String(month)), var fullYear = number(year),
            clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]), let second = number(clock[2]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        if year.utf8.count == 2 {
            // A date more than 50 years ahead is one of the past (RFC 9110 §5.6.7).
            let thisYear = civil(Int64((now.timeIntervalSince1970 / 86_400).rounded(.down))).year
            fullYear += thisYear / 100 * 100
            if fullYear > thisYear + 50 { fullYear -= 100 }
        }
        let days = days(year: fullYear, month: month + 1, day: day)
        guard (1...9_999).contains(fullYear), civil(days).day == day, civil(days).month == month + 1 else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".utf8.count)) + "\(number)"
    }

    /// Days since 1970-01-01 of a date of the Gregorian calendar; eras of 400 years, years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let year = Int64(month <= 2 ? year - 1 : year)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        return (year, month, Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1))
    }
}
