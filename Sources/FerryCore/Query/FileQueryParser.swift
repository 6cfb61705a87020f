import Foundation

/// Reads a query: an `OR` of `AND`s of conditions.
struct FileQueryParser {
    typealias Token = FileQueryLexer.Token

    private static let depthLimit = 100

    private var lexer: FileQueryLexer
    private var token = Token.end
    private let arguments: [any FileQueryArgument]
    private var usedArguments = 0
    private var depth = 0

    init(text: String, arguments: [any FileQueryArgument]) {
        lexer = FileQueryLexer(text: text)
        self.arguments = arguments
    }

    /// Reads all of the text.
    mutating func query() throws(FileQueryProblem) -> FileQuery.Node {
        try advance()
        guard token != .end else {
            throw FileQueryProblem("it is empty", suggestion: "write TRUEPREDICATE for everything", at: 0)
        }
        let node = try alternatives()
        guard token == .end else { throw unexpected("AND, OR or the end") }
        guard usedArguments == arguments.count else {
            throw FileQueryProblem(
                "\(arguments.count) arguments are given, but \(usedArguments) used",
                at: lexer.start
            )
        }
        return node
    }

    private mutating func advance() throws(FileQueryProblem) {
        token = try lexer.next()
    }

    private func unexpected(_ expectation: String, suggestion: String? = nil) -> FileQueryProblem {
        let found = token == .end ? "the end" : Self.quoted(lexer.writtenToken)
        return FileQueryProblem(
            "expected \(expectation), found \(found)",
            suggestion: suggestion,
            at: lexer.start
        )
    }

    private static func quoted(_ text: String) -> String {
        text.hasPrefix("'") ? text : "'\(text)'"
    }

    /// The token as a word of the language, in capitals, or as the mark that means the same.
    private var keyword: String? {
        switch token {
        case .word(let word): word.uppercased()
        case .mark("&&"): "AND"
        case .mark("||"): "OR"
        case .mark("!"): "NOT"
        default: nil
        }
    }
}

// MARK: - Conditions and what joins them

extension FileQueryParser {
    private mutating func alternatives() throws(FileQueryProblem) -> FileQuery.Node {
        var nodes = [try conjunction()]
        while keyword == "OR" {
            try advance()
            nodes.append(try conjunction())
        }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(FileQueryProblem) -> FileQuery.Node {
        var nodes = [try condition()]
        while keyword == "AND" {
            try advance()
            nodes.append(try condition())
        }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func condition() throws(FileQueryProblem) -> FileQuery.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw FileQueryProblem("more than \(Self.depthLimit) levels deep", at: lexer.start)
        }
        switch keyword {
        case "NOT":
            try advance()
            return .not(try condition())
        case "TRUEPREDICATE":
            try advance()
            return .constant(true)
        case "FALSEPREDICATE":
            try advance()
            return .constant(false)
        case "ANY", "SOME", "ALL", "NONE", "SUBQUERY":
            throw FileQueryProblem(
                "'\(lexer.writtenToken)' is about collections, and items have none",
                at: lexer.start
            )
        default: break
        }
        guard token == .mark("(") else { return .comparison(try comparison()) }
        try advance()
        let node = try alternatives()
        guard token == .mark(")") else { throw unexpected("AND, OR or ')'") }
        try advance()
        return node
    }
}

// MARK: - Comparisons

extension FileQueryParser {
    /// One side of a comparison, and where it stands.
    private struct Side {
        enum Content {
            case key(FileQuery.Attribute)
            case value(FileQuery.Value)
        }

        let content: Content
        let offset: Int
        /// Where the elements of a list stand.
        var elementOffsets: [Int] = []
    }

