public import Foundation

/// Reads the dates of HTTP, of WebDAV and of mail from bytes.
///
/// All three forms of RFC 9110 §5.6.7 (`Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`,
/// `Sun Nov  6 08:49:37 1994`), and ISO 8601 (RFC 3339) for `creationdate`; each is taken in place of the others too,
/// as servers mix them up. Of RFC 822, two-digit years, times without seconds and the names of American zones are read.
package enum HTTPDateReader {
    /// Reads a date.
    ///
    /// - Parameter bytes: The date, without white space around it.
    /// - Returns: The date, or `nil` if it is none.
    package static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        guard let first = bytes.first else { return nil }
        var reader = FieldReader(bytes: bytes)
        if first &- UInt8(ascii: "0") <= 9 {
            // A day without its weekday has two digits at most, a year four.
            let isDay = bytes.prefix(3).contains { $0 &- UInt8(ascii: "0") > 9 }
            return isDay ? fixedOrOld(&reader) : internetDate(bytes)
        }
        reader.skipLetters()
        let isAscTime = !reader.skip(UInt8(ascii: ","))
        reader.skipSpaces()
        return isAscTime ? ascTime(&reader) : fixedOrOld(&reader)
    }

    /// `06 Nov 1994 08:49:37 GMT` and `06-Nov-94 08:49:37 GMT`; a numeric zone is obeyed, any word is GMT.
    private static func fixedOrOld(_ reader: inout FieldReader) -> Date? {
        guard let day = reader.number() else { return nil }
        reader.skipSeparators()
        guard let month = reader.month() else { return nil }
        reader.skipSeparators()
        guard let written = reader.number(), let seconds = reader.clock() else { return nil }
        // Two digits are of our days (RFC 9110 §5.6.7: never more than 50 years ahead).
        let year = written.digits > 2 ? written.value : written.value + (written.value < 77 ? 2000 : 1900)
        guard let offset = reader.zone() else { return nil }
        return date(year: year, month: month, day: day.value, seconds: seconds - offset)
    }

    /// `Nov  6 08:49:37 1994`.
    private static func ascTime(_ reader: inout FieldReader) -> Date? {
        guard let month = reader.month() else { return nil }
        reader.skipSpaces()
        guard let day = reader.number(), let seconds = reader.clock() else { return nil }
        reader.skipSpaces()
        guard let year = reader.number(), year.digits == 4 else { return nil }
        return date(year: year.value, month: month, day: day.value, seconds: seconds)
    }

    /// `2026-01-31T09:30:00Z`, which nearly all are, by hand.
    private static func internetDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        guard bytes.count == 20, bytes[19] == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T") else {
            return Date(iso8601: String(decoding: bytes, as: UTF8.self))
        }
        var reader = FieldReader(bytes: bytes)
        guard let year = reader.number(), reader.skip(UInt8(ascii: "-")), let month = reader.number(),
            reader.skip(UInt8(ascii: "-")), let day = reader.number(), reader.skip(UInt8(ascii: "T")),
            year.digits == 4, let seconds = reader.clock()
        else { return nil }
        return date(year: year.value, month: month.value, day: day.value, seconds: seconds)
    }

    private static func date(year: Int, month: Int, day: Int, seconds: Int) -> Date? {
        guard (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year) else { return nil }
        // Days since 1970 by counting years from March on, so that the leap day is a year's last.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + seconds))
    }
}

/// Walks over the parts of a date.
private struct FieldReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    mutating func skipLetters() {
        while current.asciiLowercased &- UInt8(ascii: "a") < 26 { index += 1 }
    }

    mutating func skipSpaces() {
        while current == 0x20 { index += 1 }
    }

    mutating func skipSeparators() {
        while current == 0x20 || current == UInt8(ascii: "-") { index += 1 }
    }

    /// Up to nine digits.
    mutating func number() -> (value: Int, digits: Int)? {
        let start = index
        var value = 0
        while current &- UInt8(ascii: "0") <= 9, index - start < 9 {
            value = value * 10 + Int(current - UInt8(ascii: "0"))
            index += 1
        }
        return index == start ? nil : (value, index - start)
    }

    /// The first three letters tell a month.
    mutating func month() -> Int? {
        guard index + 3 <= bytes.count else { return nil }
        let key =
            Int(bytes[index].asciiLowercased) << 16 | Int(bytes[index + 1].asciiLowercased) << 8
            | Int(bytes[index + 2].asciiLowercased)
        skipLetters()
        return switch key {
        case 0x6A_61_6E: 1
        case 0x66_65_62: 2
        case 0x6D_61_72: 3
        case 0x61_70_72: 4
        case 0x6D_61_79: 5
        case 0x6A_75_6E: 6
        case 0x6A_75_6C: 7
        case 0x61_75_67: 8
        case 0x73_65_70: 9
        case 0x6F_63_74: 10
        case 0x6E_6F_76: 11
        case 0x64_65_63: 12
        default: nil
        }
    }

    /// `08:49:37` or `08:49` as seconds; a leap second counts as the one before.
    mutating func clock() -> Int? {
        skipSpaces()
        guard let hours = number(), skip(UInt8(ascii: ":")), let minutes = number(), hours.value < 24,
            minutes.value < 60
        else { return nil }
        guard skip(UInt8(ascii: ":")) else { return hours.value * 3600 + minutes.value * 60 }
        guard let seconds = number(), seconds.value <= 60 else { return nil }
        return hours.value * 3600 + minutes.value * 60 + min(seconds.value, 59)
    }

    /// `+0100` as seconds; 0 for any word but the American zones of RFC 822, and for nothing.
    mutating func zone() -> Int? {
        skipSpaces()
        if let hours = americanZone() { return hours * 3600 }
        let isWest = current == UInt8(ascii: "-")
        guard isWest || current == UInt8(ascii: "+") else { return 0 }
        index += 1
        guard let offset = number(), offset.digits == 4 else { return nil }
        let seconds = offset.value / 100 * 3600 + offset.value % 100 * 60
        return isWest ? -seconds : seconds
    }

    /// Hours east of Greenwich for `EST`, `EDT` and their like; `nil` for anything else.
    private func americanZone() -> Int? {
        guard index + 3 <= bytes.count, bytes[index + 2].asciiLowercased == UInt8(ascii: "t") else { return nil }
        let hours: Int? =
            switch bytes[index].asciiLowercased {
            case UInt8(ascii: "e"): -5
            case UInt8(ascii: "c"): -6
            case UInt8(ascii: "m"): -7
            case UInt8(ascii: "p"): -8
            default: nil
            }
        return switch bytes[index + 1].asciiLowercased {
        case UInt8(ascii: "s"): hours
        case UInt8(ascii: "d"): hours.map { $0 + 1 }
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension Date {
    /// Reads a date as protocols write them: RFC 1123 (`Sun, 06 Nov 1994 08:49:37 GMT`), RFC 850
    /// (`Sunday, 06-Nov-94 08:49:37 GMT`), RFC 822 (`06 Nov 94 08:49 EST`), asctime (`Sun Nov  6 08:49:37 1994`), and
    /// RFC 3339 (`1994-11-06T08:49:37.5+01:00`).
    ///
    /// The weekday is not compared with the date. Years of two digits are of 1977 to 2076. Where no zone is given, it
    /// is UTC.
    ///
    /// - Parameter rfcString: The date; white space around it is left out. `nil` if it is none.
    public init?(rfcString: String) {
        let bytes = Array(rfcString.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard let date = bytes.withUnsafeBufferPointer({ HTTPDateReader.date($0) }) else { return nil }
        self = date
    }
}
