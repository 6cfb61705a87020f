public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension OneDriveFileProvider {
    /// Returns the query of a listing.
    ///
    /// - Parameter forReading: `true` to ask for the URLs of the contents, too.
    /// - Returns: Its names and values.
    func listingQuery(forReading: Bool = false) -> [(String, String)] {
        let members = forReading ? Self.listedMembers + ",@microsoft.graph.downloadUrl" : Self.listedMembers
        return [("$select", members), ("$top", String(pageSize))]
    }

    /// Returns the items of a folder, page by page.
    ///
    /// - Parameter path: The folder; a shortcut to a folder of another drive is one too.
    /// - Returns: The listing.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = OneDrivePages(self, path: path)
            return { try await pages.next() }
        }
    }
}

/// The pages of one listing.
actor OneDrivePages {
    /// Pages in a row that may be empty.
    private static let mostEmptyPages = 1_000

    /// The number of times that a listing begins anew.
    private static let mostResets = 3

    private let provider: OneDriveFileProvider
    private let path: ItemPath
    /// Indicates whether the URLs of the contents are asked for, too.
    private let forReading: Bool
    private var folder: ItemPath?
    private var place: OneDrivePlace?
    private var nextLink: String?
    private var seenLinks: Set<String> = []
    private var delivered: Set<String> = []
    private var resets = 0
    private var isAtEnd = false
    private var isFirst = true

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - path: The folder.
    ///   - forReading: `true` if the files are to be read soon.
    init(_ provider: OneDriveFileProvider, path: ItemPath, forReading: Bool = false) {
        self.provider = provider
        self.path = path
        self.forReading = forReading
    }

    /// Returns the next items; `nil` at the end.
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
        let page: GraphPage
        do {
            if let nextLink {
                page = try await provider.connection.follow(nextLink, as: GraphPage.self, about: path)
            } else {
                page = try await firstPage()
            }
        } catch let error as OneDriveError where error.reason == .reset && nextLink != nil && resets < Self.mostResets {
            resets += 1
            nextLink = nil
            seenLinks = []
            return []
        } catch let error as OneDriveError {
            throw error.mapped()
        }
        if let link = page.nextLink {
            guard seenLinks.insert(link).inserted else { throw URLError.repeatedPage() }
        } else {
            isAtEnd = true
        }
        nextLink = page.nextLink
        return items(of: page)
    }

    private func items(of page: GraphPage) -> [FileObject] {
        guard let folder, let place else { return [] }
        provider.note(page.value, foreignDriveID: place.foreignDriveID)
        if forReading, place.foreignDriveID == nil { provider.listed.note(page.value, at: provider.connection.now()) }
        let type = provider.drive.withLock { $0.type }
        var items: [FileObject] = []
        items.reserveCapacity(page.value.count)
        // Of a listing of one page nothing can come twice.
        let mayRepeat = page.nextLink != nil || resets > 0 || !delivered.isEmpty
        for entry in page.value {
            guard let item = entry.item(in: folder, driveType: type, foreignDriveID: place.foreignDriveID) else {
                continue
            }
            if mayRepeat, !delivered.insert(entry.id).inserted { continue }
            if folder.beginsWithIdentifier {
                var item = item
                item.path = OneDriveItemID(drive: place.foreignDriveID, item: entry.id).path
                items.append(item)
            } else {
                items.append(item)
                if item.isDirectory { provider.remember(entry, at: item.path, place) }
            }
        }
        if !folder.beginsWithIdentifier, place.foreignDriveID == nil { provider.known.note(items) }
        provider.pictures.note(
            items.filter { $0.isRegularFile && provider.thumbnailOfFileSupported(path: $0.path) }
        )
        return items
    }

    // MARK: The first page

    private func firstPage() async throws -> GraphPage {
        let isKnown = path.isRoot || provider.folders.folder(at: path) != nil
        let page: GraphPage
        do {
            page = try await children()
            // A folder without items, or something else.
            guard page.value.isEmpty, page.nextLink == nil, !isKnown else { return page }
            try await requireFolder()
        } catch let error as OneDriveError where !isKnown && error.reason != .busy && !error.isTransient {
            // A file, a package or a shortcut has no children, which the service says in different ways.
            try await requireFolder()
            guard isShortcut else { throw error }
            return try await children()
        }
        return isShortcut ? try await children() : page
    }

    private var isShortcut: Bool {
        provider.folders.shortcut(above: path, excludingItself: false)?.path == path
    }

    private func children() async throws -> GraphPage {
        let provider = provider
        let path = path
        let query = provider.listingQuery(forReading: forReading)
        let (page, place) = try await provider.atPlace(of: path, followingShortcut: true) { place in
            let page = try await provider.connection.call(
                .get,
                place.address.route("/children", query),
                as: GraphPage.self,
                about: path
            )
            return (page, place)
        }
        self.place = place
        if folder == nil { folder = try await provider.pathFromRoot(path) }
        return page
    }

    /// Looks at what is to be listed, which notes it if it is a folder or a shortcut to one.
    private func requireFolder() async throws {
        switch try await provider.graphItem(at: path).item.kind {
        case .directory: return
        case .other: throw OneDriveFileProvider.isAPackage(path)
        case .file, .symlink: throw CocoaError.notAFolder(path)
        }
    }
}