    private mutating func comparison() throws(FileQueryProblem) -> FileQuery.Comparison {
        let left = try side()
        let operationOffset = lexer.start
        let (written, isNegated) = (lexer.writtenToken, keyword == "NOT")
        guard !isNegated, let operation = try operation(after: left) else {
            let near = keyword.flatMap { FileQuery.Operation(near: $0) }
            throw unexpected(
                "an operator such as == or CONTAINS",
                suggestion: isNegated
                    ? "write NOT before the condition: NOT name IN {'a'}" : near.map { "did you mean \($0.rawValue)?" }
            )
        }
        let optionsOffset = lexer.start
        let options = try options()
        let right = try side()
        switch (left.content, right.content) {
        case (.key(let attribute), .value(let value)):
            return try positioned(right, operationOffset, optionsOffset) { () throws(FileQueryProblem) in
                try FileQuery.Comparison(checking: attribute, operation, options, value)
            }
        case (.value(let value), .key(let attribute)):
            guard let reversed = operation.reversed else {
                throw FileQueryProblem("write the key before \(written)", at: operationOffset)
            }
            return try positioned(left, operationOffset, optionsOffset) { () throws(FileQueryProblem) in
                try FileQuery.Comparison(checking: attribute, reversed, options, value)
            }
        case (.key, .key):
            throw FileQueryProblem(
                "one side has to be a value",
                suggestion: "write text in quotes; two keys can't be compared",
                at: right.offset
            )
        case (.value, .value):
            throw FileQueryProblem("one side has to be a key, such as name", at: left.offset)
        }
    }

    /// Gives a problem the place of the part that is to blame.
    private func positioned(
        _ side: Side,
        _ operationOffset: Int,
        _ optionsOffset: Int,
        _ comparison: () throws(FileQueryProblem) -> FileQuery.Comparison
    ) throws(FileQueryProblem) -> FileQuery.Comparison {
        do {
            return try comparison()
        } catch {
            var problem = error
            switch error.part {
            case .operation: problem.offset = operationOffset
            case .options: problem.offset = optionsOffset
            case .value(let element?) where side.elementOffsets.indices.contains(element):
                problem.offset = side.elementOffsets[element]
            case .value: problem.offset = side.offset
            }
            throw problem
        }
    }

    private mutating func operation(after left: Side) throws(FileQueryProblem) -> FileQuery.Operation? {
        let operation: FileQuery.Operation
        switch token {
        case .mark("="), .mark("=="): operation = .equal
        case .mark("!="), .mark("<>"): operation = .notEqual
        case .mark("<"): operation = .less
        case .mark("<="), .mark("=<"): operation = .lessOrEqual
        case .mark(">"): operation = .greater
        case .mark(">="), .mark("=>"): operation = .greaterOrEqual
        case .word:
            guard let word = keyword, let known = FileQuery.Operation(rawValue: word) else { return nil }
            operation = known
        case .text, .integer, .decimal, .mark, .placeholder, .end:
            guard case .key(let attribute) = left.content, case .flag = attribute.valueType else { return nil }
            throw unexpected("an operator such as ==", suggestion: "write \(attribute) == TRUE")
        }
        try advance()
        return operation
    }

    private mutating func options() throws(FileQueryProblem) -> FileQuery.TextOptions {
        guard token == .mark("[") else { return [] }
        try advance()
        guard case .word(let word) = token else { throw unexpected("c, d or cd") }
        var options: FileQuery.TextOptions = []
        for letter in word.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            // "Already normalized": compared as it is, which is what we do anyway.
            case "n" where word.count == 1: break
            case "l": throw unexpected("c, d or cd", suggestion: "comparing by a language's rules is not supported")
            default: throw unexpected("c, d or cd")
            }
        }
        try advance()
        guard token == .mark("]") else { throw unexpected("']'") }
        try advance()
        return options
    }
}

// MARK: - Keys and values

extension FileQueryParser {
    private mutating func side() throws(FileQueryProblem) -> Side {
        let offset = lexer.start
        switch token {
        case .mark("{"): return try list()
        case .placeholder("%K"):
            let argument = try argument()
            guard case .text(let key) = argument else {
                throw FileQueryProblem("%K needs a key's name, not \(argument.kindInWords)", at: offset)
            }
            return Side(content: .key(try attribute(key, at: offset)), offset: offset)
        case .word(let word):
            if let value = try literal() { return Side(content: .value(value), offset: offset) }
            let attribute = try attribute(word, at: offset)
            try advance()
            return Side(content: .key(attribute), offset: offset)
        default:
            guard let value = try literal() else { throw unexpected("a key or a value") }
            return Side(content: .value(value), offset: offset)
        }
    }

