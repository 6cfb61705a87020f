/// Takes a query's text apart into words, marks and literals, one at a time.
struct FileQueryLexer {
    /// A word, a mark or a literal.
    enum Token: Equatable {
        case word(String)
        case text(String)
        case integer(Int64)
        case decimal(Double)
        case mark(String)
        /// `%@`, `%K` or a number's placeholder, as it was written.
        case placeholder(String)
        case end
    }

    private let bytes: [UInt8]
    private var position = 0

    /// The place of the last token, in bytes.
    private(set) var start = 0

    init(text: String) {
        bytes = Array(text.utf8)
    }

    /// The last token as it was written, shortened if it is long.
    var writtenToken: String {
        let written = String(decoding: bytes[start..<position], as: UTF8.self)
        return written.count > 40 ? written.prefix(40) + "…" : written
    }

    /// Reads one token.
    mutating func next() throws(FileQueryProblem) -> Token {
        while let byte = peek(), Self.isSpace(byte) { position += 1 }
        start = position
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try quotedText(quote: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "-") where Self.isDigit(peek(1)): return try number()
        case UInt8(ascii: ".") where Self.isDigit(peek(1)): return try number()
        case UInt8(ascii: "%"): return try placeholder()
        // A key that reads like a word of the language: #in.
        case UInt8(ascii: "#") where Self.beginsWord(peek(1)):
            position += 1
            return .word("#" + word())
        case _ where Self.beginsWord(byte): return .word(word())
        default: return try mark()
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private static func beginsWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        let lower = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Returns whether a text would be read as one word.
    static func isWord(_ text: String) -> Bool {
        beginsWord(text.utf8.first) && text.utf8.allSatisfy { beginsWord($0) || isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private mutating func word() -> String {
        let first = position
        while let byte = peek(), Self.beginsWord(byte) || Self.isDigit(byte) || byte == UInt8(ascii: ".") {
            position += 1
        }
        return String(decoding: bytes[first..<position], as: UTF8.self)
    }

    private mutating func mark() throws(FileQueryProblem) -> Token {
        for mark in ["==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "=", "<", ">", "!"]
        where bytes[position...].starts(with: mark.utf8) {
            position += mark.utf8.count
            return .mark(mark)
        }
        // A whole character, for the message.
        let rest = String(decoding: bytes[position...].prefix(32), as: UTF8.self)
        let character = rest.prefix(1)
        position += character.utf8.count
        guard "(){},[]".contains(character) else {
            throw FileQueryProblem(
                "'\(character)' has no meaning here",
                suggestion: Self.advice(on: character),
                at: start
            )
        }
        return .mark(String(character))
    }

    private static func advice(on character: Substring) -> String? {
        switch character {
        case "+", "-", "*", "/": "calculations are not supported: write the result"
        case "$": "variables are not supported: use %@ and an argument"
        case "@": "write %@ for an argument"
        case "&": "write && or AND"
        case "|": "write || or OR"
        default: nil
        }
    }
}

// MARK: - Literals

extension FileQueryLexer {
    private mutating func quotedText(quote: UInt8) throws(FileQueryProblem) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek() {
            position += 1
            switch byte {
            case quote: return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += escaped()
            default: text.append(byte)
            }
        }
        throw FileQueryProblem(
            "the text has no end",
            suggestion: "close it with \(Unicode.Scalar(quote))",
            at: start
        )
    }

    /// Returns what a backslash and the character behind it stand for; an unknown pair stands for itself, as `\d` in a
    /// regular expression and `\*` in a pattern.
    private mutating func escaped() -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        guard let byte = peek() else { return [backslash] }
        position += 1
        switch byte {
        case backslash, UInt8(ascii: "'"), UInt8(ascii: "\""): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            guard let scalar = escapedScalar() else { return [backslash, byte] }
            return Array(String(scalar).utf8)
        default: return [backslash, byte]
        }
    }

    /// The scalar of four hexadecimal digits, or of two such groups if they are a surrogate pair.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let first = hexadecimal(at: position) else { return nil }
        if let scalar = Unicode.Scalar(first) {
            position += 4
            return scalar
        }
        guard peek(4) == UInt8(ascii: "\\"), peek(5) == UInt8(ascii: "u"),
            let second = hexadecimal(at: position + 6), (0xD800..<0xDC00).contains(first),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        position += 10
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private func hexadecimal(at position: Int) -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = bytes[position..<position + 4]
        guard Self.isDigit(digits.first) || Self.beginsWord(digits.first) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func number() throws(FileQueryProblem) -> Token {
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative { position += 1 }
        // Everything that could belong to a number, so that "10kB" is one mistake and not two.
        while let byte = peek(), Self.isDigit(byte) || Self.beginsWord(byte) || byte == UInt8(ascii: ".") {
            let isExponent = (byte | 0x20) == UInt8(ascii: "e") && !hasRadix(from: start)
            position += 1
            if isExponent, let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
        }
        let written = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let token = Self.number(written: written, isNegative: isNegative) else {
            throw FileQueryProblem(
                "'\(written)' is not a number",
                suggestion: "write numbers without units, and text in quotes",
                at: start
            )
        }
        return token
    }

    private func hasRadix(from start: Int) -> Bool {
        let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        return first + 1 < position && bytes[first] == UInt8(ascii: "0")
            && (bytes[first + 1] | 0x20) == UInt8(ascii: "x")
    }

    private static func number(written: String, isNegative: Bool) -> Token? {
        if let integer = Int64(written) { return .integer(integer) }
        let digits = written.dropFirst(isNegative ? 1 : 0).lowercased()
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            let rest = digits.dropFirst(2)
            guard rest.utf8.first != UInt8(ascii: "-") else { return nil }
            return Int64((isNegative ? "-" : "") + rest, radix: radix).map { .integer($0) }
        }
        guard digits.utf8.allSatisfy({ isDigit($0) || ".e+-".utf8.contains($0) }), let number = Double(written),
            number.isFinite
        else { return nil }
        return .decimal(number)
    }

    private static let placeholders = [
        "%@", "%K", "%lld", "%lli", "%llu", "%ld", "%li", "%lu", "%lf", "%d", "%i", "%u", "%f", "%g",
    ]

    private mutating func placeholder() throws(FileQueryProblem) -> Token {
        for placeholder in Self.placeholders where bytes[position...].starts(with: placeholder.utf8) {
            position += placeholder.utf8.count
            return .placeholder(placeholder)
        }
        throw FileQueryProblem(
            "'%' begins no placeholder",
            suggestion: "use %@, %d, %f or %K; a % in quotes is just text",
            at: start
        )
    }
}
