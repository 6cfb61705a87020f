/// A result that the program has made.
package enum MediaResult: Sendable, Hashable {
    /// A small picture.
    case thumbnail(ThumbnailResult)
    /// The properties in a file, in the order in which to show them.
    case properties([PropertyEntry])
}

/// A small picture that was made.
package struct ThumbnailResult: Sendable, Hashable {
    /// The encoded picture.
    package var data: [UInt8]
    /// Pixels from left to right.
    package var width: Int
    /// Pixels from top to bottom.
    package var height: Int
    /// The format in which it is encoded.
    package var format: PictureFormat

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - data: The encoded picture.
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - format: The format in which it is encoded.
    package init(data: [UInt8], width: Int, height: Int, format: PictureFormat) {
        self.data = data
        self.width = width
        self.height = height
        self.format = format
    }
}

/// One property of a file.
package struct PropertyEntry: Sendable, Hashable {
    /// The property's key, as the library's typed keys name it.
    package var key: String
    /// The item as it is.
    package var value: PropertyEntryValue

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - key: Which it is.
    ///   - value: The property's value.
    package init(_ key: String, _ value: PropertyEntryValue) {
        self.key = key
        self.value = value
    }
}

/// A typed value on its way.
package enum PropertyEntryValue: Sendable, Hashable {
    /// Words of the file.
    case text(String)
    /// A word that the library's key names, and can translate, such as `aperturePriority`.
    case word(String)
    /// A whole number.
    case integer(Int64)
    /// A measure; its unit follows from the key.
    case number(Double)
    /// A fraction as it is in the file; the second number is more than 0.
    case fraction(Int64, Int64)
    /// Yes or no.
    case boolean(Bool)
    /// Seconds since 1970, and by how many seconds the clock that was read was ahead of UTC.
    ///
    /// Where nobody noted that, it is what the clock showed, taken as UTC.
    case date(seconds: Double, offset: Int32?)
    /// Seconds.
    case duration(Double)
    /// Width and height; the unit follows from the key.
    case size(Double, Double)
    /// Degrees north and east, metres above the sea.
    case location(latitude: Double, longitude: Double, altitude: Double?)
    /// Several of the same meaning, such as keywords or permissions; none of them is a list.
    case list([PropertyEntryValue])
}