    private func attribute(_ written: String, at offset: Int) throws(FileQueryProblem) -> FileQuery.Attribute {
        var key = written.hasPrefix("#") ? String(written.dropFirst()) : written
        if key.lowercased().hasPrefix("self.") { key = String(key.dropFirst(5)) }
        if let attribute = FileQuery.Attribute(key: key) {
            if FileQueryLexer.isWord(attribute.description) { return attribute }
            throw FileQueryProblem("a key has letters, digits, '_' and '.' only", at: offset)
        }
        throw FileQueryProblem("there is no key '\(written)'", suggestion: Self.advice(onKey: key), at: offset)
    }

    private static func advice(onKey key: String) -> String {
        if key.contains(where: { "“”„‘’«»".contains($0) }) { return "write straight quotes: ' or \"" }
        let near = FileQuery.Attribute.keys(near: key).map { "'\($0)'" }
        guard near.isEmpty else { return "did you mean \(near.joined(separator: " or "))?" }
        let keys = FileQuery.Attribute.keys.map { $0.keys[0] }.joined(separator: ", ")
        return "keys are \(keys), and extras.NAME; text stands in quotes"
    }

    private mutating func list() throws(FileQueryProblem) -> Side {
        let offset = lexer.start
        var values: [FileQuery.Value] = []
        var offsets: [Int] = []
        try advance()
        while token != .mark("}") {
            if !values.isEmpty {
                guard token == .mark(",") else { throw unexpected("',' or '}'") }
                try advance()
            }
            offsets.append(lexer.start)
            guard let value = try literal() else { throw unexpected("a value") }
            values.append(value)
        }
        try advance()
        return Side(content: .value(.list(values)), offset: offset, elementOffsets: offsets)
    }

    /// A literal or an argument, or `nil` if the token begins none.
    private mutating func literal() throws(FileQueryProblem) -> FileQuery.Value? {
        let value: FileQuery.Value
        switch token {
        case .text(let text): value = .text(text)
        case .integer(let number): value = .integer(number)
        case .decimal(let number): value = .decimal(number)
        case .placeholder(let placeholder) where placeholder != "%K": return try argument()
        case .word:
            switch keyword {
            case "TRUE", "YES": value = .bool(true)
            case "FALSE", "NO": value = .bool(false)
            case "NULL", "NIL": value = .null
            case "CAST": return try cast()
            case "FUNCTION", "NOW":
                throw FileQueryProblem(
                    "functions are not supported",
                    suggestion: "use %@ and an argument",
                    at: lexer.start
                )
            default: return nil
            }
        case .mark, .placeholder, .end: return nil
        }
        try advance()
        return value
    }

    /// Reads a date: `CAST(761234567.0, "NSDate")`.
    private mutating func cast() throws(FileQueryProblem) -> FileQuery.Value {
        try advance()
        guard token == .mark("(") else { throw unexpected("'('") }
        try advance()
        let offset = lexer.start
        guard let value = try literal() else { throw unexpected("a value") }
        guard token == .mark(",") else { throw unexpected("','") }
        try advance()
        guard case .text(let type) = token, type == "NSDate" || type == "Date" else {
            throw unexpected("\"NSDate\"", suggestion: "dates are all that CAST makes")
        }
        try advance()
        guard token == .mark(")") else { throw unexpected("')'") }
        try advance()
        switch value {
        case .integer(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .decimal(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .date: return value
        case .text(let text):
            if let date = Date(iso8601: text) { return .date(date) }
        case .null, .bool, .list, .range: break
        }
        throw FileQueryProblem(
            "\(value) is not a date",
            suggestion: "write dates as \"2026-01-31T09:30:00Z\", or as seconds since 2001",
            at: offset
        )
    }

    /// The argument of the placeholder at hand.
    private mutating func argument() throws(FileQueryProblem) -> FileQuery.Value {
        guard usedArguments < arguments.count else {
            throw FileQueryProblem("there is no argument for '\(lexer.writtenToken)'", at: lexer.start)
        }
        let value = arguments[usedArguments].fileQueryValue
        usedArguments += 1
        switch (lexer.writtenToken, value) {
        case ("%@", _), ("%K", _), (_, .integer), (_, .decimal), (_, .bool): break
        default:
            throw FileQueryProblem(
                "'\(lexer.writtenToken)' needs a number, not \(value.kindInWords)",
                at: lexer.start
            )
        }
        try advance()
        return value
    }
}
