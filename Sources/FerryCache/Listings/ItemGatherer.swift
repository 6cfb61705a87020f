import FerryCore

/// Gathers the items of a folder to be kept: when they are more than memory keeps, as bytes.
///
/// For one thread at a time.
struct ItemGatherer {
    /// Items that may be many, but are no trouble.
    private static let fewItems = 20_000

    /// Bytes of one value that memory keeps.
    private let room: Int
    private var items: [FileObject] = []
    private var cost = 0
    private var packer: ItemPacker?
    /// Items so far.
    private(set) var count = 0

    /// Begins with nothing.
    ///
    /// - Parameter room: Bytes of one value that memory keeps.
    init(room: Int) {
        self.room = room
    }

    /// More items.
    ///
    /// - Throws: The error for an item that can't be written as bytes.
    mutating func append(_ page: [FileObject]) throws {
        count += page.count
        if let packer { return try packer.append(page) }
        items += page
        cost += page.memoryCost
        guard count > Self.fewItems, cost > room, let packer = ItemPacker() else { return }
        try packer.append(items)
        items = []
        self.packer = packer
    }

    /// All items have come.
    consuming func finish() -> ListedItems {
        packer.map { .packed($0.finish()) } ?? .items(items)
    }
}
