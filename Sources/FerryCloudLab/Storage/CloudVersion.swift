import Foundation

/// A version of a file.
struct CloudVersion: Sendable {
    /// The number of the version, which no other version of any file has.
    let number: Int
    let itemID: CloudItem.ID
    let content: CloudContent
    let hashes: [CloudHashKind: String]
    /// The modification date that the client has set.
    let clientModified: Date
    /// The date at which the service has stored the version.
    let serverModified: Date
    /// The names from the root down to the file at the time of writing.
    let path: [String]

    var size: Int64 { content.count }
}
