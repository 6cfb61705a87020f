public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Returns the items of a folder, page by page.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The listing. When Dropbox lets go of a cursor, the listing begins anew, and nothing is listed twice.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = DropboxPages(self, path: path)
            return { try await pages.next() }
        }
    }

    /// Returns what Dropbox knows about one item.
    ///
    /// - Parameter path: The item; `id:` and `rev:` paths lead to it as well.
    /// - Returns: The item, its name as Dropbox spells it.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try DropboxPath.checkAddress(path)
        return try await mappingRefusals {
            let data = try await connection.answer(to: attributesRequest(path: path), about: path)
            if path.isRoot { return FileObject(path: .root, type: .directory) }
            let metadata = try DropboxConnection.decoded(DropboxMetadata.self, from: data)
            if path.beginsWithIdentifier, let text = metadata.pathDisplay { try await learnSpelling(of: [text]) }
            let item = try item(metadata, at: path)
            seen.note(item)
            return item
        }
    }

    /// Returns the item that metadata describe.
    ///
    /// - Parameters:
    ///   - metadata: The description of the item.
    ///   - path: The path that was asked for.
    /// - Returns: The item.
    /// - Throws: `CocoaError.fileNoSuchFile` for what is deleted.
    func item(_ metadata: DropboxMetadata, at path: ItemPath) throws -> FileObject {
        var folder = path.parent
        var isMounted = true
        if path.beginsWithIdentifier {
            if let place = metadata.pathDisplay.flatMap({ seen.path($0) }) {
                folder = place.parent
            } else {
                isMounted = false
            }
        }
        guard var item = metadata.item(in: folder) else { throw CocoaError.noSuchItem(path) }
        // An item that is shared with the account and has no place in it is known by its identifier alone.
        if !isMounted { item.path = path }
        return item
    }
}

/// The pages of one listing.
private actor DropboxPages {
    /// Pages in a row that may be empty.
    private static let mostEmptyPages = 1_000

    /// The number of times that a listing begins anew.
    private static let mostResets = 3

    private let provider: DropboxFileProvider
    private let path: ItemPath
    private var folder: ItemPath?
    private var cursor: String?
    private var seenCursors: Set<String> = []
    private var delivered: Set<String> = []
    private var resets = 0
    private var isAtEnd = false
    private var isFirst = true

    init(_ provider: DropboxFileProvider, path: ItemPath) {
        self.provider = provider
        self.path = path
    }

    func next() async throws -> [FileObject]? {
        for _ in 0...Self.mostEmptyPages {
            if isAtEnd { return nil }
            let items = try await page()
            if !items.isEmpty || (isAtEnd && isFirst) {
                isFirst = false
                return items
            }
        }
        throw URLError.endlessListing
    }

    private func page() async throws -> [FileObject] {
        let folder = try await place()
        let page: DropboxPage
        do {
            page = try await provider.page(of: folder, cursor, isRecursive: false)
        } catch let error as DropboxError where error.reason == .reset && cursor != nil && resets < Self.mostResets {
            resets += 1
            cursor = nil
            seenCursors = []
            return []
        } catch let error as DropboxError {
            throw error.mapped()
        }
        if page.hasMore {
            guard seenCursors.insert(page.cursor).inserted else { throw URLError.repeatedPage() }
            cursor = page.cursor
        } else {
            isAtEnd = true
            provider.folders.note(folder)
        }
        var items = page.entries.compactMap { $0.item(in: folder) }
        provider.seen.note(items)
        for item in items where item.isDirectory { provider.folders.note(item.path) }
        if resets > 0 { items.removeAll { delivered.contains($0.id ?? $0.name) } }
        // Of a listing of one page nothing can come twice.
        if page.hasMore || resets > 0 { delivered.formUnion(items.lazy.map { $0.id ?? $0.name }) }
        return items
    }

    private func place() async throws -> ItemPath {
        if let folder { return folder }
        let located = try await provider.pathFromRoot(path)
        folder = located
        return located
    }
}

extension DropboxFileProvider {
    /// Asks for a page of a folder, or of a tree.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - cursor: The cursor that the page before gave; `nil` for the first.
    ///   - isRecursive: A Boolean value that indicates whether all below the folder is listed.
    /// - Returns: The page.
    /// - Throws: ``DropboxError``; errors of the connection.
    func page(of path: ItemPath, _ cursor: String?, isRecursive: Bool) async throws -> DropboxPage {
        let request = try await listingRequest(path: path, page: cursor, isRecursive: isRecursive)
        return try DropboxConnection.decoded(
            DropboxPage.self,
            from: try await connection.answer(to: request, about: path)
        )
    }
}

/// A page of a listing, or of changes.
struct DropboxPage: Decodable, Sendable {
    let entries: [DropboxMetadata]
    let cursor: String
    let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case entries, cursor
        case hasMore = "has_more"
    }
}
