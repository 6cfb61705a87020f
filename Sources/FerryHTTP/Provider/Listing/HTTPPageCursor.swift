import FerryCore
import Foundation

/// Where a listing by tokens stands; it ends, whatever the server does.
actor HTTPPageCursor {
    /// A folder of ten million items, a hundred on each page.
    private static let mostPages = 100_000

    /// Pages in a row that may be empty: some storages filter after they cut pages.
    private static let mostEmptyPages = 1_000

    private var token: String?
    private var seen: Set<String> = []
    private var pages = 0
    private var isAtEnd = false

    func next(_ page: @Sendable (String?) async throws -> HTTPListingPage) async throws -> [FileObject]? {
        var empty = 0
        while !isAtEnd {
            let isFirst = pages == 0
            let current = try await page(token)
            pages += 1
            if let next = current.next {
                guard seen.insert(next).inserted else { throw endless("the storage repeats a page of the listing") }
                guard pages < Self.mostPages, empty < Self.mostEmptyPages else {
                    throw endless("the listing does not end")
                }
                token = next
            } else {
                isAtEnd = true
            }
            if !current.items.isEmpty || (isAtEnd && isFirst) { return current.items }
            empty += 1
        }
        return nil
    }

    private func endless(_ description: String) -> URLError {
        .answer(.cannotParseResponse, description: description)
    }
}
