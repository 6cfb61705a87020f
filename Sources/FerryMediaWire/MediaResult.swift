/// What the program has made.
package enum MediaResult: Sendable, Hashable {
    /// A small picture.
    case thumbnail(ThumbnailResult)
    /// What a file says about itself, in the order in which to show it.
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
    /// What it is encoded as.
    package var format: PictureFormat

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - data: The encoded picture.
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - format: What it is encoded as.
    package init(data: [UInt8], width: Int, height: Int, format: PictureFormat) {
        self.data = data
        self.width = width
        self.height = height
        self.format = format
    }
}

/// One property of a file.
package struct PropertyEntry: Sendable, Hashable {
    /// Which it is, as the library's typed keys name it.
    package var key: String
    /// What it is.
    package var value: PropertyEntryValue

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - key: Which it is.
    ///   - value: What it is.
    package init(_ key: String, _ value: PropertyEntryValue) {
        self.key = key
        self.value = value
    }
}

/// A typed value on its way.
package enum PropertyEntryValue: Sendable, Hashable {
    /// Words.
    case text(String)
    /// Several words of the same meaning, such as keywords or permissions.
    case texts([String])
    /// A count.
    case integer(Int64)
    /// A measure; its unit follows from the key.
    case number(Double)
    /// Seconds since 1970 in UTC, and the seconds to add for the local time where it was noted, if that is known.
    case date(Double, offset: Int32?)
    /// A time of the day on a wall, such as EXIF notes it without a zone: its text in ISO 8601.
    case localDate(String)
    /// Width and height; the unit follows from the key.
    case size(width: Double, height: Double)
    /// Degrees north and east, metres above the sea.
    case location(latitude: Double, longitude: Double, altitude: Double?)
}
