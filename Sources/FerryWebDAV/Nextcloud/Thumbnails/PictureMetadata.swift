import FerryCore
import Foundation

/// The properties that Nextcloud's Photos app finds in pictures, as properties of WebDAV.
enum PictureMetadata {
    private static let size = WebDAVPropertyName.nextcloud("metadata-photos-size")
    private static let date = WebDAVPropertyName.nextcloud("metadata-photos-original_date_time")
    private static let exposure = WebDAVPropertyName.nextcloud("metadata-photos-exif")
    private static let camera = WebDAVPropertyName.nextcloud("metadata-photos-ifd0")
    private static let position = WebDAVPropertyName.nextcloud("metadata-photos-gps")
    private static let place = WebDAVPropertyName.nextcloud("metadata-photos-place")

    static let names = [size, date, exposure, camera, position, place]

    /// The properties in the order in which to show them.
    static func properties(_ told: WebDAVProperties) -> [FileProperties.Property] {
        var properties: [FileProperties.Property] = []
        func add(_ key: FilePropertyKey, _ value: FilePropertyValue?) {
            if let value, value.string?.isEmpty != true { properties.append(.init(key, value)) }
        }
        if let sides = told[size], let width = sides["width"].flatMap(Double.init),
            let height = sides["height"].flatMap(Double.init)
        {
            add(.dimensions, .size(.init(width: width, height: height)))
        }
        add(.deviceMaker, told[camera]?["Make"].map { .text($0) })
        add(.deviceModel, told[camera]?["Model"].map { .text($0) })
        // The server makes seconds of what the camera's clock showed, as if it were UTC.
        let taken = told[date]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        add(.dateTaken, taken.map { .date(.init($0)) })
        if let latitude = told[position]?["latitude"].flatMap(Double.init),
            let longitude = told[position]?["longitude"].flatMap(Double.init)
        {
            let altitude = told[position]?["altitude"].flatMap(Double.init)
            let location = FilePropertyValue.Location(latitude: latitude, longitude: longitude, altitude: altitude)
            add(.location, location.map { .location($0) })
        }
        add(.area, told[place].map { .text($0.text.trimmingCharacters(in: .whitespacesAndNewlines)) })
        add(.focalLength, told[exposure]?["FocalLength"].flatMap(number))
        add(.fNumber, told[exposure]?["FNumber"].flatMap(number))
        add(.exposureTime, told[exposure]?["ExposureTime"].flatMap(number))
        add(.isoSpeed, told[exposure]?["ISOSpeedRatings"].flatMap { Int64($0) }.map { .integer($0) })
        return properties
    }

    /// A number as PHP reads it from EXIF: `28/10`, `0.004`, `24`.
    private static func number(_ text: String) -> FilePropertyValue? {
        let parts = text.split(separator: "/", maxSplits: 1)
        if parts.count == 2, let numerator = Int64(parts[0]), let denominator = Int64(parts[1]) {
            return FilePropertyValue.Fraction(numerator, over: denominator).map { .fraction($0) }
        }
        return Double(text).flatMap { $0.isFinite ? .decimal($0) : nil }
    }
}

extension WebDAVElement {
    /// The text of a child, whatever its namespace.
    fileprivate subscript(name: String) -> String? {
        children.first { $0.name.name == name }?.text
    }
}
