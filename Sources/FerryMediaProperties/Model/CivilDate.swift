/// A date as a file writes it.
struct CivilDate: Equatable {
    /// Seconds since 1970; without an offset, of what the clock showed as if it were UTC.
    let seconds: Double
    /// Seconds by which the clock was ahead of UTC, if the file says so.
    let offset: Int?

    init(seconds: Double, offset: Int?) {
        self.seconds = seconds
        self.offset = offset
    }

    /// Of what a clock showed; there is none for a day or a time that doesn't exist.
    init?(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Double, offset: Int?) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(year, month)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), second >= 0, second < 61
        else { return nil }
        let local = Double(Self.dayNumber(year, month, day) * 86400 + hour * 3600 + minute * 60) + second
        seconds = local - Double(offset ?? 0)
        self.offset = offset
    }

    /// Reads EXIF's `2024:05:01 12:30:00`.
    ///
    /// - Parameters:
    ///   - exif: The date.
    ///   - fraction: Digits after the seconds' point, if known.
    ///   - zone: The offset, such as `+02:00`, if known.
    init?(exif: String, fraction: String? = nil, zone: String? = nil) {
        let digits = exif.split { !$0.isASCII || !$0.isNumber }.prefix(6).map { Int($0) ?? -1 }
        guard digits.count >= 5, digits.allSatisfy({ $0 >= 0 }) else { return nil }
        let part = fraction.flatMap { Texts.trimmed($0) }.flatMap { text in
            text.allSatisfy { $0.isASCII && $0.isNumber } ? Double("0." + text.prefix(9)) : nil
        }
        self.init(
            digits[0],
            digits[1],
            digits[2],
            digits[3],
            digits[4],
            Double(digits.count > 5 ? digits[5] : 0) + (part ?? 0),
            offset: zone.flatMap { Self.offset($0) }
        )
    }

    /// Reads ISO 8601 as XML and XMP have it: from `2024` to `2024-05-01T12:30:00.25+02:00`.
    init?(iso text: String) {
        guard let text = Texts.trimmed(text), text.utf8.count < 64, text.utf8.allSatisfy({ $0 < 128 }) else {
            return nil
        }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        let day = parts[0].split(separator: "-").map { Int($0) ?? -1 }
        guard let year = day.first, day.count <= 3, day.allSatisfy({ $0 >= 0 }) else { return nil }
        var clock = parts.count > 1 ? parts[1] : ""
        var offset: Int?
        if clock.hasSuffix("Z") {
            clock.removeLast()
            offset = 0
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let seconds = Self.offset(clock[sign...]) else { return nil }
            offset = seconds
            clock = clock[..<sign]
        }
        let time = clock.split(separator: ":")
        guard time.count <= 3, let hour = Int(time.first ?? "0"), let minute = Int(time.count > 1 ? time[1] : "0"),
            let second = Double(time.count > 2 ? time[2] : "0")
        else { return nil }
        self.init(
            year,
            day.count > 1 ? day[1] : 1,
            day.count > 2 ? day[2] : 1,
            hour,
            minute,
            second,
            offset: offset
        )
    }

    /// Seconds of `Z`, `+02:00`, `-0330`; `nil` for what is none.
    static func offset(_ text: some StringProtocol) -> Int? {
        guard let text = Texts.trimmed(text), let sign = text.first else { return nil }
        if text == "Z" { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard sign == "+" || sign == "-", digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours <= 15, minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func days(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 in the Gregorian calendar; years begin in March, so that the day that may lack comes last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let days = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + days - 719_468
    }
}
