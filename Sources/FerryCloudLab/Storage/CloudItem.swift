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
    /// The date at which the item was made.
    var created: Date
    /// The date of the last change of the item itself.
    var modified: Date
    /// The date at which the item itself was moved to the trash.
    var deleted: Date?

    var isFolder: Bool { version == nil }
}
