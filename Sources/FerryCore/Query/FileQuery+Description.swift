extension FileQuery: CustomStringConvertible {
    /// The query as text in one way of writing, which reads back as an equal query.
    public var description: String { root.description }
}

extension FileQuery.Node: CustomStringConvertible {
    /// The tree as text.
    public var description: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.description
        case .not(let node): "NOT " + node.descriptionInside
        case .and(let nodes): nodes.map(\.descriptionInside).joined(separator: " AND ")
        case .or(let nodes): nodes.map(\.descriptionInside).joined(separator: " OR ")
        }
    }

    private var descriptionInside: String {
        switch self {
        case .and, .or: "(\(description))"
        case .constant, .comparison, .not: description
        }
    }
}

extension FileQuery.Comparison: CustomStringConvertible {
    /// The comparison as text.
    public var description: String { "\(attribute) \(operation.rawValue)\(options) \(value)" }
}

extension FileQuery.TextOptions: CustomStringConvertible {
    /// `[c]`, `[d]`, `[cd]`, or nothing.
    public var description: String {
        guard !isEmpty else { return "" }
        return "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") + "]"
    }
}
