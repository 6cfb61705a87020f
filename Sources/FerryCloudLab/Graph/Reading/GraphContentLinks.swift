import FerryCrypto
import Foundation

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
