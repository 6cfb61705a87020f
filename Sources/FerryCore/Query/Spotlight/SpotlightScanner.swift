/// Takes a query of Spotlight apart.
struct SpotlightScanner {
    /// A part of a query.
    enum Token: Equatable {
        case word(String)
        /// A text with what follows its quotes; an escaped asterisk is U+E02A in it, and nothing else is escaped.
        case text(String, modifiers: String)
        /// `$time.today(-1)` as `today` and `-1`.
        case time(String, String)
        /// Numbers and marks, as they stand there.
        case other(String)
    }

    /// An asterisk that stands for itself, of the private-use scalars.
    static let asterisk: Character = "\u{E02A}"

    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        characters = Array(text)
    }

    /// Reads all of the text.
    ///
    /// - Returns: The parts, each with its place in bytes.
    /// - Throws: A problem for a text that has no end.
    mutating func tokens() throws(FileQueryProblem) -> [(token: Token, offset: Int)] {
        var tokens: [(Token, Int)] = []
        while let next = peek() {
            let offset = characters[..<position].reduce(0) { $0 + $1.utf8.count }
            switch next {
            case _ where next.isWhitespace: position += 1
            case "\"", "'": tokens.append((try text(offset), offset))
            case "$": tokens.append((try time(offset), offset))
            case _ where Self.isWord(next) && !next.isNumber: tokens.append((.word(take(while: Self.isWord)), offset))
            case _ where next.isNumber:
                tokens.append((.other(take { $0.isNumber || $0.isLetter || $0 == "." }), offset))
            default: tokens.append((.other(mark()), offset))
            }
        }
        return tokens
    }

    private func peek() -> Character? { position < characters.count ? characters[position] : nil }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }

    private mutating func take(while isPart: (Character) -> Bool) -> String {
        let start = position
        while let next = peek(), isPart(next) { position += 1 }
        return String(characters[start..<position])
    }

    private mutating func mark() -> String {
        let two = String(characters[position...].prefix(2))
        let count = ["==", "!=", "<=", ">=", "<>", "&&", "||"].contains(two) ? 2 : 1
        position += count
        return String(two.prefix(count))
    }

    private mutating func text(_ offset: Int) throws(FileQueryProblem) -> Token {
        let quote = characters[position]
        position += 1
        var content = ""
        while let next = peek(), next != quote {
            position += 1
            guard next == "\\", let escaped = peek() else {
                content.append(next)
                continue
            }
            position += 1
            content.append(escaped == "*" ? Self.asterisk : escaped)
        }
        guard peek() == quote else { throw FileQueryProblem("the text has no end", at: offset) }
        position += 1
        return .text(content, modifiers: take { $0.isLetter })
    }

    private mutating func time(_ offset: Int) throws(FileQueryProblem) -> Token {
        position += 1
        let name = take(while: Self.isWord)
        guard name.hasPrefix("time.") else {
            throw FileQueryProblem("'$\(name)' is not known", suggestion: "write $time.now or $time.today", at: offset)
        }
        var argument = ""
        if peek() == "(" {
            position += 1
            argument = take { $0 != ")" }.filter { !$0.isWhitespace }
            guard peek() == ")" else { throw FileQueryProblem("expected ')', found the end", at: offset) }
            position += 1
        }
        return .time(String(name.dropFirst("time.".count)), argument)
    }
}
