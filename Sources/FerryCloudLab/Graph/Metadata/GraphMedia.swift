import Foundation

/// The facets of photos, videos and songs: what the test has said, and for PNG pictures the size in their header.
enum GraphMedia {
    /// Returns the facets of a file.
    static func facets(of item: CloudItem, _ version: CloudVersion) -> [(String, JSONValue)] {
        var facets: [(String, JSONValue)] = []
        let media = item.media ?? CloudMedia()
        switch GraphFileKind(name: item.name) {
        case .image:
            var image = JSONObject()
            if let size = size(of: item, version) {
                image["width"] = .integer(Int64(size.width))
                image["height"] = .integer(Int64(size.height))
            }
            facets.append(("image", .object(image)))
            facets.append(("photo", .object(photo(media))))
        case .video:
            var video = JSONObject()
            if let width = media.width { video["width"] = .integer(Int64(width)) }
            if let height = media.height { video["height"] = .integer(Int64(height)) }
            if let duration = media.duration { video["duration"] = .integer(milliseconds(duration)) }
            facets.append(("video", .object(video)))
            if media.taken != nil { facets.append(("photo", .object(photo(media)))) }
        case .audio: facets.append(("audio", .object(audio(media))))
        case .office, .other: return []
        }
        if let latitude = media.latitude, let longitude = media.longitude {
            facets.append(("location", ["latitude": .number(latitude), "longitude": .number(longitude)]))
        }
        return facets
    }

    /// Returns the size of a picture in pixels, if it is known.
    static func size(of item: CloudItem, _ version: CloudVersion) -> (width: Int, height: Int)? {
        if let width = item.media?.width, let height = item.media?.height { return (width, height) }
        let header = version.content.part(0..<24).bytes
        guard header.count == 24, Array(header[1..<4]) == Array("PNG".utf8) else { return nil }
        func number(at index: Int) -> Int { header[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(at: 16), number(at: 20))
    }

    private static func photo(_ media: CloudMedia) -> JSONObject {
        var photo = JSONObject()
        if let taken = media.taken { photo["takenDateTime"] = .string(GraphTimestamp.text(taken, isPrecise: true)) }
        if let make = media.cameraMake { photo["cameraMake"] = .string(make) }
        if let model = media.cameraModel { photo["cameraModel"] = .string(model) }
        return photo
    }

    private static func audio(_ media: CloudMedia) -> JSONObject {
        var audio = JSONObject()
        if let title = media.title { audio["title"] = .string(title) }
        if let artist = media.artist { audio["artist"] = .string(artist) }
        if let album = media.album { audio["album"] = .string(album) }
        if let duration = media.duration { audio["duration"] = .integer(milliseconds(duration)) }
        return audio
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}

/// The kind of a file, by the extension of its name.
enum GraphFileKind: Sendable {
    case image, video, audio, office, other

    init(name: String) {
        switch name.split(separator: ".").last?.lowercased() ?? "" {
        case "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic": self = .image
        case "mp4", "mov", "avi", "mkv", "m4v", "wmv": self = .video
        case "mp3", "m4a", "wma", "aac", "flac": self = .audio
        case "docx", "xlsx", "pptx": self = .office
        default: self = .other
        }
    }

    /// Returns the media type of a file.
    static func mimeType(name: String) -> String {
        switch name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : "" {
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "gif": "image/gif"
        case "heic": "image/heic"
        case "mp4", "m4v": "video/mp4"
        case "mov": "video/quicktime"
        case "mp3": "audio/mpeg"
        case "m4a": "audio/mp4"
        case "txt": "text/plain"
        case "html", "htm": "text/html"
        case "pdf": "application/pdf"
        case "zip": "application/zip"
        case "json": "application/json"
        case "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        case "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        case "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation"
        default: "application/octet-stream"
        }
    }
}
