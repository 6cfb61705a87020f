import FerryCore
import Foundation

/// Where a listing by tokens stands; it ends, whatever the server does.
actor HTTPPageCursor {
    private var token: String?
    private var tokens = PageTokens()
    private var isFirst = true
    private var isAtEnd = false

    func next(_ page: @Sendable (String?) async throws -> HTTPListingPage) async throws -> [FileObject]? {
        while !isAtEnd {
            let current = try await page(token)
            if let next = current.next {
                switch tokens.note(next, afterEmptyPage: current.items.isEmpty) {
                case .repeated: throw URLError.repeatedPage()
                case .endless: throw URLError.endlessListing
                case nil: token = next
                }
            } else {
                isAtEnd = true
            }
            defer { isFirst = false }
            if !current.items.isEmpty || (isAtEnd && isFirst) { return current.items }
        }
        return nil
    }
}
