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
