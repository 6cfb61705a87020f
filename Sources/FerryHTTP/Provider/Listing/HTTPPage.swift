public import FerryCore

/// A page of a list: of a folder, of links, of versions, of changes.
public struct HTTPPage<Item: Sendable>: Sendable {
    /// The items, in the service's order.
    ///
    /// Those of a folder are all directly in it. If the folder was listed by its identifier, their paths may begin with
    /// the folder's path by name instead.
    public var items: [Item]

    /// The token of the next page; `nil` after the last.
    public var next: String?

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - next: The token of the next page; `nil` after the last.
    public init(_ items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}

/// A page of a folder.
public typealias HTTPListingPage = HTTPPage<FileObject>
