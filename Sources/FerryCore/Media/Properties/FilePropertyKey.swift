/// The key of a file's property.
///
/// A key of your own is a string that no other has, such as `com.example.rating`.
public struct FilePropertyKey: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Its name in data, in lower camel case.
    public let rawValue: String

    /// Makes a key.
    ///
    /// - Parameter rawValue: Its name in data.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a key of a literal.
    ///
    /// - Parameter value: Its name in data.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Reads what ``encode(to:)`` wrote: a plain string.
    ///
    /// - Parameter decoder: Where it is.
    /// - Throws: `DecodingError` for what is no string.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes a plain string.
    ///
    /// - Parameter encoder: Where it goes.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Its name in data.
    public var description: String { rawValue }
}

// MARK: - Pictures

extension FilePropertyKey {
    /// Pixels from left to right and from top to bottom, as they are stored: a size.
    public static let dimensions: Self = "dimensions"
    /// Dots per inch from left to right and from top to bottom: a size.
    public static let resolution: Self = "resolution"
    /// The turn that makes a picture upright: a number from 1 to 8, as EXIF has it; 1 is upright.
    public static let orientation: Self = "orientation"
    /// The camera's maker: text.
    public static let deviceMaker: Self = "deviceMaker"
    /// The model of the camera: text.
    public static let deviceModel: Self = "deviceModel"
    /// The lens: text.
    public static let lens: Self = "lens"
    /// The photographer or the musician: text.
    public static let artist: Self = "artist"
    /// The copyright notice: text.
    public static let copyright: Self = "copyright"
    /// The date at which it was taken: a date.
    public static let dateTaken: Self = "dateTaken"
    /// The place where it was taken: a location.
    public static let location: Self = "location"
    /// The name of the place where it was taken: text.
    public static let area: Self = "area"
    /// The colour space, such as `sRGB`, `RGB`, `CMYK`, `Gray`: text.
    public static let colorSpace: Self = "colorSpace"
    /// Bits for each of a pixel's channels: a whole number.
    public static let colorDepth: Self = "colorDepth"
    /// The name of the colour profile that is embedded: text.
    public static let colorProfile: Self = "colorProfile"
    /// The lens's focal length in millimetres: a number.
    public static let focalLength: Self = "focalLength"
    /// `auto` or `manual`: a word.
    public static let whiteBalance: Self = "whiteBalance"
    /// The aperture: a number, such as 2.8.
    public static let fNumber: Self = "fNumber"
    /// The exposure program of the camera, such as `aperturePriority`: a word.
    public static let exposureProgram: Self = "exposureProgram"
    /// The time for which light fell in, in seconds: a fraction.
    public static let exposureTime: Self = "exposureTime"
    /// The sensitivity: a whole number.
    public static let isoSpeed: Self = "isoSpeed"
}

// MARK: - Sound and moving pictures

extension FilePropertyKey {
    /// The album: text.
    public static let album: Self = "album"
    /// The artist of the album: text.
    public static let albumArtist: Self = "albumArtist"
    /// The number on the album: a whole number.
    public static let track: Self = "track"
    /// The number of pieces on the album: a whole number.
    public static let trackCount: Self = "trackCount"
    /// The number of the disc: a whole number.
    public static let disc: Self = "disc"
    /// The year of publication: a whole number.
    public static let year: Self = "year"
    /// The kind of music: text.
    public static let genre: Self = "genre"
    /// The composer: text.
    public static let composer: Self = "composer"
    /// The playing time: a duration.
    public static let duration: Self = "duration"
    /// Bits per second of all streams: a whole number.
    public static let bitRate: Self = "bitRate"
    /// Bits per second of the pictures: a whole number.
    public static let videoBitRate: Self = "videoBitRate"
    /// Bits per second of the sound: a whole number.
    public static let audioBitRate: Self = "audioBitRate"
    /// The codec of the pictures, such as `h264`: text.
    public static let videoCodec: Self = "videoCodec"
    /// The codec of the sound, such as `aac`: text.
    public static let audioCodec: Self = "audioCodec"
    /// Pictures per second: a number.
    public static let frameRate: Self = "frameRate"
    /// Samples of the sound per second: a whole number.
    public static let sampleRate: Self = "sampleRate"
    /// Channels of the sound: a whole number.
    public static let channels: Self = "channels"
}

// MARK: - Documents and archives

extension FilePropertyKey {
    /// The title: text.
    public static let title: Self = "title"
    /// The author: text.
    public static let author: Self = "author"
    /// The last editor: text.
    public static let lastAuthor: Self = "lastAuthor"
    /// The subject: text.
    public static let subject: Self = "subject"
    /// Words to find it by: a list of texts.
    public static let keywords: Self = "keywords"
    /// A comment on it: text.
    public static let comment: Self = "comment"
    /// The program that it was written with: text.
    public static let creator: Self = "creator"
    /// The program that made the file: text.
    public static let producer: Self = "producer"
    /// For whom it was written: text.
    public static let company: Self = "company"
    /// The version of the file's format: text.
    public static let version: Self = "version"
    /// The number of pages: a whole number.
    public static let pages: Self = "pages"
    /// The number of sheets: a whole number.
    public static let sheets: Self = "sheets"
    /// The number of slides: a whole number.
    public static let slides: Self = "slides"
    /// The number of words: a whole number.
    public static let words: Self = "words"
    /// The size of the first page in points, 72 of which are an inch: a size.
    public static let pageSize: Self = "pageSize"
    /// The date at which the contents were begun, by the file's own words: a date.
    public static let dateCreated: Self = "dateCreated"
    /// The date at which the contents were changed last, by the file's own words: a date.
    public static let dateModified: Self = "dateModified"
    /// Indicates whether it is encrypted: yes or no.
    public static let isEncrypted: Self = "isEncrypted"
    /// The actions that readers are permitted, such as `print`, `copy`: a list of words.
    public static let permissions: Self = "permissions"
    /// The number of files and folders in it: a whole number.
    public static let entryCount: Self = "entryCount"
    /// Bytes of all files in it, once they are unpacked: a whole number.
    public static let uncompressedSize: Self = "uncompressedSize"
}

// MARK: - All of them

extension FilePropertyKey {
    /// Every key that Ferry knows.
    public static let all: [Self] = [
        .dimensions, .resolution, .orientation, .deviceMaker, .deviceModel, .lens, .artist, .copyright, .dateTaken,
        .location, .area, .colorSpace, .colorDepth, .colorProfile, .focalLength, .whiteBalance, .fNumber,
        .exposureProgram, .exposureTime, .isoSpeed, .album, .albumArtist, .track, .trackCount, .disc, .year, .genre,
        .composer, .duration, .bitRate, .videoBitRate, .audioBitRate, .videoCodec, .audioCodec, .frameRate,
        .sampleRate, .channels, .title, .author, .lastAuthor, .subject, .keywords, .comment, .creator, .producer,
        .company, .version, .pages, .sheets, .slides, .words, .pageSize, .dateCreated, .dateModified, .isEncrypted,
        .permissions, .entryCount, .uncompressedSize,
    ]
}
