/// Found items, as they are found.
public struct SearchResults: AsyncSequence, Sendable {
    /// A found item.
    public typealias Element = FileObject

    /// The same items in the portions in which they were found: the quicker way to take many.
    public let pages: DirectoryListing

    /// Makes results.
    ///
    /// - Parameter pages: Portions of found items; a portion may be empty.
    public init(pages: DirectoryListing) {
        self.pages = pages
    }

    /// Starts anew.
    ///
    /// - Returns: An iterator before the first item.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// Walks over the found items.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var pages: DirectoryListing.AsyncIterator
        private var page: ArraySlice<FileObject> = []

        fileprivate init(pages: DirectoryListing.AsyncIterator) {
            self.pages = pages
        }

        /// The next found item.
        ///
        /// - Returns: An item, or `nil` when everything was searched.
        /// - Throws: The first folder's error that could not be listed; `CancellationError`.
        public mutating func next() async throws -> FileObject? {
            while true {
                if let item = page.popFirst() { return item }
                guard let next = try await pages.next() else { return nil }
                page = next[...]
            }
        }
    }
}
