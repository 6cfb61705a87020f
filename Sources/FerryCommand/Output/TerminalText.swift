import FerryCore

/// Text that other people chose, made harmless for a terminal or a line of a log.
enum TerminalText {
    /// For a terminal: control characters and bytes that are no text become `?`, as in `ls`.
    ///
    /// - Parameter text: A name or a path, as it stands in an ``ItemPath`` or in ``FileObject/name``.
    /// - Returns: Text that moves no cursor and rings no bell.
    static func harmless(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 || $0 == 0xF4 }) else {
            return String(text)
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "?" }))
    }

    /// For one line of an error message: control characters become `\n`, `\t` or `\u{1b}`.
    ///
    /// - Parameter text: Any text.
    /// - Returns: Text without line breaks.
    static func oneLine(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else {
            return String(text)
        }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "\\n"
            case "\t": line += "\\t"
            case "\r": line += "\\r"
            case _ where isControl(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }

    /// The columns that a text takes up on a terminal.
    static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The end of a text that fits; it says more than the beginning.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - width: The columns that there are.
    /// - Returns: The text, or `…` and its end.
    static func shortened(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        guard width > 1 else { return "" }
        var (rest, used) = (text[...], 0)
        var end = ""
        while let last = rest.popLast() {
            used += columns(of: last)
            if used > width - 1 { break }
            end.insert(last, at: end.startIndex)
        }
        return "…" + end
    }

    /// Wide are the letters of East Asia, and pictures (Unicode Standard Annex 11).
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        // U+10F700… stand for bytes that are not UTF-8 (see NameEscape).
        !isControl(scalar) && !(0x10F700...0x10F7FF).contains(scalar.value)
    }

    /// C0 and C1 controls, DEL, line separators, and what turns the direction of the text around it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
