import NIOHTTP1

/// The address of a request to the API: a drive, perhaps an item in it, and an operation.
struct GraphAddress: Sendable, Equatable {
    /// The way to a drive.
    enum Owner: Sendable, Equatable {
        case me
        case user(String)
        case drive(String)
        case site(String)
        /// A site by host name, or `root`, and path.
        case sitePath(host: String, path: String)
        /// A link, encoded.
        case share(String)
        /// No drive at all.
        case none
    }

    /// The way to an item, from which a path may go on.
    enum Anchor: Sendable, Equatable {
        case root
        case id(String)
        case special(String)
        case number(CloudItem.ID)
    }

    var owner = Owner.none
    var anchor: Anchor?
    /// The names from the anchor down to the item.
    var path: [String] = []
    var route = GraphRoute.item
    /// The identifiers behind the operation, or the argument of a function.
    var arguments: [String] = []
}
