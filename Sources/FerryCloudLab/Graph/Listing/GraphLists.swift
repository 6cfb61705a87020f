/// The rest of listings that are under way: numbers of items, so that a page costs no more than its entries.
struct GraphLists: Sendable {
    /// An item of a listing.
    struct Entry: Sendable {
        let id: CloudItem.ID
        /// A Boolean value that indicates whether a file is shown as it was before its last upload.
        var isStale = false
        /// A Boolean value that indicates whether the item is gone for the client, wherever it is now.
        var isGone = false
    }

    /// The number of listings that are remembered.
    private static let capacity = 500

    private var lists: [Int: [Entry]] = [:]
    private var next = 1

    /// Remembers a listing.
    ///
    /// - Parameter entries: The items, in order.
    /// - Returns: The number of the listing.
    mutating func add(_ entries: [Entry]) -> Int {
        let id = next
        next += 1
        lists[id] = entries
        lists[id - Self.capacity] = nil
        return id
    }

    /// Returns a listing; `nil` for one that is forgotten.
    subscript(id: Int) -> [Entry]? { lists[id] }
}
