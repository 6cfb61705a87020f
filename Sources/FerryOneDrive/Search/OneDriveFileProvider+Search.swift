public import FerryCore
import FerryHTTP
import Foundation

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
