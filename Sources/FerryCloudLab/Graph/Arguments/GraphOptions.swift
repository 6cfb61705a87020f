/// The options of an address.
struct GraphOptions: Sendable {
    /// The properties that are asked for; `nil` for the default ones.
    private(set) var select: [String]?
    /// The sizes of the thumbnails that are asked for beside the item; `nil` for no thumbnails.
    private(set) var thumbnailSizes: [String]?
    private(set) var expandsChildren = false
    private(set) var top: Int?
    /// The order of a listing, and a Boolean value that indicates whether it is reversed.
    private(set) var order: (property: String, isDescending: Bool)?
    private(set) var values: [String: String] = [:]

    /// Reads the options of a request.
    ///
    /// - Parameters:
    ///   - query: The parameters of the query.
    ///   - route: The operation.
    /// - Throws: A refusal with status 400 for an option that the operation doesn't have.
    init(_ query: [(name: String, value: String)], route: GraphRoute) throws(GraphRefusal) {
        for (name, value) in query {
            var plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
            if plain == "@name.conflictBehavior" { plain = GraphShape.conflictBehavior }
            guard route.options.contains(plain) else {
                throw .invalid("The query option '\(name)' isn't supported here.")
            }
            guard values.updateValue(value, forKey: plain) == nil else {
                throw .invalid("The query option '\(name)' is there twice.")
            }
        }
        if let text = values["select"] { select = try Self.list(text) }
        if let text = values["top"] {
            guard let number = Int(text), number > 0 else { throw .invalid("'$top' must be a positive integer.") }
            top = number
        }
        if let text = values["expand"] { try readExpansions(text) }
        if let text = values["orderby"] { try readOrder(text) }
        if let text = values[GraphShape.conflictBehavior], GraphConflict(rawValue: text) == nil {
            throw .invalid("'\(GraphShape.conflictBehavior)' must be one of fail, rename, replace.")
        }
    }

    /// The behaviour in case of a conflict, as the address asks for.
    var conflict: GraphConflict? { values[GraphShape.conflictBehavior].flatMap(GraphConflict.init) }

    private static func list(_ text: some StringProtocol) throws(GraphRefusal) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
        guard names.allSatisfy({ !$0.isEmpty }) else { throw .invalid("The list '\(text)' has an empty entry.") }
        return names
    }

    private mutating func readExpansions(_ text: String) throws(GraphRefusal) {
        var rest = text[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "," && $0 != "(" }
            rest = rest.dropFirst(name.count)
            var inner: Substring?
            if rest.first == "(" {
                guard let end = rest.firstIndex(of: ")") else { throw .invalid("'$expand' has no closing bracket.") }
                inner = rest[..<end].dropFirst()
                rest = rest[rest.index(after: end)...]
            }
            switch name {
            case "thumbnails":
                guard let inner else {
                    thumbnailSizes = []
                    break
                }
                let parts = inner.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] == "select" || parts[0] == "$select" else {
                    throw .invalid("'$expand=thumbnails' takes '$select' only.")
                }
                thumbnailSizes = try Self.list(parts[1])
            case "children" where inner == nil: expandsChildren = true
            default: throw .invalid("The property '\(name)' can't be expanded.")
            }
            if rest.first == "," { rest = rest.dropFirst() }
        }
    }

    private mutating func readOrder(_ text: String) throws(GraphRefusal) {
        let words = text.split(separator: " ")
        let direction = words.count > 1 ? words[1] : "asc"
        guard let property = words.first.map(String.init), words.count <= 2,
            ["name", "size", "lastModifiedDateTime"].contains(property), direction == "asc" || direction == "desc"
        else { throw .invalid("'$orderby' can't be '\(text)'.") }
        order = (property, direction == "desc")
    }
}
