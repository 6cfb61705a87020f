/// The kind of a file as searches tell it, by the extension of the name.
enum DropboxCategory: String, Sendable, CaseIterable {
    case image, document, pdf, spreadsheet, presentation, audio, video, folder, paper, others

    init?(name: String) {
        let suffix = name.split(separator: ".").last?.lowercased() ?? ""
        switch suffix {
        case "jpg", "jpeg", "png", "tiff", "tif", "gif", "webp", "ppm", "bmp": self = .image
        case "doc", "docx", "txt", "rtf", "odt", "md": self = .document
        case "pdf": self = .pdf
        case "xls", "xlsx", "csv", "ods": self = .spreadsheet
        case "ppt", "pptx", "odp", "key": self = .presentation
        case "mp3", "wav", "flac", "aac", "m4a", "ogg": self = .audio
        case "mp4", "mov", "avi", "mkv", "m4v": self = .video
        case "paper": self = .paper
        default: return nil
        }
    }
}
