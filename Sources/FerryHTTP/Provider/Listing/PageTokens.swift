/// The tokens of the pages of one listing, each of which leads to the next page: it ends, whatever the server does.
package struct PageTokens: Sendable {
    /// The reason why a listing has no end.
    package enum Fault: Sendable {
        /// The token came before.
        case repeated
        /// There are too many pages, or too many empty ones in a row.
        case endless
    }

    /// A folder of ten million items, a hundred on each page.
    private static let mostPages = 100_000

    /// Pages in a row that may be empty: some storages filter after they cut pages.
    private static let mostEmptyPages = 1_000

    private var seen: Set<String> = []
    private var emptyPages = 0

    /// Begins a listing.
    ///
    /// - Parameter first: The token of the first page; `nil` if it has none.
    package init(first: String? = nil) {
        if let first { seen.insert(first) }
    }

    /// Notes where the next page is.
    ///
    /// - Parameters:
    ///   - token: The token of the next page.
    ///   - isEmpty: `true` if the page that ends has no items.
    /// - Returns: The reason why the next page must not be asked for; `nil` if it may.
    package mutating func note(_ token: String, afterEmptyPage isEmpty: Bool) -> Fault? {
        emptyPages = isEmpty ? emptyPages + 1 : 0
        guard seen.insert(token).inserted else { return .repeated }
        return seen.count < Self.mostPages && emptyPages < Self.mostEmptyPages ? nil : .endless
    }
}
