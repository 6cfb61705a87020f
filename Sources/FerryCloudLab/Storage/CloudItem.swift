import Foundation

/// A file or a folder in a ``CloudTree``.
struct CloudItem: Sendable {
    /// The number of an item, which it keeps for good; services show it as text of their own form.
    typealias ID = Int

    let id: ID
    var name: String
    /// The folder that holds the item; `nil` for the root.
    var parent: ID?
    /// The current version of a file; `nil` for a folder.
    var version: CloudVersion?
    /// The contents in the formats into which the service exports a document that has no bytes of its own, the default
    /// first; empty for a plain file.
    var exports: [CloudExport] = []
    /// The kind of the item in the eyes of the service.
    var role = CloudRole.plain
    /// The properties of a photo, a video or a song, if a test has set some.
    var media: CloudMedia?
    /// The number of changes of the item so far.
    var revision = 0
    /// The creation date that the client has set.
    var clientCreated: Date?
    /// The modification date that the client has set later than the version was made, or for a folder.
    var clientModified: Date?
    /// The date at which the item was made.
    var created: Date
    /// The date of the last change of the item itself.
    var modified: Date
    /// The date at which the item itself was moved to the trash.
    var deleted: Date?

    var isFolder: Bool { version == nil }
}

/// The kind of an item in the eyes of a service, beside file and folder.
enum CloudRole: Sendable, Hashable {
    case plain
    /// A folder that is shown as one document, such as a notebook.
    case package(type: String)
    /// A folder that stands for one in another storage.
    case shortcut(storeID: String, itemID: CloudItem.ID)
    /// A folder that the service looks up by a name of its own, such as `approot`.
    case special(name: String)
    /// A file in which the service has found a virus.
    case infected
}

extension CloudRole {
    /// A Boolean value that indicates whether a folder shows what is in it.
    var isPlainFolder: Bool {
        switch self {
        case .plain, .special: true
        case .package, .shortcut, .infected: false
        }
    }
}

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

/// A format into which a service exports a document of its own kind.
struct CloudExport: Sendable {
    /// The service's word for the format, such as `markdown`.
    let format: String
    let content: CloudContent
}

/// A name under which something was deleted.
struct CloudGrave: Sendable {
    let itemID: CloudItem.ID
    let path: [String]
    let isFolder: Bool
    let date: Date
}

/// An entry of the change log.
struct CloudChange: Sendable {
    /// The position in the log, from 1.
    let number: Int
    let itemID: CloudItem.ID
    /// The names from the root down to the item, after an addition or change and before a removal.
    let path: [String]
    let isRemoval: Bool
}
