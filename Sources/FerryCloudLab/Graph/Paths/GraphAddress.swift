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

/// The parts of a segment of an address: a colon at its end, or the argument of a function.
enum GraphSegment {
    /// Returns a segment without the colon that ends a path.
    static func withoutColon(_ segment: Substring) -> Substring {
        segment.hasSuffix(":") ? segment.dropLast() : segment
    }

    /// Returns the name of a function without its namespace, and its argument, such as `search(q='text')`.
    static func function(_ segment: Substring) throws(GraphRefusal) -> (word: String, argument: String?) {
        var text = try GraphText.decoded(segment)
        if text.hasPrefix("microsoft.graph.") { text.removeFirst("microsoft.graph.".count) }
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return (text, nil) }
        let word = String(text[..<open])
        let inside = text[text.index(after: open)...].dropLast()
        guard !inside.isEmpty else { return (word, nil) }
        let name = word == "search" ? "q='" : "token='"
        guard inside.hasPrefix(name), inside.hasSuffix("'"), inside.count > name.count else {
            throw .invalid("The function '\(word)' has a malformed argument.")
        }
        let quoted = inside.dropFirst(name.count).dropLast()
        let plain = quoted.replacing("''", with: "")
        guard !plain.contains("'") else {
            throw .invalid("There is an unterminated string literal in '\(text)'.")
        }
        return (word, String(quoted.replacing("''", with: "'")))
    }

    /// Returns the argument of a function that needs one.
    static func required(_ argument: String?) throws(GraphRefusal) -> String {
        guard let argument else { throw .invalid("The function needs an argument.") }
        return argument
    }
}
