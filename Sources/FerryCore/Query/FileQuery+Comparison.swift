import Foundation

extension FileQuery {
    /// One condition: an attribute, what is done with it, and a value.
    ///
    /// The value fits the attribute: a date for dates, a number for numbers, text for ``Attribute/type`` (one of the
    /// four names); a ``Value/list(_:)`` for ``Operation/isIn`` and a ``Value/range(_:_:)`` for ``Operation/between``,
    /// and nowhere else; ``Value/null`` only for ``Operation/equal`` and ``Operation/notEqual``.
    public struct Comparison: Sendable {
        /// The attribute that is asked about.
        public let attribute: Attribute

        /// The comparison.
        public let operation: Operation

        /// The way in which text is compared; empty for all that is not text.
        public let options: TextOptions

        /// The value that it is compared with.
        public let value: Value

        /// The regular expression of ``Operation/matches``.
        let pattern: WholeTextPattern?

        /// Makes a comparison whose parts are known to fit.
        init(
            attribute: Attribute,
            operation: Operation,
            options: TextOptions,
            value: Value,
            pattern: WholeTextPattern?
        ) {
            self.attribute = attribute
            self.operation = operation
            self.options = options
            self.value = value
            self.pattern = pattern
        }

        /// Makes a comparison, as the parser does.
        ///
        /// - Parameters:
        ///   - attribute: The attribute to compare.
        ///   - operation: The operation of the comparison.
        ///   - options: How text is compared.
        ///   - value: The value to compare it with.
        /// - Throws: `CocoaError.formatting` when the parts don't fit.
        public init(
            _ attribute: Attribute,
            _ operation: Operation,
            options: TextOptions = [],
            _ value: Value
        ) throws {
            do {
                try self.init(checking: attribute, operation, options, value)
            } catch {
                throw CocoaError.malformedQuery(error, in: "\(attribute) \(operation.rawValue) \(value)")
            }
        }

        /// The same comparison by another operation on the same kind of value.
        func with(_ operation: Operation) -> Comparison {
            Comparison(attribute: attribute, operation: operation, options: options, value: value, pattern: nil)
        }
    }
}

extension FileQuery.Comparison: Hashable {
    /// Compares attribute, operation, options and value.
    public static func == (first: Self, second: Self) -> Bool {
        first.attribute == second.attribute && first.operation == second.operation
            && first.options == second.options && first.value == second.value
    }

    /// Feeds attribute, operation, options and value.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(attribute)
        hasher.combine(operation)
        hasher.combine(options)
        hasher.combine(value)
    }
}

// MARK: - Checking

extension FileQuery.Comparison {
    /// Makes a comparison whose value is read as the attribute's type demands.
    init(
        checking attribute: FileQuery.Attribute,
        _ operation: FileQuery.Operation,
        _ options: FileQuery.TextOptions,
        _ value: FileQuery.Value
    ) throws(FileQueryProblem) {
        // Or the query could not be printed; the parser has read the attribute from such a key already.
        let key = attribute.description
        guard FileQueryLexer.isWord(key), FileQuery.Attribute(key: key) == attribute else {
            throw FileQueryProblem("a key has letters, digits, '_' and '.' only, not '\(key)'")
        }
        try Self.check(operation, for: attribute)
        var operation = operation
        var value = value
        switch (operation, value) {
        case (.isIn, .list(let values)): value = .list(try Self.elements(values, of: attribute))
        case (.isIn, .range(let lower, let upper)), (.between, .range(let lower, let upper)):
            operation = .between
            let bounds = try Self.elements([lower, upper], of: attribute)
            value = .range(bounds[0], bounds[1])
        case (.between, .list(let values)) where values.count == 2:
            let bounds = try Self.elements(values, of: attribute)
            value = .range(bounds[0], bounds[1])
        case (.between, _): throw FileQueryProblem("BETWEEN needs two values, as in {1, 9}")
        case (.isIn, _): throw FileQueryProblem("IN needs a list, as in {'a', 'b'}")
        case (_, .list), (_, .range): throw FileQueryProblem("only IN and BETWEEN take a list")
        case (.equal, .null), (.notEqual, .null): break
        case (_, .null): throw FileQueryProblem("NULL can be compared with == and != only")
        default: value = try Self.scalar(value, of: attribute)
        }
        if operation.isForText, !value.isText {
            throw FileQueryProblem("\(operation.rawValue) is for text, not for \(value.kindInWords)")
        }
        if !options.isEmpty, attribute.valueType != .kind, !value.isText, value != .null {
            throw FileQueryProblem("[c] and [d] are for text only", part: .options)
        }
        var pattern: WholeTextPattern?
        if operation == .matches, case .text(let text) = value {
            pattern = try WholeTextPattern(text, options: options)
        }
        self.init(
            attribute: attribute,
            operation: operation,
            // The names of the kinds are read in any case.
            options: attribute.valueType == .kind || !value.isText ? [] : options,
            value: value,
            pattern: pattern
        )
    }

