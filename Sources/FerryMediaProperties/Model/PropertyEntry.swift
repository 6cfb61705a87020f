/// What a file says about something.
package struct PropertyEntry: Sendable, Hashable {
    /// What it is about: one of the names that FerryCore's keys have.
    package let key: String
    /// What is said.
    package let value: PropertyValue

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - key: What it is about.
    ///   - value: What is said.
    package init(key: String, value: PropertyValue) {
        self.key = key
        self.value = value
    }
}

/// A typed value.
package indirect enum PropertyValue: Sendable, Hashable {
    /// Words of the file.
    case text(String)
    /// A word that FerryCore knows.
    case word(String)
    /// A whole number.
    case integer(Int64)
    /// A number.
    case decimal(Double)
    /// A fraction; the second number is more than 0.
    case fraction(Int64, Int64)
    /// Yes or no.
    case boolean(Bool)
    /// Seconds since 1970, and by how many seconds the clock was ahead of UTC.
    case date(seconds: Double, offset: Int?)
    /// Seconds.
    case duration(Double)
    /// A width and a height.
    case size(Double, Double)
    /// Degrees north and east, and metres above the sea.
    case location(latitude: Double, longitude: Double, altitude: Double?)
    /// Several.
    case list([PropertyValue])
}
