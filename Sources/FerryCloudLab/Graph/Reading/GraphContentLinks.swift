import FerryCrypto
import Foundation
import NIOHTTP1

/// A maker of pre-authorised addresses, which carry all that they open, and a seal.
struct GraphContentLinks: Sendable {
    /// The property of an item that holds its address.
    static let property = "@microsoft.graph.downloadUrl"

    /// The base URL, without a slash at its end.
    let base: String
    let secret: String
    /// The date after which the addresses are refused.
    let expires: Date

    /// Returns the address of a version of a file.
    func downloadURL(of item: CloudItem, _ version: CloudVersion, in drive: GraphDrive) -> String {
        let seconds = Int64(expires.timeIntervalSince1970)
        let facts = "\(drive.id)/\(item.id)/\(version.number)"
        return "\(base)/download/\(GraphText.encoded(facts, leaving: "/!"))?tempauth=\(seconds).\(seal(facts, seconds))"
    }

    /// Returns the address of a thumbnail, which changes when the file does.
    func thumbnailURL(of item: CloudItem, _ version: CloudVersion, in drive: GraphDrive, _ size: String) -> String {
        let facts = "\(drive.id)/\(item.id)/\(version.number)/\(size)"
        return "\(base)/thumbnail/\(GraphText.encoded(facts, leaving: "/!"))?tempauth=0.\(seal(facts, 0))"
    }

    /// Returns the seal of an address.
    func seal(_ facts: String, _ seconds: Int64) -> String {
        let digest = HashAlgorithm.sha256.hash(Array("\(secret)/\(facts)/\(seconds)".utf8))
        return Data(digest.prefix(15)).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }
}

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
