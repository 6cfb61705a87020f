/// A splitter of a description in the Stone language into words and signs.
struct StoneLexer {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var indentations = [0]
    private var parentheses = 0
    private var tokens: [StoneToken] = []

    private init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// Splits a description.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - file: The name of the file, for errors.
    /// - Returns: The words and signs; the last one is the end.
    /// - Throws: ``DescriptionError``.
    static func tokens(of bytes: some Sequence<UInt8>, file: String) throws(DescriptionError) -> [StoneToken] {
        var lexer = StoneLexer(Array(bytes), file: file)
        while lexer.position < lexer.bytes.count { try lexer.readLine() }
        if let last = lexer.tokens.last, last.kind != .newline { lexer.add(.newline) }
        for _ in lexer.indentations.dropFirst() { lexer.add(.dedent) }
        lexer.add(.end)
        return lexer.tokens
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ sentence: String) -> DescriptionError {
        DescriptionError(file: file, line: line, sentence: sentence)
    }

    private mutating func add(_ kind: StoneToken.Kind) { tokens.append(StoneToken(kind: kind, line: line)) }

    /// Reads to the end of a logical line: texts and parentheses may go over several lines.
    private mutating func readLine() throws(DescriptionError) {
        let start = position
        while current == UInt8(ascii: " ") { position += 1 }
        let depth = position - start
        switch current {
        case nil: return
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"):
            skipRestOfLine()
            return
        case UInt8(ascii: "\t"): throw failure("Tabs can't indent.")
        default: try indent(to: depth)
        }
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\n"):
                endLine()
                guard parentheses > 0 else {
                    tokens.append(StoneToken(kind: .newline, line: line - 1))
                    return
                }
            case UInt8(ascii: " "), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#"): while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "\""): try readText()
            default: try readWord(byte)
            }
        }
    }

    private mutating func endLine() {
        position += 1
        line += 1
    }

    private mutating func skipRestOfLine() {
        while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
        if current != nil { endLine() }
    }

    private mutating func indent(to depth: Int) throws(DescriptionError) {
        if depth > indentations.last ?? 0 {
            indentations.append(depth)
            add(.indent)
            return
        }
        while depth < indentations.last ?? 0 {
            indentations.removeLast()
            add(.dedent)
        }
        guard depth == indentations.last else { throw failure("The indentation fits no block.") }
    }

    private mutating func readText() throws(DescriptionError) {
        let first = line
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                tokens.append(StoneToken(kind: .text(String(decoding: text, as: UTF8.self)), line: first))
                return
            case UInt8(ascii: "\\"):
                position += 1
                guard let escaped = current else { throw failure("A text doesn't end.") }
                switch escaped {
                case UInt8(ascii: "\\"), UInt8(ascii: "\""): text.append(escaped)
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "t"): text.append(0x09)
                // Other escapes belong to a regular expression.
                default: text += [byte, escaped]
                }
                position += 1
            default:
                text.append(byte)
                if byte == UInt8(ascii: "\n") { endLine() } else { position += 1 }
            }
        }
        throw failure("A text doesn't end.")
    }

    private mutating func readWord(_ byte: UInt8) throws(DescriptionError) {
        let start = position
        func isLetter(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            default: false
            }
        }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        if isLetter(byte) {
            while let byte = current, isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "/") { position += 1 }
            add(.name(String(decoding: bytes[start..<position], as: UTF8.self)))
        } else if isDigit(byte) || byte == UInt8(ascii: "-") {
            position += 1
            while let byte = current, isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: ".") { position += 1 }
            add(.number(String(decoding: bytes[start..<position], as: UTF8.self)))
        } else {
            let symbol = Character(Unicode.Scalar(byte))
            guard "()[]{},=?*@.:".contains(symbol) else { throw failure("A '\(symbol)' can't stand here.") }
            if symbol == "(" { parentheses += 1 }
            if symbol == ")" { parentheses = max(0, parentheses - 1) }
            position += 1
            add(.symbol(symbol))
        }
    }
}

/// A word or sign of a description in the Stone language.
struct StoneToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A name, or a keyword; names of operations have slashes inside.
        case name(String)
        /// A text in quotation marks, without them.
        case text(String)
        /// A number as it is written.
        case number(String)
        case symbol(Character)
        /// The end of a line that is no part of a text and not inside parentheses.
        case newline
        /// The beginning of a deeper block.
        case indent
        /// The end of a block.
        case dedent
        case end
    }

    var kind: Kind
    /// The line, from 1.
    var line: Int
}
