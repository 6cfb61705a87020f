import FerryCore
import Foundation

/// What Nextcloud's Photos app finds in pictures, as properties of WebDAV.
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
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { properties.append(.init(name: name, value: value)) }
        }
        if let sides = told[size], let width = sides["width"], let height = sides["height"] {
            add("Dimensions", "\(width) × \(height)")
        }
        let taken = told[date]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        add("Date taken", taken?.iso8601)
        add("Device maker", told[camera]?["Make"])
        add("Device model", told[camera]?["Model"])
        add("Exposure time", told[exposure]?["ExposureTime"])
        add("F number", told[exposure]?["FNumber"])
        add("ISO speed", told[exposure]?["ISOSpeedRatings"])
        add("Focal length", told[exposure]?["FocalLength"])
        if let latitude = told[position]?["latitude"], let longitude = told[position]?["longitude"] {
            add("Location", "\(latitude), \(longitude)")
        }
        add("Place", told[place]?.text.trimmingCharacters(in: .whitespacesAndNewlines))
        return properties
    }
}

extension WebDAVElement {
    /// The text of a child, whatever its namespace.
    fileprivate subscript(name: String) -> String? {
        children.first { $0.name.name == name }?.text
    }
}
