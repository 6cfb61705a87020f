/// The entries of a store, in the order of accounts and paths.
///
/// It is read page by page, so that it never holds much; what changes meanwhile may show or not.
public struct CacheEntries: AsyncSequence, Sendable {
    /// One thing that is kept.
    public typealias Element = CacheEntry

    typealias Page = @Sendable (_ after: CacheEntry?) async -> [CacheEntry]

    let page: Page

    /// Starts reading.
    ///
    /// - Returns: An iterator before the first entry.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(page: page) }

    /// Reads on.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let page: Page
        private var entries: ArraySlice<CacheEntry> = []
        private var last: CacheEntry?
        private var isAtEnd = false

        init(page: @escaping Page) {
            self.page = page
        }

        /// The next entry.
        ///
        /// - Returns: An entry; `nil` after the last.
        public mutating func next() async -> CacheEntry? {
            if entries.isEmpty, !isAtEnd {
                entries = await page(last)[...]
                isAtEnd = entries.isEmpty
            }
            guard let entry = entries.popFirst() else { return nil }
            last = entry
            return entry
        }
    }
}
