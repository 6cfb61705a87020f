public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: FileProviderChangeTracking {
    /// Entries that one portion of changes has, give or take a page: a move is reported as two of them.
    private static let portion = 1_000

    /// Returns the present moment in the account's history.
    ///
    /// - Returns: A cursor.
    /// - Throws: Errors of the connection.
    public func currentAnchor() async throws -> ChangeAnchor {
        ChangeAnchor(token: try await latestCursor(of: .root))
    }

    /// Returns what has changed since an anchor.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Returns: Changes; a move of an item that was seen before is told as one.
    /// - Throws: `AnchorExpiredError` when Dropbox no longer knows the cursor.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        do {
            let (entries, cursor, hasMore) = try await entries(since: anchor.token, about: .root)
            let arrived = Set(entries.lazy.filter(\.isFolder).compactMap(\.key))
            try await learnSpelling(of: entries.lazy.compactMap(\.pathDisplay), besides: arrived)
            return ChangeSet(
                changes: DropboxChanges(entries, seen: seen).tracked,
                anchor: ChangeAnchor(token: cursor),
                hasMore: hasMore
            )
        } catch let error as DropboxError {
            throw error.mappedForAnchor
        }
    }

    /// Returns the cursor of a tree's present state.
    ///
    /// - Parameter path: The folder at its top.
    /// - Returns: The cursor.
    /// - Throws: The error of the table.
    func latestCursor(of path: ItemPath) async throws -> String {
        let answer = try await mappingRefusals {
            try await connection.call(
                "files/list_folder/get_latest_cursor",
                ["path": .text(DropboxPath.text(path)), "recursive": true],
                about: path
            )
        }
        guard let cursor = answer["cursor"].string else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox gives no cursor")
        }
        return cursor
    }

    /// Collects a portion of what has happened since a cursor.
    ///
    /// - Parameters:
    ///   - cursor: The cursor.
    ///   - path: The folder that it is of.
    /// - Returns: Entries in order, the cursor to go on from, and whether more is known already.
    /// - Throws: ``DropboxError``; errors of the connection.
    func entries(
        since cursor: String,
        about path: ItemPath
    ) async throws -> (entries: [DropboxMetadata], cursor: String, hasMore: Bool) {
        var entries: [DropboxMetadata] = []
        var (cursor, hasMore) = (cursor, true)
        while hasMore, entries.count < Self.portion {
            let page = try await page(of: path, cursor, isRecursive: true)
            if page.hasMore, page.cursor == cursor { throw URLError.repeatedPage(of: "changes") }
            entries += page.entries
            (cursor, hasMore) = (page.cursor, page.hasMore)
        }
        return (entries, cursor, hasMore)
    }
}

extension DropboxError {
    /// The error that a caller gets who has given an anchor.
    var mappedForAnchor: any Error {
        // A text that is no cursor is a malformed call.
        guard reason == .reset || answeredStatusCode == 400 else { return mapped() }
        return AnchorExpiredError(serverDescription: serverDescription)
    }
}
