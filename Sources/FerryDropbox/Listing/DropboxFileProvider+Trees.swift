public import FerryCore
import Foundation

extension DropboxFileProvider: FileProviderTreeListing {
    /// Returns all items below a folder, 2,000 with each request.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages in which items of several folders are mixed; `nil` for a path by identifier.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        guard !path.beginsWithIdentifier else { return nil }
        return DirectoryListing {
            let pages = DropboxTreePages(self, top: path)
            return { try await pages.next() }
        }
    }
}

/// The pages of a tree.
///
/// The names of folders are right only where the folders themselves are listed, so each item is put into the folder
/// that was listed before; what comes before its folder waits for it.
private actor DropboxTreePages {
    private let provider: DropboxFileProvider
    private let top: ItemPath
    private let topKey: String
    private var cursor: String?
    private var seenCursors: Set<String> = []
    private var isAtEnd = false
    private var folders: [String: ItemPath]
    private var waiting: [String: [DropboxMetadata]] = [:]

    init(_ provider: DropboxFileProvider, top: ItemPath) {
        self.provider = provider
        self.top = top
        topKey = DropboxPath.key(top)
        folders = [topKey: top]
    }

    func next() async throws -> [FileObject]? {
        guard !isAtEnd else { return nil }
        let page = try await mappingRefusals { try await provider.page(of: top, cursor, isRecursive: true) }
        var items: [FileObject] = []
        for entry in page.entries { place(entry, into: &items) }
        if page.hasMore {
            guard seenCursors.insert(page.cursor).inserted else { throw URLError.repeatedPage() }
            cursor = page.cursor
        } else {
            isAtEnd = true
            guard waiting.isEmpty else {
                throw URLError.answer(.cannotParseResponse, description: "the listing has items of unknown folders")
            }
        }
        provider.seen.note(items)
        return items
    }

    private func place(_ entry: DropboxMetadata, into items: inout [FileObject]) {
        guard let key = entry.key, key != topKey, !entry.isDeleted else { return }
        let parent = DropboxPath.parent(ofKey: key)
        guard let folder = folders[parent] else {
            waiting[parent, default: []].append(entry)
            return
        }
        guard let item = entry.item(in: folder) else { return }
        items.append(item)
        guard item.isDirectory else { return }
        folders[key] = item.path
        provider.folders.note(item.path)
        for below in waiting.removeValue(forKey: key) ?? [] { place(below, into: &items) }
    }
}
