/// A date in a format of `strptime`, such as `%Y-%m-%dT%H:%M:%SZ`.
enum StoneTimestamp {
    private static let lengths: [Character: Int] = ["Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2]

    /// Returns `true` if all parts of a format are ones that this type reads.
    static func isKnown(_ format: String) -> Bool {
        var rest = Substring(format)
        while let sign = rest.popFirst() {
            if sign == "%" { guard let part = rest.popFirst(), lengths[part] != nil else { return false } }
        }
        return true
    }

    /// Returns `true` if a text is a date of a format, and the date is one of the calendar.
    static func matches(_ text: String, format: String) -> Bool {
        var (format, text) = (Substring(format), Substring(text))
        var parts: [Character: Int] = [:]
        while let sign = format.popFirst() {
            guard sign == "%", let part = format.popFirst(), let length = lengths[part] else {
                guard text.popFirst() == sign else { return false }
                continue
            }
            let digits = text.prefix(length)
            guard digits.count == length, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return false }
            parts[part] = Int(digits)
            text = text.dropFirst(length)
        }
        guard text.isEmpty else { return false }
        let (year, month, day) = (parts["Y"] ?? 2000, parts["m"] ?? 1, parts["d"] ?? 1)
        guard (1...12).contains(month), year >= 1 else { return false }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day) && (0...23).contains(parts["H"] ?? 0)
            && (0...59).contains(parts["M"] ?? 0) && (0...59).contains(parts["S"] ?? 0)
    }
}
