import Foundation

/// A date as a listing shows it: exact to the second, the minute or the day, by the server's clock or in UTC.
struct FTPListDate: Sendable, Hashable {
    /// How exact it is.
    enum Precision: Sendable, Hashable {
        case second
        case minute
        case day
    }

    /// Seconds since 1970, as if the clock that it was read from showed UTC.
    var seconds: Double
    var precision: Precision
    /// Indicates whether it is UTC, whatever the server's clock shows.
    var isUTC: Bool

    /// Makes a date of its parts.
    ///
    /// - Returns: `nil` for parts that no calendar has.
    init?(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Double = 0,
        precision: Precision,
        isUTC: Bool = false
    ) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.days(in: month, of: year), 0...24 ~= hour,
            0...59 ~= minute, second >= 0, second < 61
        else { return nil }
        let days = Self.daysSince1970(year, month, day)
        seconds = Double(days * 86_400 + hour * 3_600 + minute * 60) + second
        self.precision = precision
        self.isUTC = isUTC
    }

    init(secondsSince1970 seconds: Double) {
        (self.seconds, precision, isUTC) = (seconds, .second, true)
    }

    /// Makes a date without a year: the last one, or one that is less than a day ahead, as clocks may differ.
    init?(month: Int, day: Int, hour: Int, minute: Int, second: Double = 0, before now: Double) {
        let year = Self.year(ofSeconds: now)
        let tries = [year + 1, year, year - 1, year - 2, year - 3, year - 4]
        let dates = tries.compactMap {
            FTPListDate(
                year: $0,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second,
                precision: second > 0 ? .second : .minute
            )
        }
        guard let date = dates.first(where: { $0.seconds <= now + 86_400 }) else { return nil }
        self = date
    }

    /// The moment.
    ///
    /// - Parameter offset: Seconds that the server's clock is ahead of UTC.
    /// - Returns: The moment.
    func date(clockOffset offset: Int) -> Date {
        Date(timeIntervalSince1970: isUTC ? seconds : seconds - Double(offset))
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days by the proleptic Gregorian calendar; years are counted from March, so that the leap day is the last one.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func year(ofSeconds seconds: Double) -> Int {
        var year = 1970 + Int(seconds / 31_556_952)
        while Double(daysSince1970(year + 1, 1, 1) * 86_400) <= seconds { year += 1 }
        while Double(daysSince1970(year, 1, 1) * 86_400) > seconds { year -= 1 }
        return year
    }
}

extension FTPListDate {
    /// Reads `YYYYMMDDHHMMSS.sss` (RFC 3659 §2.3), which is UTC.
    init?(rfc3659 text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.first.map({ Array($0.utf8) }), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        // A server of the year 2000 wrote 19100.
        let all =
            digits.count == 15 && digits.starts(with: Array("191".utf8))
            ? Array("20".utf8) + digits.dropFirst(3) : digits
        guard all.count == 14 else { return nil }
        func number(_ range: Range<Int>) -> Int { all[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        var fraction = 0.0
        if parts.count > 1 {
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            fraction = Double("0." + parts[1]) ?? 0
        }
        self.init(
            year: number(0..<4),
            month: number(4..<6),
            day: number(6..<8),
            hour: number(8..<10),
            minute: number(10..<12),
            second: Double(number(12..<14)) + fraction,
            precision: .second,
            isUTC: true
        )
    }
}
