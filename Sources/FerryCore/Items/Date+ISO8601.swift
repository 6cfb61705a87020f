package import Foundation

/// Dates as text in ISO 8601, without the cost of a formatter: a listing prints them by the hundred thousand.
extension Date {
    /// The date in UTC, as `2026-01-31T09:30:00Z`, with as many decimals as it takes to read the same date back.
    ///
    /// None, 3, 6, 7 or 9; a `Date` of our days holds 7. Years before 0 and after 9999 have a sign and six digits.
    /// `nil` for dates that no calendar has, such as the infinite.
    package var iso8601: String? {
        let limit = 31_000_000_000_000.0  // about a million years: whole seconds are exact far beyond
        let time = timeIntervalSinceReferenceDate
        guard abs(time) < limit else { return nil }
        let whole = time.rounded(.down)
        for digits in [0, 3, 6, 7, 9] {
            let scale = Self.powersOfTen[digits]
            var seconds = Int64(whole)
            var fraction = Int64(((time - whole) * Double(scale)).rounded())
            if fraction == scale {
                fraction = 0
                seconds += 1
            }
            guard digits == 9 || Double(seconds) + Double(fraction) / Double(scale) == time else { continue }
            return Self.text(seconds: seconds, fraction: fraction, digits: digits)
        }
        return nil
    }

    /// Reads `2026-01-31`, `2026-01-31T09:30`, `2026-01-31 09:30:00.25+01:00` and the like; UTC where no zone is given.
    ///
    /// - Parameter text: The date; the `T` may be a space, the zone `Z`, `±hh`, `±hhmm` or `±hh:mm`.
    package init?(iso8601 text: some StringProtocol) {
        var reader = ISO8601Reader(bytes: Array(text.utf8))
        guard let time = reader.time() else { return nil }
        self.init(timeIntervalSinceReferenceDate: time)
    }

    fileprivate static let powersOfTen: [Int64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    private static func text(seconds: Int64, fraction: Int64, digits: Int) -> String {
        let (days, second) = seconds.flooredDivision(by: 86400)
        let (year, month, day) = civil(fromDays: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        func append(_ number: Int64, width: Int) {
            for place in stride(from: width - 1, through: 0, by: -1) {
                bytes.append(UInt8(ascii: "0") + UInt8(number / powersOfTen[place] % 10))
            }
        }
        if (0...9999).contains(year) {
            append(year, width: 4)
        } else {
            bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
            append(abs(year), width: 6)
        }
        func append(_ mark: Unicode.Scalar, _ number: Int64) {
            bytes.append(UInt8(ascii: mark))
            append(number, width: 2)
        }
        append("-", month)
        append("-", day)
        append("T", second / 3600)
        append(":", second / 60 % 60)
        append(":", second % 60)
        if digits > 0 {
            bytes.append(UInt8(ascii: "."))
            append(fraction, width: digits)
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The Gregorian date of a day, counted from 2001-01-01.
    ///
    /// Years begin in March here, so that the leap day ends one (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms").
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 730_791).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// The day of a Gregorian date, counted from 2001-01-01.
    fileprivate static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
    }
}

extension Int64 {
    /// The quotient rounded down, and what is left, which is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Reads one date from its bytes.
private struct ISO8601Reader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Seconds since 2001-01-01T00:00:00Z, or `nil` if the text is no date, or a day that doesn't exist.
    mutating func time() -> Double? {
        guard let year = year(), take("-"), let month = number(2), take("-"), let day = number(2) else { return nil }
        guard (1...12).contains(month), (1...Self.length(ofMonth: month, year: year)).contains(day) else { return nil }
        var seconds = Date.days(year: year, month: month, day: day) * 86400
        var fraction = 0.0
        if position < bytes.count {
            guard take("T") || take("t") || take(" "), let hour = number(2), take(":"), let minute = number(2) else {
                return nil
            }
            var second: Int64 = 0
            if take(":") {
                guard let value = number(2) else { return nil }
                second = value
                if take(".") || take(",") {
                    guard let value = decimals() else { return nil }
                    fraction = value
                }
            }
            guard hour < 24, minute < 60, second < 61, let offset = zone() else { return nil }
            seconds += hour * 3600 + minute * 60 + second - offset
        }
        return position == bytes.count ? Double(seconds) + fraction : nil
    }

    private mutating func year() -> Int64? {
        if take("+") { return number(6) }
        if take("-") { return number(6).map { -$0 } }
        return number(4)
    }

    /// Seconds east of UTC.
    private mutating func zone() -> Int64? {
        if position == bytes.count || take("Z") || take("z") { return 0 }
        let sign: Int64 = take("-") ? -1 : 1
        guard sign < 0 || take("+"), let hours = number(2), hours < 24 else { return nil }
        guard position < bytes.count else { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 else {
            return nil
        }
        position += 1
        return Int64(digit)
    }

    private mutating func number(_ width: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Returns what follows the decimal point; more than nine digits are read, and make no difference.
    private mutating func decimals() -> Double? {
        var number: Int64 = 0
        var count = 0
        let start = position
        while let digit = digit() {
            guard count < 9 else { continue }
            number = number * 10 + digit
            count += 1
        }
        return position > start ? Double(number) / Double(Date.powersOfTen[count]) : nil
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