    private static func check(
        _ operation: FileQuery.Operation,
        for attribute: FileQuery.Attribute
    ) throws(FileQueryProblem) {
        let isPossible =
            switch attribute.valueType {
            case .text, .any: true
            case .number, .date: !operation.isForText
            case .flag: operation == .equal || operation == .notEqual
            case .kind: operation == .equal || operation == .notEqual || operation == .isIn
            }
        guard !isPossible else { return }
        let suggestion: String? =
            switch attribute.valueType {
            case .flag: "use == or !=, as in \(attribute) == TRUE"
            case .kind: "use ==, != or IN, as in \(attribute) == 'file'"
            case .text, .number, .date, .any: "use ==, !=, <, <=, >, >=, BETWEEN or IN"
            }
        throw FileQueryProblem(
            "\(operation.rawValue) has no meaning for '\(attribute)'",
            suggestion: suggestion,
            part: .operation
        )
    }

    private static func elements(
        _ values: [FileQuery.Value],
        of attribute: FileQuery.Attribute
    ) throws(FileQueryProblem) -> [FileQuery.Value] {
        var elements: [FileQuery.Value] = []
        for (index, value) in values.enumerated() {
            let part = FileQueryProblem.Part.value(element: index)
            switch value {
            case .null, .list, .range:
                throw FileQueryProblem("a list can't hold \(value.kindInWords)", part: part)
            default: elements.append(try scalar(value, of: attribute, part: part))
            }
            if case .any = attribute.valueType, elements[index].kindInWords != elements[0].kindInWords {
                throw FileQueryProblem(
                    "a list holds values of one kind, not \(elements[0].kindInWords) and \(elements[index].kindInWords)",
                    part: part
                )
            }
        }
        return elements
    }

    /// A value as the attribute's type demands it.
    private static func scalar(
        _ value: FileQuery.Value,
        of attribute: FileQuery.Attribute,
        part: FileQueryProblem.Part = .value(element: nil)
    ) throws(FileQueryProblem) -> FileQuery.Value {
        switch (attribute.valueType, value) {
        case (.number, .decimal(let number)), (.any, .decimal(let number)):
            guard number.isFinite else { throw FileQueryProblem("the number is not finite", part: part) }
            guard attribute.valueType == .number, let integer = Int64(exactly: number) else { return value }
            return .integer(integer)
        case (.date, .date(let date)), (.any, .date(let date)):
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw FileQueryProblem("the date is not finite", part: part)
            }
            return value
        case (.text, .text), (.number, .integer), (.flag, .bool), (.any, _): return value
        case (.date, .text(let text)):
            guard let date = Date(iso8601: text) else {
                throw FileQueryProblem(
                    "'\(attribute)' is a date, and \(value) is none",
                    suggestion: "write dates as '2026-01-31' or '2026-01-31T09:30:00Z'",
                    part: part
                )
            }
            return .date(date)
        case (.flag, .integer(0)): return .bool(false)
        case (.flag, .integer(1)): return .bool(true)
        case (.kind, .text(let text)):
            guard let kind = FileObject.Kind(queryName: text) else {
                throw mismatch(attribute, "'file', 'directory', 'symlink' or 'other'", value, nil, part)
            }
            return .text(kind.queryName)
        case (.text, _): throw mismatch(attribute, "text", value, "write it in quotes", part)
        case (.number, .text):
            throw mismatch(attribute, "a number", value, "write it without quotes, a size in bytes", part)
        case (.number, _): throw mismatch(attribute, "a number", value, nil, part)
        case (.date, _): throw mismatch(attribute, "a date", value, "write dates as '2026-01-31'", part)
        case (.flag, _): throw mismatch(attribute, "TRUE or FALSE", value, nil, part)
        case (.kind, _): throw mismatch(attribute, "'file', 'directory', 'symlink' or 'other'", value, nil, part)
        }
    }

    private static func mismatch(
        _ attribute: FileQuery.Attribute,
        _ expected: String,
        _ value: FileQuery.Value,
        _ suggestion: String?,
        _ part: FileQueryProblem.Part
    ) -> FileQueryProblem {
        FileQueryProblem("'\(attribute)' is \(expected), not \(value)", suggestion: suggestion, part: part)
    }
}

extension FileQuery.Value {
    /// Indicates whether this is text, or a list or range of it.
    fileprivate var isText: Bool {
        switch self {
        case .text: true
        case .list(let values): values.allSatisfy(\.isText)
        case .range(let lower, _): lower.isText
        case .null, .bool, .integer, .decimal, .date: false
        }
    }
}
