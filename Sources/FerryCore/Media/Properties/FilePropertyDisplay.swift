public import Foundation

/// Makes the words to show of properties: `1/250 s`, `f/2.8`, `4032 × 3024`.
///
/// Everything that is English goes through a translation; numbers are written as the locale has it; dates are always
/// written from the year to the second.
public struct FilePropertyDisplay: Sendable {
    /// English, with a point before decimals.
    public static let english = Self()

    private let decimalSeparator: String
    private let translate: @Sendable (String) -> String

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - locale: How numbers are written.
    ///   - translate: Gives the words of another language for English ones, such as `Device maker`, `Auto`, `%@ dpi`;
    ///     `%@` stands for what is filled in.
    public init(
        locale: Locale = Locale(identifier: "en_US_POSIX"),
        translate: @escaping @Sendable (String) -> String = { $0 }
    ) {
        decimalSeparator = locale.decimalSeparator ?? "."
        self.translate = translate
    }

    /// A key's name.
    ///
    /// - Parameter key: The key.
    /// - Returns: Such as `Device maker`; of a key that nobody knows, what it is called in data.
    public func name(of key: FilePropertyKey) -> String {
        Self.names[key].map(translate) ?? key.rawValue
    }

    /// A property's value.
    ///
    /// - Parameter property: The property.
    /// - Returns: Such as `1/250 s`. Control characters in a file's own words are left out.
    public func text(of property: FileProperties.Property) -> String {
        text(of: property.value, for: property.key)
    }

    private func text(of value: FilePropertyValue, for key: FilePropertyKey) -> String {
        switch value {
        case .text(let text): shown(text)
        case .word(let word): translate(Self.words[word] ?? word)
        case .list(let values): values.map { text(of: $0, for: key) }.joined(separator: ", ")
        case .integer(let number): whole(number, for: key)
        case .decimal(let number): measured(number, for: key)
        case .fraction(let fraction): measured(fraction.doubleValue, for: key)
        case .boolean(let answer): translate(answer ? "Yes" : "No")
        case .date(let date): date.written
        case .duration(let duration): Self.clock(duration)
        case .size(let size): text(of: size, for: key)
        case .location(let location): text(of: location)
        }
    }

    // MARK: Numbers

    private func whole(_ number: Int64, for key: FilePropertyKey) -> String {
        switch key {
        case .bitRate, .videoBitRate, .audioBitRate, .sampleRate, .uncompressedSize, .fNumber, .focalLength,
            .exposureTime, .frameRate:
            measured(Double(number), for: key)
        case .colorDepth: fill("%@ bits per channel", String(number))
        case .orientation: translate(Self.orientations[number] ?? String(number))
        default: String(number)
        }
    }

    private func measured(_ number: Double, for key: FilePropertyKey) -> String {
        switch key {
        case .bitRate, .videoBitRate, .audioBitRate:
            scaled(number, ["%@ bit/s", "%@ kbit/s", "%@ Mbit/s", "%@ Gbit/s"])
        case .sampleRate: scaled(number, ["%@ Hz", "%@ kHz", "%@ MHz"])
        case .uncompressedSize: scaled(number, ["%@ bytes", "%@ kB", "%@ MB", "%@ GB", "%@ TB", "%@ PB", "%@ EB"])
        case .fNumber: fill("f/%@", decimal(number, digits: 1))
        case .focalLength: fill("%@ mm", decimal(number, digits: 1))
        // Photographers say 1/250 of what a camera may have written as 10/2500 or 4/1000.
        case .exposureTime where number > 0 && number < 0.2501: fill("%@ s", "1/\(decimal(1 / number, digits: 0))")
        case .exposureTime: fill("%@ s", decimal(number, digits: 1))
        case .frameRate: fill("%@ per second", decimal(number, digits: 2))
        default: decimal(number, digits: 2)
        }
    }

    /// In steps of thousand, with one decimal where there are few digits before it.
    private func scaled(_ number: Double, _ units: [String]) -> String {
        var rest = number
        var step = 0
        while rest >= 999.95, step + 1 < units.count {
            rest /= 1000
            step += 1
        }
        return fill(units[step], decimal(rest, digits: step == 0 ? 0 : 1))
    }

    /// Rounded, without zeros at the end.
    private func decimal(_ number: Double, digits: Int) -> String {
        guard number.isFinite else { return translate("unknown") }
        var text = String(format: "%.\(digits)f", number)
        if digits > 0 {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return text.replacingOccurrences(of: ".", with: decimalSeparator)
    }

    // MARK: Others

    private func text(of size: FilePropertyValue.Size, for key: FilePropertyKey) -> String {
        let unit = key == .pageSize ? 25.4 / 72 : 1
        let width = decimal(size.width * unit, digits: key == .pageSize ? 0 : 2)
        let height = decimal(size.height * unit, digits: key == .pageSize ? 0 : 2)
        return switch key {
        case .resolution where width == height: fill("%@ dpi", width)
        case .resolution: fill("%@ dpi", "\(width) × \(height)")
        case .pageSize: fill("%@ mm", "\(width) × \(height)")
        default: "\(width) × \(height)"
        }
    }

    private func text(of location: FilePropertyValue.Location) -> String {
        let latitude = fill(location.latitude < 0 ? "%@° S" : "%@° N", decimal(abs(location.latitude), digits: 6))
        let longitude = fill(location.longitude < 0 ? "%@° W" : "%@° E", decimal(abs(location.longitude), digits: 6))
        guard let altitude = location.altitude else { return "\(latitude), \(longitude)" }
        return "\(latitude), \(longitude), \(fill("%@ m", decimal(altitude, digits: 1)))"
    }

    /// Hours, if there are any, minutes and seconds.
    private static func clock(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let rounded = attoseconds >= 500_000_000_000_000_000 && seconds < .max ? seconds + 1 : seconds
        let (hours, minutes, rest) = (rounded / 3600, rounded / 60 % 60, rounded % 60)
        return hours > 0
            ? String(format: "%lld:%02lld:%02lld", hours, minutes, rest) : String(format: "%lld:%02lld", minutes, rest)
    }

    private func fill(_ pattern: String, _ text: String) -> String {
        translate(pattern).replacingOccurrences(of: "%@", with: text)
    }

    /// A file's own words may hold what moves a terminal's cursor.
    private func shown(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: if scalar == "\n" || scalar == "\t" { scalars.append(" ") }
            // Characters that change the direction of the words after them.
            case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                break
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
