import FerryCore
import FerryHTTP
import Foundation

/// The facets of an item that tell of pictures, films and music.
struct OneDriveMediaFacets: Sendable {
    private let image: JSONValue
    private let photo: JSONValue
    private let video: JSONValue
    private let audio: JSONValue
    private let location: JSONValue

    /// Reads the facets of an item.
    ///
    /// - Parameter item: The item.
    init(_ item: GraphItem) {
        (image, photo) = (item.image ?? .null, item.photo ?? .null)
        (video, audio, location) = (item.video ?? .null, item.audio ?? .null, item.location ?? .null)
    }

    /// A Boolean value that indicates whether the item has none of them.
    var isEmpty: Bool { [image, photo, video, audio, location].allSatisfy { $0 == .null } }

    /// The properties in the order in which to show them.
    var properties: [FileProperties.Property] {
        (dimensions + photography + film + music).compactMap(\.self)
    }

    private typealias Property = FileProperties.Property

    private var dimensions: [Property?] {
        let source = image["width"].integer ?? 0 > 0 ? image : video
        guard let width = source["width"].integer, let height = source["height"].integer, width > 0, height > 0 else {
            return []
        }
        return [Property(.dimensions, .size(.init(width: Double(width), height: Double(height))))]
    }

    /// See <https://learn.microsoft.com/graph/api/resources/photo>.
    private var photography: [Property?] {
        [
            OneDriveDate.date(photo["takenDateTime"].string).map { Property(.dateTaken, .date(.init($0))) },
            place.map { Property(.location, .location($0)) },
            text(photo["cameraMake"], .deviceMaker), text(photo["cameraModel"], .deviceModel),
            decimal(photo["focalLength"], .focalLength), decimal(photo["fNumber"], .fNumber),
            exposure.map { Property(.exposureTime, .fraction($0)) },
            integer(photo["iso"], .isoSpeed), integer(photo["orientation"], .orientation),
        ]
    }

    /// See <https://learn.microsoft.com/graph/api/resources/video>: milliseconds, bits per second.
    private var film: [Property?] {
        [
            duration(video), integer(video["bitrate"], .bitRate), text(video["fourCC"], .videoCodec),
            text(video["audioFormat"], .audioCodec), decimal(video["frameRate"], .frameRate),
            integer(video["audioSamplesPerSecond"], .sampleRate), integer(video["audioChannels"], .channels),
        ]
    }

    /// See <https://learn.microsoft.com/graph/api/resources/audio>: milliseconds, thousands of bits per second.
    private var music: [Property?] {
        [
            text(audio["title"], .title), text(audio["artist"], .artist), text(audio["album"], .album),
            text(audio["albumArtist"], .albumArtist), integer(audio["track"], .track),
            integer(audio["trackCount"], .trackCount), integer(audio["disc"], .disc), integer(audio["year"], .year),
            text(audio["genre"], .genre), text(audio["composers"], .composer), text(audio["copyright"], .copyright),
            duration(audio), integer(audio["bitrate"], .bitRate, times: 1_000),
        ]
    }

    private var place: FilePropertyValue.Location? {
        guard let latitude = location["latitude"].number, let longitude = location["longitude"].number else {
            return nil
        }
        // The vendor counts altitudes in feet.
        let altitude = location["altitude"].number.map { $0 * 0.304_8 }
        return FilePropertyValue.Location(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    private var exposure: FilePropertyValue.Fraction? {
        guard let numerator = photo["exposureNumerator"].number.flatMap({ Int64(exactly: $0) }),
            let denominator = photo["exposureDenominator"].number.flatMap({ Int64(exactly: $0) }), numerator > 0
        else { return nil }
        return FilePropertyValue.Fraction(numerator, over: denominator)
    }

    // MARK: Values; 0 and the empty text stand for unknown ones

    private func text(_ value: JSONValue, _ key: FilePropertyKey) -> Property? {
        value.string.flatMap { $0.isEmpty ? nil : Property(key, .text($0)) }
    }

    private func integer(_ value: JSONValue, _ key: FilePropertyKey, times factor: Int64 = 1) -> Property? {
        guard let number = value.integer, number > 0 else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : Property(key, .integer(product))
    }

    private func decimal(_ value: JSONValue, _ key: FilePropertyKey) -> Property? {
        value.number.flatMap { $0 > 0 ? Property(key, .decimal($0)) : nil }
    }

    private func duration(_ facet: JSONValue) -> Property? {
        facet["duration"].integer.flatMap { $0 > 0 ? Property(.duration, .duration(.milliseconds($0))) : nil }
    }
}
