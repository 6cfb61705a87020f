extension FileQuery {
    /// A query as a tree, for those who translate it: providers, and what prints it.
    public indirect enum Node: Sendable, Hashable {
        /// Holds for every item, or for none.
        case constant(Bool)
        /// Holds when the comparison does.
        case comparison(Comparison)
        /// Holds when the other does not.
        case not(Node)
        /// Holds when all do; two at least.
        case and([Node])
        /// Holds when one does; two at least.
        case or([Node])
    }

    /// The operation of a comparison, on the attribute and the value.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// They are the same.
        case equal = "=="
        /// They differ; also when the attribute is unknown.
        case notEqual = "!="
        /// The attribute is smaller.
        case less = "<"
        /// The attribute is smaller or the same.
        case lessOrEqual = "<="
        /// The attribute is larger.
        case greater = ">"
        /// The attribute is larger or the same.
        case greaterOrEqual = ">="
        /// The attribute lies in a range, both ends included.
        case between = "BETWEEN"
        /// The attribute is one of a list.
        case isIn = "IN"
        /// The text contains the value.
        case contains = "CONTAINS"
        /// The text begins with the value.
        case beginsWith = "BEGINSWITH"
        /// The text ends with the value.
        case endsWith = "ENDSWITH"
        /// The whole text fits a pattern with `*` and `?`.
        case like = "LIKE"
        /// The whole text fits a regular expression.
        case matches = "MATCHES"

        /// The operation with its sides exchanged: `10 < fileSize` is `fileSize > 10`.
        var reversed: Operation? {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            case .isIn: .contains
            case .contains: .isIn
            case .between, .beginsWith, .endsWith, .like, .matches: nil
            }
        }

        /// Indicates whether the operation has a meaning for text only.
        public var isForText: Bool {
            switch self {
            case .contains, .beginsWith, .endsWith, .like, .matches: true
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn: false
            }
        }
    }

    /// The way in which text is compared: `[c]`, `[d]`, `[cd]`.
    public struct TextOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8

        /// Makes options of bits.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `[c]`: upper and lower case are the same.
        public static let caseInsensitive = Self(rawValue: 1)
        /// `[d]`: letters are the same with and without accents.
        public static let diacriticInsensitive = Self(rawValue: 2)
    }
}

// MARK: - Normal form

extension FileQuery {
    /// An equivalent query in the form that providers translate.
    ///
    /// Negations stand at comparisons only (`NOT a == b` is `a != b`; others keep their `NOT`, since both a comparison
    /// and its opposite are false for an unknown attribute), no `AND` is directly in an `AND` and no `OR` in an `OR`,
    /// and constants are folded away unless the whole query is one.
    public var normalized: FileQuery { FileQuery(node: root.normalized()) }
}

extension FileQuery.Node {
    func normalized(negated: Bool = false) -> FileQuery.Node {
        switch self {
        case .constant(let value): return .constant(value != negated)
        case .not(let node): return node.normalized(negated: !negated)
        case .comparison(let comparison): return comparison.normalized(negated: negated)
        case .and(let nodes): return Self.joined(nodes, negated: negated, isAnd: !negated)
        case .or(let nodes): return Self.joined(nodes, negated: negated, isAnd: negated)
        }
    }

    private static func joined(_ nodes: [Self], negated: Bool, isAnd: Bool) -> Self {
        var parts: [Self] = []
        for node in nodes {
            switch (node.normalized(negated: negated), isAnd) {
            case (.constant(let value), _):
                // FALSE decides an AND and TRUE an OR; the other constant says nothing.
                if value != isAnd { return .constant(value) }
            case (.and(let inner), true), (.or(let inner), false): parts += inner
            case (let part, _): parts.append(part)
            }
        }
        switch parts.count {
        case 0: return .constant(isAnd)
        case 1: return parts[0]
        default: return isAnd ? .and(parts) : .or(parts)
        }
    }
}

extension FileQuery.Comparison {
    fileprivate func normalized(negated: Bool) -> FileQuery.Node {
        if operation == .isIn, case .list(let values) = value, values.isEmpty { return .constant(negated) }
        guard negated else { return .comparison(self) }
        switch operation {
        case .equal: return .comparison(with(.notEqual))
        case .notEqual: return .comparison(with(.equal))
        default: return .not(.comparison(self))
        }
    }
}
