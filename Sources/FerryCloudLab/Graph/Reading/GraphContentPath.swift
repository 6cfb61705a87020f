import Foundation
import NIOHTTP1

/// A pre-authorised address: a file, a thumbnail, an upload or a copy.
enum GraphContentPath: Sendable {
    case download([String])
    case thumbnail([String])
    case upload(String, HTTPMethod)
    case monitor(String)

    /// Reads a path; `nil` for one that the lab hasn't made.
    init?(_ method: HTTPMethod, _ path: String) {
        let parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        switch (parts.first, parts.count) {
        case ("download"?, 4): self = .download(Array(parts.dropFirst()))
        case ("thumbnail"?, 5): self = .thumbnail(Array(parts.dropFirst()))
        case ("up"?, 2): self = .upload(parts[1], method)
        case ("monitor"?, 2): self = .monitor(parts[1])
        default: return nil
        }
    }

    /// The word under which the journal has the operation.
    var route: String {
        switch self {
        case .download: "download"
        case .thumbnail: "thumbnailDownload"
        case .monitor: "monitor"
        case .upload(_, .PUT): "fragment"
        case .upload(_, .DELETE): "cancelUpload"
        case .upload(_, .POST): "commitSession"
        case .upload: "uploadState"
        }
    }
}
