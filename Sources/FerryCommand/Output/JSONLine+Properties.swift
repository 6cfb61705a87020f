import FerryCore
import Foundation

extension JSONLine {
    /// Adds the key `properties` with what a file says about itself, in order.
    mutating func properties(_ properties: FileProperties) {
        object("properties") { line in
            for property in properties.properties {
                line.key(property.key.rawValue)
                line.value(property.value)
            }
        }
    }

    /// Adds a value with its type.
    private mutating func value(_ value: FilePropertyValue) {
        switch value {
        case .text(let text), .word(let text): string(text)
        case .integer(let number): self.number(number)
        case .decimal(let number): self.number(exact: number)
        case .fraction(let fraction): number(exact: fraction.doubleValue)
        case .boolean(let answer): boolean(answer)
        case .date(let date): string(Self.text(date))
        case .duration(let duration):
            let (seconds, attoseconds) = duration.components
            number(exact: Double(seconds) + Double(attoseconds) / 1e18)
        case .size(let size): numbers([("width", size.width), ("height", size.height)])
        case .location(let place):
            let altitude = place.altitude.map { [("altitude" as StaticString, $0)] } ?? []
            numbers([("latitude", place.latitude), ("longitude", place.longitude)] + altitude)
        case .list(let values):
            raw("[")
            for (index, element) in values.enumerated() {
                if index > 0 { raw(",") }
                self.value(element)
            }
            raw("]")
        }
    }

    private mutating func numbers(_ numbers: [(key: StaticString, value: Double)]) {
        begin()
        for (key, value) in numbers {
            self.key(key)
            number(exact: value)
        }
        endInner()
    }

    /// Adds a number, a whole one without decimals; `null` for what JSON has no number for.
    private mutating func number(exact value: Double) {
        guard value.isFinite else { return raw("null") }
        if let whole = Int64(exactly: value) { return number(whole) }
        append("\(value)")
    }

    /// In ISO 8601 as its clock showed it: without a zone, if none is known.
    private static func text(_ date: FilePropertyValue.WallDate) -> String {
        let clock = UTCTime.text(date.date.addingTimeInterval(TimeInterval(date.offset ?? 0))).dropLast()
        guard let offset = date.offset else { return String(clock) }
        if offset == 0 { return clock + "Z" }
        let minutes = abs(offset) / 60
        return clock + (offset < 0 ? "-" : "+") + "\(Quantity.padded(minutes / 60)):\(Quantity.padded(minutes % 60))"
    }
}
