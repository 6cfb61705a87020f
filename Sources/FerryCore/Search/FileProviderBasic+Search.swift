public import Foundation

extension FileProviderBasic {
    /// Walks the tree and evaluates the query here.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        crawl(path: path, recursive: recursive, query: query)
    }

    /// The search that works on every storage: lists folder after folder, and evaluates the query here.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found.
    public func crawl(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        SearchResults(
            pages: DirectoryListing {
                let walk = SharedIterator(TreeWalk(self, path: path, recursive: recursive))
                return {
                    switch try await walk.next() {
                    case .page(let items, _): items.filter(query.matches)
                    case .failure(let error, _): throw error
                    case nil: nil
                    }
                }
            }
        )
    }

    /// Finds items and collects them.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    ///   - progress: Counts the found items; cancelling it stops the search.
    ///   - foundItemHandler: Called for each item at once, in the order of the result.
    /// - Returns: All found items.
    /// - Throws: The error of the first folder that can't be listed.
    public func searchFiles(
        path: ItemPath,
        recursive: Bool,
        query: FileQuery,
        reporting progress: Progress? = nil,
        foundItemHandler: (@Sendable (FileObject) -> Void)?
    ) async throws -> [FileObject] {
        progress?.beginFileWork()
        var found: [FileObject] = []
        for try await page in searchFiles(path: path, recursive: recursive, query: query).pages {
            try progress.checkCancellation()
            for item in page { foundItemHandler?(item) }
            found += page
            progress?.completedUnitCount += Int64(page.count)
        }
        return found
    }

    /// Finds items whose names begin with some text, in any case: `name BEGINSWITH[c] text`.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The beginning of the names; the empty text finds everything.
    /// - Returns: Items as they are found.
    public func searchFiles(path: ItemPath, recursive: Bool, query: String) -> SearchResults {
        searchFiles(path: path, recursive: recursive, query: query.isEmpty ? .all : FileQuery(namePrefix: query))
    }
}
