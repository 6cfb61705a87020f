import FerryCore
package import Foundation

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1970-01-01 was a Thursday

    /// Reads a date in any of the three forms that HTTP has had; the weekday is not looked at.
    ///
    /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///   `Sun Nov  6 08:49:37 1994`.
    /// - Returns: The date, or `nil` if the text is none.
    package static func parse(_ text: String) -> Date? {
        if let date = fixedDate(text) { return date }
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "-" || $0 == "," }
        // Weekday, day, month, year, time, zone; or weekday, month, day, time, year.
        if words.count == 6, words[5] == "GMT" || words[5] == "UTC" {
            return date(year: words[3], month: words[2], day: words[1], time: words[4])
        }
        if words.count == 5, words[3].contains(":") {
            return date(year: words[4], month: words[1], day: words[2], time: words[3])
        }
        return nil
    }

    /// Writes a date.
    ///
    /// - Parameter date: The date, of the years 0 to 9999; its fraction of a second is dropped.
    /// - Returns: As in `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for a date that can't be written so.
    package static func format(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let text = Date(timeIntervalSince1970: seconds).iso8601, text.utf8.count == 20 else { return nil }
        let parts = text.dropLast().split { $0 == "-" || $0 == "T" }
        guard parts.count == 4, let month = Int(parts[1]), (1...12).contains(month) else { return nil }
        let day = Int((seconds / 86_400).rounded(.down)) % 7
        let weekday = weekdays[day < 0 ? day + 7 : day]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, as nearly all dates are, read from the bytes: each answer has several of them.
    private static func fixedDate(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes -> Date? in
            guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[19] == UInt8(ascii: ":"),
                bytes[22] == UInt8(ascii: ":"), [4, 7, 11, 16, 25].allSatisfy({ bytes[$0] == 0x20 }),
                bytes[26...].elementsEqual("GMT".utf8),
                let month = months.firstIndex(where: { $0.utf8.elementsEqual(bytes[8..<11]) }),
                let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), year >= 1_970,
                let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]),
                let second = number(bytes[23..<25]), hour < 24, minute < 60, second < 60
            else { return nil }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            guard (1...lengths[month]).contains(day) else { return nil }
            // 477 years before 1970 had a leap day.
            let leapDays = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 - 477
            let days = (year - 1_970) * 365 + leapDays + lengths[..<month].reduce(0, +) + day - 1
            return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
        }
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    private static func date(year: Substring, month: Substring, day: Substring, time: Substring) -> Date? {
        guard let month = months.firstIndex(where: { $0.caseInsensitiveCompare(month) == .orderedSame }),
            var year = Int(year), (0...9_999).contains(year),
            time.utf8.count == 8
        else { return nil }
        // Two digits: RFC 6265 §5.1.1 reads them like this, and RFC 9110 means much the same.
        if year < 100 { year += year < 70 ? 2_000 : 1_900 }
        let fullDay = day.utf8.count == 1 ? "0\(day)" : String(day)
        return Date(iso8601: "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(fullDay)T\(time)Z")
    }
}
