import FerryCore

/// The identity of an item in the trash.
///
/// Dropbox has no trash of its own with items in it, but paths at which something was deleted: a file is known by its
/// last revision, a folder by its path.
enum DropboxTrashID: Sendable, Hashable {
    /// A file, by its last revision.
    case file(rev: String)
    /// A folder, by its path and the revisions of what was in it.
    case folder(key: String)

    private static let filePrefix = "rev:"
    private static let folderPrefix = "folder:"

    /// Reads an identity.
    ///
    /// - Parameter text: The text.
    init?(_ text: String) {
        if text.hasPrefix(Self.filePrefix) {
            self = .file(rev: String(text.dropFirst(Self.filePrefix.count)))
        } else if text.hasPrefix(Self.folderPrefix) {
            self = .folder(key: String(text.dropFirst(Self.folderPrefix.count)))
        } else {
            return nil
        }
    }

    /// The text.
    var text: String {
        switch self {
        case .file(let rev): Self.filePrefix + rev
        case .folder(let key): Self.folderPrefix + key
        }
    }
}

/// An item of a folder that was removed.
struct TrashedContent: Sendable, Hashable {
    /// Its path below the folder.
    let path: ItemPath

    /// The last revision of a file; `nil` for a folder.
    let rev: String?
}
