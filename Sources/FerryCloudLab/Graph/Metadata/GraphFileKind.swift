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
