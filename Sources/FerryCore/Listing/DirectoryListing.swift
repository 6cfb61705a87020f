import Foundation

/// The items of a folder, page after page.
///
/// ```swift
/// for try await page in provider.directoryListing(path: "/photos") {
///     for item in page { print(item.name) }
/// }
/// ```
///
/// Each iteration asks the storage anew; leaving the loop early stops asking.
public struct DirectoryListing: AsyncSequence, Sendable {
    /// A page: at least one item, except when a whole folder is empty.
    public typealias Element = [FileObject]

    /// Gives the next page, or `nil` after the last.
    public typealias PageSource = @Sendable () async throws -> [FileObject]?

    private let makePages: @Sendable () -> PageSource

    /// Makes a listing.
    ///
    /// - Parameter makePages: Called once for each iteration; what it returns is called, one call at a time, for page
    ///   after page. When the iteration ends, early or not, the closure is released, and with it what it holds.
    public init(_ makePages: @escaping @Sendable () -> PageSource) {
        self.makePages = makePages
    }

    /// Makes a listing of pages that follow each other by a token, as most cloud storages give them.
    ///
    /// A token that comes a second time in a row would never end: that is `URLError.cannotParseResponse`.
    ///
    /// - Parameter page: Takes the token (`nil` for the first page), gives the items and the token of the next page.
    /// - Returns: The listing.
    public static func paged<Token: Sendable & Equatable>(
        _ page: @escaping @Sendable (Token?) async throws -> (items: [FileObject], next: Token?)
    ) -> DirectoryListing {
        DirectoryListing {
            let cursor = PageCursor<Token>()
            return { try await cursor.next(page) }
        }
    }

    /// Starts anew.
    ///
    /// - Returns: An iterator at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: makePages())
    }

    /// Walks over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var source: PageSource?

        fileprivate init(source: @escaping PageSource) {
            self.source = source
        }

        /// Gives one page.
        init(_ page: [FileObject]) {
            let pages = RemainingPages([page])
            source = { await pages.next() }
        }

        /// The next page.
        ///
        /// - Returns: A page, or `nil` after the last; after an error too.
        /// - Throws: Why the page can't be had; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> [FileObject]? {
            guard let source else { return nil }
            self.source = nil
            try Task.checkCancellation()
            guard let page = try await source() else { return nil }
            self.source = source
            return page
        }
    }
}

/// Pages that are there already.
private actor RemainingPages {
    private var pages: ArraySlice<[FileObject]>

    init(_ pages: [[FileObject]]) {
        self.pages = pages[...]
    }

    func next() -> [FileObject]? { pages.popFirst() }
}

/// Where a listing by tokens stands.
private actor PageCursor<Token: Sendable & Equatable> {
    private var token: Token?
    private var isAtEnd = false

    func next(
        _ page: @Sendable (Token?) async throws -> (items: [FileObject], next: Token?)
    ) async throws -> [FileObject]? {
        if isAtEnd { return nil }
        let (items, next) = try await page(token)
        if let next, next == token { throw URLError.repeatedPage() }
        token = next
        isAtEnd = next == nil
        return items
    }
}

extension DirectoryListing {
    /// Makes a listing that begins with asynchronous work.
    ///
    /// - Parameter open: Returns the listing whose pages are delivered; it is called with the first page.
    package init(opening open: @escaping @Sendable () async throws -> DirectoryListing) {
        self.init {
            let pages = OpenedPages(open)
            return { try await pages.next() }
        }
    }

    /// Returns the same listing without some items.
    ///
    /// - Parameter isShown: Returns `true` for an item that stays.
    /// - Returns: The listing, some pages of which may be empty.
    package func filtered(_ isShown: @escaping @Sendable (FileObject) -> Bool) -> DirectoryListing {
        DirectoryListing {
            let pages = SharedIterator(self)
            return { try await pages.next()?.filter(isShown) }
        }
    }
}

private actor OpenedPages {
    private let open: @Sendable () async throws -> DirectoryListing
    private var pages: SharedIterator<DirectoryListing.AsyncIterator>?

    init(_ open: @escaping @Sendable () async throws -> DirectoryListing) {
        self.open = open
    }

    func next() async throws -> [FileObject]? {
        let pages = if let pages { pages } else { SharedIterator(try await open()) }
        self.pages = pages
        return try await pages.next()
    }
}
