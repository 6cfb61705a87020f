import Foundation

extension DropboxCall {
    /// Answers `files/get_metadata`.
    func getMetadata() throws -> DropboxResult {
        try storage.read { tree in
            do {
                if flag("include_deleted"), let deleted = try deletedMetadata(text("path"), tree) {
                    return .json(.object(deleted))
                }
                if case .revision = try DropboxPath(text("path")) {
                    let (item, version) = try scope.version(text("path"), in: tree)
                    let path = item.flatMap { tree.path(of: $0.id, from: scope.base) }
                    let name = item?.name ?? version.path.last ?? ""
                    return .json(.object(scope.metadata(version, of: version.itemID, named: name, path: path)))
                }
                let item = try scope.item(text("path"), in: tree)
                guard item.id != scope.base else {
                    throw DropboxRefusal.malformed("request body: path: The root folder is unsupported.")
                }
                var fields = scope.metadata(item, in: tree)
                if flag("include_media_info"), let info = DropboxMedia.info(of: item) { fields["media_info"] = info }
                return .json(.object(fields))
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
    }

    private func deletedMetadata(_ path: String, _ tree: CloudTree) throws -> JSONObject? {
        guard case .path(let names, let namespace) = try DropboxPath(path) else { return nil }
        let absolute = (tree.path(of: try scope.start(namespace)) ?? []) + names
        guard tree.item(at: absolute) == nil, let grave = tree.grave(at: absolute) else { return nil }
        return scope.deletedMetadata(path: Array(grave.path.dropFirst(scope.basePath(in: tree).count)))
    }
}

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

/// The media information of a file; the lab looks at nothing but the name, and the header of PNG pictures.
enum DropboxMedia {
    /// Returns the media information; `nil` for a file that is neither a photo nor a video.
    static func info(of item: CloudItem) -> JSONValue? {
        guard let version = item.version else { return nil }
        switch DropboxCategory(name: item.name) {
        case .image?:
            let header = version.content.part(0..<24).bytes
            guard header.count == 24, Array(header[1..<4]) == Array("PNG".utf8) else { return [".tag": "pending"] }
            func number(at index: Int) -> Int64 { header[index..<index + 4].reduce(0) { $0 << 8 | Int64($1) } }
            return [
                ".tag": "metadata",
                "metadata": [
                    ".tag": "photo",
                    "dimensions": ["height": .integer(number(at: 20)), "width": .integer(number(at: 16))],
                ],
            ]
        case .video?: return [".tag": "pending"]
        default: return nil
        }
    }
}
