public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension OneDriveFileProvider {
    /// Searches a folder.
    ///
    /// Plain words of names are asked of the service's index, everything else is found by listing; what is found is
    /// always looked at again here. The index lags behind changes: see ``OneDriveOptions/searchesIndex``.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - recursive: A Boolean value that indicates whether to search all below it.
    ///   - query: The query that items must match.
    /// - Returns: The items that were found, page by page.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        // One folder is listed as fast as it is searched.
        guard recursive else { return crawl(path: path, recursive: false, query: query) }
        return SearchResults(
            pages: DirectoryListing {
                let search = OneDriveSearch(self, path: path, query: query)
                return { try await search.next() }
            }
        )
    }

    /// Returns the parts of a query that are asked of the service, and looked at here.
    ///
    /// - Parameter query: The query.
    /// - Returns: The plan of a search that is recursive.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan {
        options.searchesIndex ? OneDriveSearchRequest.plan(for: query) : FileQueryPlan(query) { _ in false }
    }
}

/// A search of a folder and all below it: by the index, or by listing.
actor OneDriveSearch {
    /// A folder that the index is asked about.
    private struct IndexedFolder {
        let folders: OneDriveFolderPaths
        let address: GraphAddress
        let foreignDriveID: String?
    }

    private let provider: OneDriveFileProvider
    private let path: ItemPath
    private let query: FileQuery
    private let plan: FileQueryPlan
    private let request: OneDriveSearchRequest?
    private var fields: [IndexedFolder]?
    private var field: IndexedFolder?
    private var nextLink: String?
    private var seenLinks: Set<String> = []
    private var found: Set<String> = []
    private var listing: SharedIterator<DirectoryListing.AsyncIterator>?

    /// Prepares a search; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - path: The folder.
    ///   - query: The query that items must match.
    init(_ provider: OneDriveFileProvider, path: ItemPath, query: FileQuery) {
        self.provider = provider
        self.path = path
        self.query = query
        plan = provider.searchPlan(for: query)
        request = plan.server == .all ? nil : OneDriveSearchRequest(plan.server)
    }

    /// Returns the next items that were found.
    ///
    /// - Returns: A page, which may be empty; `nil` at the end.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    func next() async throws -> [FileObject]? {
        guard let request else { return try await walk() }
        return try await mappingRefusals { try await ask(request) }
    }

    // MARK: Listing

    private func walk() async throws -> [FileObject]? {
        if listing == nil {
            let top = try await provider.pathFromRoot(path)
            let tree = provider.treeListing(path: top)
            listing = SharedIterator(tree ?? provider.crawl(path: top, recursive: true, query: .all).pages)
        }
        return try await listing?.next()?.filter(query.matches)
    }

    // MARK: The index

    private func ask(_ request: OneDriveSearchRequest) async throws -> [FileObject]? {
        if fields == nil { fields = try await allFields() }
        if field == nil {
            guard let first = fields?.first else { return nil }
            fields?.removeFirst()
            field = first
        }
        guard let field else { return nil }
        let page: GraphPage
        if let nextLink {
            page = try await provider.connection.follow(nextLink, as: GraphPage.self, about: path)
        } else {
            let query = [("$select", OneDriveFileProvider.listedMembers), ("$top", String(provider.pageSize))]
            page = try await provider.connection.call(
                .get,
                field.address.route(request.function, query),
                as: GraphPage.self,
                about: path
            )
        }
        nextLink = page.nextLink
        if let link = page.nextLink {
            guard seenLinks.insert(link).inserted else { throw URLError.repeatedPage() }
        } else {
            self.field = nil
        }
        return try await items(of: page, in: field)
    }

    private func items(of page: GraphPage, in field: IndexedFolder) async throws -> [FileObject] {
        let type = provider.drive.withLock { $0.type }
        // The index finds words in contents, too; only what could match is worth asking where it is.
        let candidates = page.value.compactMap { entry -> (entry: GraphItem, parent: String)? in
            guard let parent = entry.parentReference?.id,
                let item = entry.item(in: .root, driveType: type, foreignDriveID: field.foreignDriveID),
                plan.server.matches(item)
            else { return nil }
            return (entry, parent)
        }
        let folders = try await field.folders.paths(of: candidates.map(\.parent))
        var items: [FileObject] = []
        for (entry, parent) in candidates {
            guard let folder = folders[parent],
                let item = entry.item(in: folder, driveType: type, foreignDriveID: field.foreignDriveID),
                query.matches(item), found.insert(item.id ?? entry.id).inserted
            else { continue }
            items.append(item)
        }
        if field.foreignDriveID == nil { provider.known.note(items) }
        return items
    }

    /// Returns the folder, and those of other drives that shortcuts in it lead to.
    ///
    /// The index of a drive does not know what is in others. Shortcuts are in the top folder.
    private func allFields() async throws -> [IndexedFolder] {
        let (item, place) = try await provider.graphItem(at: path)
        switch item.kind {
        case .directory: break
        case .other: throw OneDriveFileProvider.isAPackage(path)
        case .file, .symlink: throw CocoaError.notAFolder(path)
        }
        let top = try provider.fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
        if let target = item.shortcutTarget { return [try await field(at: top.path, target)] }
        var fields = [
            try await field(at: top.path, OneDriveItemID(drive: place.foreignDriveID, item: item.id))
        ]
        guard top.path.isRoot else { return fields }
        for try await page in provider.directoryListing(path: .root) {
            for item in page where item.isDirectory {
                guard let target = item.extras[.shortcutTarget] else { continue }
                fields.append(try await field(at: item.path, OneDriveItemID(target)))
            }
        }
        return fields
    }

    private func field(at path: ItemPath, _ id: OneDriveItemID) async throws -> IndexedFolder {
        let place = try await provider.place(of: id)
        return IndexedFolder(
            folders: OneDriveFolderPaths(
                provider,
                top: (id.item, path),
                drive: place.address.drive,
                foreignDriveID: place.foreignDriveID
            ),
            address: place.address,
            foreignDriveID: place.foreignDriveID
        )
    }
}
