import Foundation

/// The state behind a cursor of a listing; it never changes, so that a cursor can be used again.
struct DropboxCursor: Sendable {
    /// An entry that a listing found at its start.
    enum Found: Sendable {
        case item(CloudItem.ID)
        case deleted([String])
    }

    let account: DropboxAccount
    let scope: DropboxScope
    /// The names from the root of the storage down to the listed folder.
    let folder: [String]
    let isRecursive: Bool
    let includesDeleted: Bool
    let limit: Int
    /// The entries that the listing found; empty when the listing is over.
    let found: [Found]
    /// The number of entries that were given out.
    let position: Int
    /// The number of pages that were given out.
    let pageCount: Int
    /// The position in the change log up to which everything is known.
    let change: Int
    /// A Boolean value that indicates whether the client has to list again.
    var isReset = false
}

extension DropboxCursor {
    /// Returns the same cursor, further on.
    func advanced(found: [Found], position: Int, pageCount: Int, change: Int) -> DropboxCursor {
        DropboxCursor(
            account: account,
            scope: scope,
            folder: folder,
            isRecursive: isRecursive,
            includesDeleted: includesDeleted,
            limit: limit,
            found: found,
            position: position,
            pageCount: pageCount,
            change: change
        )
    }

    /// Returns `true` if a path is among those that the cursor covers.
    func covers(_ path: [String], names: CloudNameRule) -> Bool {
        guard path.count >= folder.count, isRecursive || path.count == folder.count + 1 else { return false }
        if path.isEmpty { return false }
        return zip(path, folder).allSatisfy { names.key($0) == names.key($1) }
    }
}
