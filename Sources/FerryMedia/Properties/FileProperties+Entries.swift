import FerryCore
import FerryMediaWire
import Foundation

extension FileProperties {
    /// Makes properties of the entries that the program has read; those that make no sense are left out.
    ///
    /// - Parameter entries: In the order in which to show them.
    init(entries: [PropertyEntry]) {
        self.init(
            entries.compactMap { entry in
                FilePropertyValue(entry.value).map { Property(FilePropertyKey(rawValue: entry.key), $0) }
            }
        )
    }
}

extension FilePropertyValue {
    /// Seconds from 1970 that a date can have: thousands of years, and far from where arithmetic ends.
    private static let seconds = -1e12...1e12
    /// Seconds by which a clock can be ahead of UTC.
    private static let offsets = (-24 * 3600)...(24 * 3600)

    /// Takes over a value from the program, unless nothing can be like that.
    init?(_ value: PropertyEntryValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .word(let word): self = .word(word)
        case .integer(let number): self = .integer(number)
        case .number(let number):
            guard number.isFinite else { return nil }
            self = .decimal(number)
        case .fraction(let numerator, let denominator):
            guard let fraction = Fraction(numerator, over: denominator) else { return nil }
            self = .fraction(fraction)
        case .boolean(let answer): self = .boolean(answer)
        case .date(let seconds, let offset):
            guard Self.seconds.contains(seconds) else { return nil }
            let known = offset.map { Int($0) }.flatMap { Self.offsets.contains($0) ? $0 : nil }
            self = .date(WallDate(Date(timeIntervalSince1970: seconds), offset: known))
        case .duration(let seconds):
            guard Self.seconds.contains(seconds), seconds >= 0 else { return nil }
            self = .duration(.seconds(seconds))
        case .size(let width, let height):
            guard width.isFinite, height.isFinite else { return nil }
            self = .size(Size(width: width, height: height))
        case .location(let latitude, let longitude, let altitude):
            let known = altitude.flatMap { $0.isFinite ? $0 : nil }
            guard let location = Location(latitude: latitude, longitude: longitude, altitude: known) else { return nil }
            self = .location(location)
        case .list(let values): self = .list(values.compactMap { FilePropertyValue($0) })
        }
    }
}
