public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Searches a folder.
    ///
    /// Names and extensions are asked of Dropbox's index, everything else is found by listing; what is found is always
    /// looked at again here. The index can lag behind changes: see ``DropboxOptions/searchesIndex``.
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
                let search = DropboxSearch(self, path: path, query: query)
                return { try await search.next() }
            }
        )
    }

    /// Returns what of a query is asked of Dropbox, and what is looked at here.
    ///
    /// - Parameter query: The query.
    /// - Returns: The plan of a search that is recursive.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan {
        options.searchesIndex ? DropboxSearchRequest.plan(for: query) : FileQueryPlan(query) { _ in false }
    }
}

/// One search.
private actor DropboxSearch {
    /// Matches that Dropbox tells at most: then there may be more.
    private static let mostMatches = 10_000

    private let provider: DropboxFileProvider
    private let path: ItemPath
    private let query: FileQuery
    private var folder: ItemPath?
    private var request: DropboxSearchRequest?
    private var cursor: String?
    private var seenCursors: Set<String> = []
    private var found: Set<ItemPath> = []
    private var matches = 0
    private var rest: SharedIterator<DirectoryListing.AsyncIterator>?
    private var isAtEnd = false

    init(_ provider: DropboxFileProvider, path: ItemPath, query: FileQuery) {
        self.provider = provider
        self.path = path
        self.query = query
        let plan = provider.searchPlan(for: query)
        request = plan.server == .all ? nil : DropboxSearchRequest(plan.server)
    }

    func next() async throws -> [FileObject]? {
        guard !isAtEnd else { return nil }
        if rest == nil, request != nil { return try await askIndex() }
        return try await walk()
    }

    // MARK: Listing

    private func walk() async throws -> [FileObject]? {
        if rest == nil {
            let top = try await place()
            let tree = provider.treeListing(path: top)
            rest = SharedIterator(tree ?? provider.crawl(path: top, recursive: true, query: .all).pages)
        }
        return try await rest?.next()?.filter { query.matches($0) && !found.contains($0.path) }
    }

    private func place() async throws -> ItemPath {
        if let folder { return folder }
        let located = try await provider.pathFromRoot(path)
        folder = located
        return located
    }

    // MARK: The index

    private func askIndex() async throws -> [FileObject]? {
        guard let request else { return nil }
        let top = try await place()
        // Of a file, or of nothing, the index would tell nothing.
        if cursor == nil, !top.isRoot {
            let folder = try await provider.attributesOfItem(path: top)
            guard folder.isDirectory else { throw CocoaError.notAFolder(path) }
        }
        let answer = try await mappingRefusals {
            if let cursor {
                return try await provider.connection.call("files/search/continue_v2", ["cursor": .text(cursor)])
            }
            return try await provider.connection.call("files/search_v2", request.argument(in: top), about: top)
        }
        guard case .list(let list) = answer["matches"] else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox tells no matches")
        }
        matches += list.count
        let texts = list.compactMap { $0["metadata"]["metadata"]["path_display"].string }
        try await mappingRefusals { try await provider.learnSpelling(of: texts) }
        let items = try list.compactMap { try item($0, below: top) }.filter { query.matches($0) }
            .filter { found.insert($0.path).inserted }
        if answer["has_more"] == true, let next = answer["cursor"].string, seenCursors.insert(next).inserted {
            cursor = next
        } else if matches >= Self.mostMatches {
            // There may be more than it tells: listing finds the rest.
            self.request = nil
        } else {
            isAtEnd = true
        }
        return items
    }

    private func item(_ match: JSONValue, below top: ItemPath) throws -> FileObject? {
        let data = try JSONEncoder().encode(match["metadata"]["metadata"])
        let metadata = try DropboxConnection.decoded(DropboxMetadata.self, from: data)
        guard let path = metadata.pathDisplay.flatMap({ provider.seen.path($0) }) else { return nil }
        // The names of the folder that is searched are known better.
        let depth = top.components.count
        let isBelow = DropboxPath.key(path).hasPrefix(DropboxPath.key(top) + "/")
        guard path.components.count > depth, isBelow else { return nil }
        let folder = path.parent.components.dropFirst(depth).reduce(top) { $0.appending(component: $1) }
        return metadata.item(in: folder)
    }
}
