/// Divides a search: the server does what it can, Ferry the rest.
///
/// An item is found when both parts match. The server's part is never stricter than the query.
public struct FileQueryPlan: Sendable, Hashable, CustomStringConvertible {
    /// The filter that the server applies; `TRUEPREDICATE` if it can do nothing.
    public let server: FileQuery

    /// The filter that Ferry applies to what the server has found; `TRUEPREDICATE` if nothing is left to do.
    public let ferry: FileQuery

    /// Divides the work.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - allowsOr: `true` if the server has an `OR`.
    ///   - allowsNot: `true` if the server has a `NOT` (see ``FileQuery/split(allowsOr:allowsNot:where:)``).
    ///   - canPush: Returns `true` if the server can do a comparison, exactly as ``FileQuery`` means it.
    public init(
        _ query: FileQuery,
        allowsOr: Bool = true,
        allowsNot: Bool = true,
        where canPush: (FileQuery.Comparison) -> Bool
    ) {
        (server, ferry) = query.split(allowsOr: allowsOr, allowsNot: allowsNot, where: canPush)
    }

    /// Two lines: what the server does, and what Ferry does.
    ///
    /// ```
    /// server: name BEGINSWITH[c] 'a'
    /// ferry:  fileSize > 10
    /// ```
    public var description: String { "server: \(server)\nferry:  \(ferry)" }
}

extension FileQuery {
    /// Divides the query into a part for the server and a part for us; an item matches the query when it matches both.
    ///
    /// Both parts are in normal form (see ``normalized``). What `AND` joins is divided; an `OR`, which only works as a
    /// whole, is pushed if all that is in it can be. The pushed part is never stricter than the query.
    ///
    /// - Parameters:
    ///   - allowsOr: `true` if the server has an `OR`.
    ///   - allowsNot: `true` if the server has a `NOT`, which in the normal form is always at a comparison, and is true
    ///     when the comparison's attribute is unknown.
    ///   - canPush: Returns `true` if the server can do a comparison, exactly as it is meant.
    /// - Returns: The server's part and the remainder; `TRUEPREDICATE` for a part with nothing to do.
    public func split(
        allowsOr: Bool = true,
        allowsNot: Bool = true,
        where canPush: (Comparison) -> Bool
    ) -> (pushed: FileQuery, remainder: FileQuery) {
        let normal = root.normalized()
        let parts: [Node] = if case .and(let nodes) = normal { nodes } else { [normal] }
        var pushed: [FileQuery] = []
        var remainder: [FileQuery] = []
        for part in parts {
            if part.isPushable(allowsOr: allowsOr, allowsNot: allowsNot, where: canPush) {
                pushed.append(FileQuery(node: part))
            } else {
                remainder.append(FileQuery(node: part))
            }
        }
        return (.and(pushed), .and(remainder))
    }

    /// Returns the parts of the query that a server and that we evaluate, as ``FileQueryPlan`` prints them.
    ///
    /// - Parameter canPush: Returns `true` if the server can do a comparison.
    /// - Returns: Two lines of text.
    public func explain(where canPush: (Comparison) -> Bool) -> String {
        FileQueryPlan(self, where: canPush).description
    }
}

extension FileQuery.Node {
    fileprivate func isPushable(
        allowsOr: Bool,
        allowsNot: Bool,
        where canPush: (FileQuery.Comparison) -> Bool
    ) -> Bool {
        switch self {
        case .constant: true
        case .comparison(let comparison): canPush(comparison)
        case .not(let node): allowsNot && node.isPushable(allowsOr: allowsOr, allowsNot: allowsNot, where: canPush)
        case .and(let nodes):
            nodes.allSatisfy { $0.isPushable(allowsOr: allowsOr, allowsNot: allowsNot, where: canPush) }
        case .or(let nodes):
            allowsOr && nodes.allSatisfy { $0.isPushable(allowsOr: allowsOr, allowsNot: allowsNot, where: canPush) }
        }
    }
}
