import Foundation

/// Dates as ISO 8601 in UTC: `2026-01-31T09:30:00Z`, with up to six decimals of the second if it has any.
enum UTCTime {
    /// Adds a date.
    ///
    /// - Parameters:
    ///   - date: Any date of the years 0 to 9999; others are shown as the nearest of these.
    ///   - bytes: The bytes to append to.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        let micros = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        let clamped = Int64(min(max(micros, Self.earliest), Self.latest))
        let (second, fraction) = floored(clamped, by: 1_000_000)
        let (day, time) = floored(second, by: 86_400)
        let (year, month, dayOfMonth) = calendarDate(day: day)
        appendPair(year / 100, to: &bytes)
        appendPair(year % 100, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendPair(month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendPair(dayOfMonth, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendPair(time / 3600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendPair(time / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendPair(time % 60, to: &bytes)
        if fraction > 0 {
            bytes.append(UInt8(ascii: "."))
            appendPair(fraction / 10_000, to: &bytes)
            appendPair(fraction / 100 % 100, to: &bytes)
            appendPair(fraction % 100, to: &bytes)
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// A date as text.
    static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Microseconds from 2001 to 0000-01-01T00:00:00 and 9999-12-31T23:59:59.
    private static let earliest = -63_145_526_400_000_000.0
    private static let latest = 252_423_993_599_000_000.0

    /// Adds two digits of a number from 0 to 99.
    private static func appendPair(_ value: Int64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }

    /// The Gregorian date of a day, counted from 2001-01-01.
    ///
    /// Years begin in March here, so that the leap day ends one (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms").
    private static func calendarDate(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(day + 730_791, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
