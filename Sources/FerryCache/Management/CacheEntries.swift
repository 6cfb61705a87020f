public import FerryCore
public import Foundation

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

/// One thing that a store keeps.
public struct CacheEntry: Sendable, Hashable {
    /// The account that it is kept for.
    public let account: CacheAccount
    /// Of which item.
    public let path: ItemPath
    /// Of what kind.
    public let kind: CacheKind
    /// The variant, where there are several of the kind; empty if there is one only.
    public let variant: String
    /// The item's version; `nil` if the storage has none.
    public let eTag: String?
    /// Bytes of the item; `nil` if not known.
    public let size: Int64?
    /// The date at which the item had changed; `nil` if not known.
    public let modifiedDate: Date?
    /// Bytes that are kept.
    public let bytes: Int64
    /// The date at which the storage last said so.
    public let date: Date
    /// Indicates whether all is there; of contents, parts may be.
    public let isWhole: Bool
}
