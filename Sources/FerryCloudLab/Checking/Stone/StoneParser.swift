/// A reader of descriptions in the Stone language (https://github.com/dropbox/stone, `docs/lang_ref.rst`).
///
/// Examples, documentation and annotations other than `Omitted` are passed over.
struct StoneParser {
    private let file: String
    private var tokens: [StoneToken]
    private var position = 0
    var namespace: StoneNamespace

    private init(_ tokens: [StoneToken], file: String) {
        self.tokens = tokens
        self.file = file
        namespace = StoneNamespace(name: "", file: file)
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - file: The name of the file, for errors.
    /// - Returns: The namespace; names aren't resolved yet.
    /// - Throws: ``DescriptionError``.
    static func parse(_ bytes: some Sequence<UInt8>, file: String) throws(DescriptionError) -> StoneNamespace {
        var parser = StoneParser(try StoneLexer.tokens(of: bytes, file: file), file: file)
        try parser.parseFile()
        return parser.namespace
    }

    private mutating func parseFile() throws(DescriptionError) {
        try expect(keyword: "namespace")
        namespace.name = try name()
        try endLine()
        try skipBlock()
        while current != .end { try parseDefinition() }
    }

    private mutating func parseDefinition() throws(DescriptionError) {
        let keyword = try name()
        switch keyword {
        case "import":
            namespace.imports.insert(try name())
            try endLine()
        case "alias":
            let alias = try name()
            try expect("=")
            let type = try type()
            try endLine()
            try skipBlock()
            try define(alias, .alias(type))
        case "struct":
            let structure = try structure()
            try define(structure.name, .structure(structure))
        case "union", "union_closed":
            let union = try union(isOpen: keyword == "union")
            try define(union.name, .union(union))
        case "route": try parseRoute()
        case "patch": try parsePatch()
        case "annotation": try parseAnnotation()
        case "annotation_type":
            while current != .newline, current != .end { advance() }
            try endLine()
            try skipBlock()
        default: throw failure("'\(keyword)' begins no definition.")
        }
    }

    private mutating func parseAnnotation() throws(DescriptionError) {
        let annotation = try name()
        try expect("=")
        if current == .name("Omitted") { namespace.omissions.insert(qualified(annotation)) }
        while current != .newline, current != .end { advance() }
        try endLine()
        try skipBlock()
    }

    mutating func define(_ name: String, _ definition: StoneDefinition) throws(DescriptionError) {
        let old = namespace.definitions.updateValue(definition, forKey: qualified(name))
        guard old == nil else { throw failure("'\(name)' is defined twice.") }
    }

    // MARK: - Words

    var current: StoneToken.Kind { tokens[position].kind }
    var line: Int { tokens[position].line }
    var next: StoneToken.Kind { tokens[min(position + 1, tokens.count - 1)].kind }

    mutating func advance() { if position < tokens.count - 1 { position += 1 } }

    func failure(_ sentence: String) -> DescriptionError {
        DescriptionError(file: file, line: line, sentence: sentence)
    }

    func qualified(_ name: String) -> String { "\(namespace.name).\(name)" }

    mutating func name() throws(DescriptionError) -> String {
        guard case .name(let name) = current else { throw failure("A name is missing.") }
        advance()
        return name
    }

    mutating func expect(_ symbol: Character) throws(DescriptionError) {
        guard current == .symbol(symbol) else { throw failure("A '\(symbol)' is missing.") }
        advance()
    }

    mutating func expect(keyword: String) throws(DescriptionError) {
        guard current == .name(keyword) else { throw failure("'\(keyword)' is missing.") }
        advance()
    }

    mutating func accept(_ kind: StoneToken.Kind) -> Bool {
        guard current == kind else { return false }
        advance()
        return true
    }

    mutating func endLine() throws(DescriptionError) {
        guard accept(.newline) || current == .end else { throw failure("The line should end here.") }
    }

    /// Passes over a block with everything in it, if there is one.
    mutating func skipBlock() throws(DescriptionError) {
        guard accept(.indent) else { return }
        var depth = 1
        while depth > 0, current != .end {
            if current == .indent { depth += 1 }
            if current == .dedent { depth -= 1 }
            advance()
        }
    }

    /// Passes over documentation.
    mutating func skipTexts() throws(DescriptionError) {
        while case .text = current {
            advance()
            try endLine()
        }
    }
}
