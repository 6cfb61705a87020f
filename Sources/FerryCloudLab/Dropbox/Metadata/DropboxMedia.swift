import Foundation

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
