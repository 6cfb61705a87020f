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
