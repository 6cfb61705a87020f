public import FerryCore
import Foundation
import Synchronization

extension OneDriveFileProvider: FileProviderTreeListing {
    /// Returns all items below a folder, by the list of changes since the beginning of time.
    ///
    /// Drives of organizations have such a list for the top of a drive only.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages in which items of several folders are mixed; `nil` where the service has no list for the folder.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        let isTop = path.isRoot && options.rootFolder == nil
        let isPersonal = drive.withLock { $0.type == .personal }
        guard !path.beginsWithIdentifier, isTop || isPersonal,
            folders.shortcut(above: path, excludingItself: false) == nil
        else { return nil }
        return DirectoryListing {
            let pages = OneDriveTreePages(self, top: path)
            return { try await pages.next() }
        }
    }
}

/// The pages of a tree.
///
/// The service tells the folder of each item by its identifier; an item that comes before its folder waits for it. Of
/// several mentions of an item the last one counts, so the items are held back to the end of the list; of a drive with
/// very many, they come as they arrive, and those that have changed meanwhile come again. What is behind a shortcut is in
/// another drive's list, so it is listed folder by folder at the end.
private actor OneDriveTreePages {
    /// More pages in a row without an item than any list has.
    private static let mostEmptyPages = 10_000

    /// The number of times that a listing begins anew.
    private static let mostResets = 3

    /// Items that are held back at most; trees of more are not held by ``TreeWalk`` either.
    private static let mostHeld = 20_000

    /// The facts of an item that tell whether it has changed since it was delivered.
    private struct Stamp: Hashable {
        let parent: String
        let eTag: String?
    }

    private let provider: OneDriveFileProvider
    private let top: ItemPath
    private var nextLink: String?
    private var seenLinks: Set<String> = []
    private var resets = 0
    private var isAtEnd = false
    private var folders: [String: ItemPath] = [:]
    private var waiting: [String: [GraphItem]] = [:]
    /// The items that are held back; `nil` when all come as they arrive.
    private var held: [String: GraphItem]? = [:]
    private var idlePages = 0
    private var delivered: [String: Stamp] = [:]
    /// Packages, such as notebooks, and what is in them, which is not shown.
    private var closed: Set<String> = []
    private var topID: String?
    private var shortcuts: [ItemPath] = []
    private var beyond: DirectoryListing.AsyncIterator?

    init(_ provider: OneDriveFileProvider, top: ItemPath) {
        self.provider = provider
        self.top = top
    }

    func next() async throws -> [FileObject]? {
        while !isAtEnd {
            let items = try await mappingRefusals { try await page() }
            if !items.isEmpty { return items }
            guard idlePages < Self.mostEmptyPages else { throw URLError.endlessListing }
        }
        return try await nextBeyond()
    }

    // MARK: This drive

    private func page() async throws -> [FileObject] {
        let page: GraphPage
        if let nextLink {
            do {
                page = try await provider.connection.follow(nextLink, as: GraphPage.self, about: top)
            } catch let error as OneDriveError where error.reason == .reset && resets < Self.mostResets {
                // An item that was delivered is not delivered again.
                resets += 1
                self.nextLink = nil
                (seenLinks, waiting) = ([], [:])
                if held != nil { held = [:] }
                return []
            }
        } else {
            let folder = try await provider.folder(at: top, whileWriting: false)
            topID = folder.id
            if let id = folder.id { folders[id] = top }
            let route = folder.address.route("/delta", [("$select", OneDriveFileProvider.listedMembers)])
            page = try await provider.connection.call(.get, route, as: GraphPage.self, about: top)
        }
        provider.note(page.value, foreignDriveID: nil)
        let count = held?.count
        let items = items(of: page)
        idlePages = items.isEmpty && held?.count == count ? idlePages + 1 : 0
        provider.known.note(items)
        nextLink = page.nextLink
        if let link = page.nextLink {
            guard seenLinks.insert(link).inserted else { throw URLError.repeatedPage() }
        } else {
            isAtEnd = true
            guard waiting.isEmpty else {
                throw URLError.answer(.cannotParseResponse, description: "the listing has items of unknown folders")
            }
        }
        return items
    }

    /// Returns the items that are delivered with a page.
    private func items(of page: GraphPage) -> [FileObject] {
        var entries = page.value
        if held != nil {
            for entry in entries { held?[entry.id] = entry }
            guard let all = held, page.nextLink == nil || all.count > Self.mostHeld else { return [] }
            entries = Array(all.values)
            held = nil
        }
        var items: [FileObject] = []
        for entry in entries { place(entry, into: &items) }
        return items
    }

    private func place(_ entry: GraphItem, into items: inout [FileObject]) {
        guard !entry.isDeleted else { return }
        if entry.root != nil || entry.id == topID {
            guard folders.updateValue(top, forKey: entry.id) == nil else { return }
            return placeWaiting(for: entry.id, into: &items)
        }
        guard let parent = entry.parentReference?.id else { return }
        guard !closed.contains(parent) else { return close(entry.id) }
        guard let folder = folders[parent] else {
            waiting[parent, default: []].append(entry)
            return
        }
        let stamp = Stamp(parent: parent, eTag: entry.eTag)
        let former = delivered.updateValue(stamp, forKey: entry.id)
        guard former != stamp else { return }
        let type = provider.drive.withLock { $0.type }
        guard let item = entry.item(in: folder, driveType: type) else { return }
        items.append(item)
        guard item.isDirectory else {
            if item.type == .other { close(entry.id) }
            return
        }
        if entry.shortcutTarget != nil, former == nil {
            let address = GraphAddress(drive: "", id: entry.id)
            provider.remember(entry, at: item.path, OneDrivePlace(address: address, foreignDriveID: nil))
            shortcuts.append(item.path)
        }
        folders[entry.id] = item.path
        placeWaiting(for: entry.id, into: &items)
    }

    private func placeWaiting(for id: String, into items: inout [FileObject]) {
        for entry in waiting.removeValue(forKey: id) ?? [] { place(entry, into: &items) }
    }

    /// Drops what is in a package.
    private func close(_ id: String) {
        closed.insert(id)
        for entry in waiting.removeValue(forKey: id) ?? [] { close(entry.id) }
    }

    // MARK: Other drives

    private func nextBeyond() async throws -> [FileObject]? {
        while true {
            if var iterator = beyond {
                beyond = nil
                if let page = try await iterator.next() {
                    beyond = iterator
                    return page
                }
            }
            guard let shortcut = shortcuts.popLast() else { return nil }
            beyond = provider.crawl(path: shortcut, recursive: true, query: .all).pages.makeAsyncIterator()
        }
    }
}
