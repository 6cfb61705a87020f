public import Foundation

/// The value of a file's property.
///
/// Units follow from the ``FilePropertyKey``.
public enum FilePropertyValue: Sendable, Hashable, Codable {
    /// Words as they are in the file.
    case text(String)
    /// One of a few words that a key's description names, such as `aperturePriority`, which can be translated.
    case word(String)
    /// A whole number.
    case integer(Int64)
    /// A number.
    case decimal(Double)
    /// A fraction, such as 1/250.
    case fraction(Fraction)
    /// Yes or no.
    case boolean(Bool)
    /// A point in time, or on the wall clock.
    case date(WallDate)
    /// A length of time.
    case duration(Duration)
    /// A width and a height.
    case size(Size)
    /// A place on the earth.
    case location(Location)
    /// Several in order.
    case list([FilePropertyValue])

    /// A fraction as it is in the file, never over zero.
    public struct Fraction: Sendable, Hashable, Codable {
        /// The dividend.
        public let numerator: Int64
        /// By what it is divided; more than 0.
        public let denominator: Int64

        /// Makes a value; there is none for a denominator below 1.
        ///
        /// - Parameters:
        ///   - numerator: The number to divide.
        ///   - denominator: By what.
        public init?(_ numerator: Int64, over denominator: Int64) {
            guard denominator > 0 else { return nil }
            self.numerator = numerator
            self.denominator = denominator
        }

        /// The number that it is.
        public var doubleValue: Double { Double(numerator) / Double(denominator) }
    }

    /// A date as somebody wrote it down: cameras know the time on their clock, and often not where on earth that was.
    public struct WallDate: Sendable, Hashable, Codable {
        /// The point in time; without an offset, what the clock showed, taken as UTC.
        public let date: Date
        /// Seconds by which that clock was ahead of UTC; `nil` if the file doesn't say.
        public let offset: Int?

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - date: The point in time; without an offset, what the clock showed, taken as UTC.
        ///   - offset: Seconds by which the clock was ahead of UTC, if known.
        public init(_ date: Date, offset: Int? = nil) {
            self.date = date
            self.offset = offset
        }
    }

    /// A width and a height.
    public struct Size: Sendable, Hashable, Codable {
        /// From left to right.
        public let width: Double
        /// From top to bottom.
        public let height: Double

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - width: From left to right.
        ///   - height: From top to bottom.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    /// A place on the earth.
    public struct Location: Sendable, Hashable, Codable {
        /// Degrees north of the equator, from −90 to 90.
        public let latitude: Double
        /// Degrees east of Greenwich, from −180 to 180.
        public let longitude: Double
        /// Metres above the sea, if known.
        public let altitude: Double?

        /// Makes a value; there is none for what is nowhere on earth.
        ///
        /// - Parameters:
        ///   - latitude: Degrees north.
        ///   - longitude: Degrees east.
        ///   - altitude: Metres above the sea, if known.
        public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }
}

// MARK: - Looking at one

extension FilePropertyValue {
    /// The text or word; `nil` for another kind.
    public var string: String? {
        switch self {
        case .text(let text), .word(let text): text
        default: nil
        }
    }

    /// The whole number; `nil` for another kind.
    public var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The number, whole or not, or the fraction's; `nil` for another kind.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number): number
        case .fraction(let fraction): fraction.doubleValue
        default: nil
        }
    }

    /// A rough number of bytes that it takes in memory.
    package var memoryCost: Int {
        switch self {
        case .text(let text), .word(let text): 64 + text.utf8.count
        case .list(let values): values.reduce(64) { $0 + $1.memoryCost }
        default: 64
        }
    }
}

extension FilePropertyValue.WallDate {
    /// From the year to the second, as its clock showed it, and that clock's offset if it is known:
    /// `2024-05-01 12:30:00 +02:00`.
    var written: String {
        let clock = date.addingTimeInterval(TimeInterval(offset ?? 0))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: clock)
        let text = String(
            format: "%04d-%02d-%02d %02d:%02d:%02d",
            parts.year ?? 0,
            parts.month ?? 0,
            parts.day ?? 0,
            parts.hour ?? 0,
            parts.minute ?? 0,
            parts.second ?? 0
        )
        guard let offset else { return text }
        let minutes = abs(offset) / 60
        return text + String(format: "%@%02d:%02d", offset < 0 ? " -" : " +", minutes / 60, minutes % 60)
    }
}
