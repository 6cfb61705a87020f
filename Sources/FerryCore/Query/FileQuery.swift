import Foundation

/// A question about items: "whose name contains 'report', and which are larger than 10 kB".
///
/// Queries are written in the predicate-format language that Foundation's `NSPredicate` reads on Apple's systems:
///
/// ```swift
/// let query = try FileQuery(format: "name CONTAINS[c] %@ AND fileSize > %d", "report", 10_000)
/// query.matches(file)
/// ```
///
/// - Comparisons: `= == != <> < > <= >=`, `BETWEEN {1, 9}`, `IN {'a', 'b'}`, and for text `CONTAINS`, `BEGINSWITH`,
///   `ENDSWITH`, `LIKE` (`*` and `?`, with `\` before one that is meant literally), `MATCHES` (an ICU regular
///   expression for the whole text). The key may stand on either side of `<` and its like.
/// - `[c]` ignores case and `[d]` diacritics, as `String.compare(_:options:)` does. Without them text is compared byte
///   by byte: `é` as one scalar and as two are different. Everything contains, begins and ends with `''`.
/// - `AND OR NOT`, `&& || !`, parentheses, `TRUEPREDICATE`, `FALSEPREDICATE`. Words are read in any case.
/// - Literals: `'text'`, `"text"` (with `\' \" \\ \n \r \t \u00e9`; any other backslash is itself), `10`, `-1.5`, `0xFF`,
///   `TRUE`, `NO`, `NULL`, dates as `'2026-01-31'` or `'2026-01-31T09:30:00Z'` (UTC unless a zone is given), or
///   `CAST(761234567.0, "NSDate")` in seconds since 2001.
/// - Keys: see ``Attribute``.
/// - Placeholders for arguments: `%@` (a ``FileQueryArgument``), `%d %i %ld %lld %u %f` (a number), `%K` (a key's name).
///   Anything in quotes is text, `%` included.
///
/// A comparison with an attribute that the storage does not tell is false, but for `!= x` and `= NULL`, which are true.
///
/// The evaluation of `MATCHES` is bounded: a pattern that takes more than some ten million steps for one item does not
/// match it.
public struct FileQuery: Sendable {
    /// The query as a tree, as it was written.
    public let root: Node

    private let test: FileQueryTest

    /// Makes the query of a tree.
    init(node: Node) {
        root = node
        test = FileQueryTest(node)
    }

    /// Reads a query in which placeholders stand for arguments.
    ///
    /// - Parameters:
    ///   - format: The query, in predicate format.
    ///   - arguments: A value for each placeholder, in order.
    /// - Throws: `CocoaError.formatting` that tells the column (see `CocoaError.queryColumn`).
    public init(format: String, _ arguments: any FileQueryArgument...) throws {
        try self.init(parsing: format, arguments: arguments)
    }

    /// Reads a query that a person or a program wrote.
    ///
    /// - Parameters:
    ///   - text: The query, in predicate format.
    ///   - arguments: A value for each placeholder, in order.
    /// - Throws: `CocoaError.formatting` that tells the column (see `CocoaError.queryColumn`).
    public init(parsing text: String, arguments: [any FileQueryArgument] = []) throws {
        var parser = FileQueryParser(text: text, arguments: arguments)
        do {
            self.init(node: try parser.query())
        } catch {
            throw CocoaError.malformedQuery(error, in: text)
        }
    }

    /// The plain-string query: items whose name begins with a text, in whatever case.
    ///
    /// - Parameter prefix: How names begin; everything for the empty text.
    public init(namePrefix prefix: String) {
        self.init(
            Comparison(
                attribute: .name,
                operation: .beginsWith,
                options: .caseInsensitive,
                value: .text(prefix),
                pattern: nil
            )
        )
    }

    /// Makes the query of one comparison.
    ///
    /// - Parameter comparison: The comparison that has to hold.
    public init(_ comparison: Comparison) {
        self.init(node: .comparison(comparison))
    }

    /// Returns whether an item is what the query asks for.
    ///
    /// - Parameter file: The item.
    /// - Returns: `true` if it is.
    public func matches(_ file: FileObject) -> Bool {
        test.matches(file)
    }
}

// MARK: - Composition

extension FileQuery {
    /// Every item: `TRUEPREDICATE`.
    public static let all = FileQuery(node: .constant(true))

    /// No item: `FALSEPREDICATE`.
    public static let none = FileQuery(node: .constant(false))

    /// Items that are what all queries ask for.
    ///
    /// - Parameter queries: The queries; with none of them, every item matches.
    /// - Returns: Their conjunction.
    public static func and(_ queries: [FileQuery]) -> FileQuery {
        if queries.isEmpty { return .all }
        let nodes = queries.flatMap { query in
            if case .and(let nodes) = query.root { nodes } else { [query.root] }
        }
        return nodes.count == 1 ? FileQuery(node: nodes[0]) : FileQuery(node: .and(nodes))
    }

    /// Items that are what at least one query asks for.
    ///
    /// - Parameter queries: The queries; with none of them, no item matches.
    /// - Returns: Their disjunction.
    public static func or(_ queries: [FileQuery]) -> FileQuery {
        if queries.isEmpty { return .none }
        let nodes = queries.flatMap { query in
            if case .or(let nodes) = query.root { nodes } else { [query.root] }
        }
        return nodes.count == 1 ? FileQuery(node: nodes[0]) : FileQuery(node: .or(nodes))
    }

    /// Items that are not what a query asks for.
    ///
    /// - Parameter query: The query.
    /// - Returns: Its opposite.
    public static func not(_ query: FileQuery) -> FileQuery {
        if case .not(let node) = query.root { FileQuery(node: node) } else { FileQuery(node: .not(query.root)) }
    }
}

// MARK: - Conformances

extension FileQuery: Hashable {
    /// Compares how the queries are written, not what they mean.
    public static func == (first: FileQuery, second: FileQuery) -> Bool {
        first.root == second.root
    }

    /// Feeds how the query is written.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(root)
    }
}

extension FileQuery: Codable {
    /// Reads a query from its text.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError.dataCorrupted` when the text is not a query.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "not a query: \(text)",
                    underlyingError: error
                )
            )
        }
    }

    /// Writes the query as its text.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

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
