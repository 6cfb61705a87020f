import FerryCore
import Foundation

/// The place in a list whose pages lead to each other by tokens; the list ends, whatever the server does.
package struct HTTPPageCursor<Item: Sendable>: Sendable {
    private let list: String
    private var token: String?
    private var tokens = PageTokens()
    private var isFirst = true
    private var isAtEnd = false

    /// Begins a list.
    ///
    /// - Parameter list: The list in words, for errors.
    package init(of list: String = "listing") {
        self.list = list
    }

    /// Asks for pages up to one that has items.
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller.
    ///   - page: Asks for the page with a token; `nil` for the first.
    /// - Returns: The items of the page; none for a list without any. `nil` after the last page.
    /// - Throws: Any error that `page` throws; `URLError.cannotParseResponse` for a token that came before, and for
    ///   pages that don't end.
    package mutating func next(
        isolation: isolated (any Actor)? = #isolation,
        _ page: (String?) async throws -> HTTPPage<Item>
    ) async throws -> [Item]? {
        while !isAtEnd {
            let current = try await page(token)
            if let next = current.next {
                switch tokens.note(next, afterEmptyPage: current.items.isEmpty) {
                case .repeated: throw URLError.repeatedPage(of: list)
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

    /// Asks for all pages of a list.
    ///
    /// - Parameters:
    ///   - list: The list in words, for errors.
    ///   - isolation: The actor of the caller.
    ///   - page: Asks for the page with a token; `nil` for the first.
    /// - Returns: The items of all pages.
    /// - Throws: As ``next(isolation:_:)``.
    package static func all(
        of list: String = "listing",
        isolation: isolated (any Actor)? = #isolation,
        _ page: (String?) async throws -> HTTPPage<Item>
    ) async throws -> [Item] {
        var cursor = Self(of: list)
        var items: [Item] = []
        while let page = try await cursor.next(page) { items += page }
        return items
    }
}
