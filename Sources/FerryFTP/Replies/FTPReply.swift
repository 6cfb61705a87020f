/// A server's answer to one command (RFC 959 §4.2).
struct FTPReply: Sendable, Hashable {
    /// Three digits: 200…299 is success, 300…399 asks for more, 400…599 is refusal.
    let code: Int

    /// The text of each line, without the code that begins the first and the last one; bytes, since names are in it.
    let lines: [[UInt8]]

    /// Indicates whether the command was done.
    var isSuccess: Bool { 200..<300 ~= code }

    /// Indicates whether the server wants the next command of a pair, as after `RNFR`.
    var isIntermediate: Bool { 300..<400 ~= code }

    /// Indicates whether the command was refused.
    var isRefusal: Bool { code >= 400 }

    /// Indicates whether the server knows no such command, or not with this argument.
    var isUnknownCommand: Bool { [500, 501, 502, 504].contains(code) }

    /// All lines as text for people, bounded.
    var text: String {
        let text = lines.prefix(8).map { String(decoding: $0.prefix(300), as: UTF8.self) }.joined(separator: " ")
        let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(visible)).trimmingSpaces
    }

    /// The last line as text, which holds the result of commands such as `SIZE`.
    var lastText: String { lines.last.map { String(decoding: $0, as: UTF8.self).trimmingSpaces } ?? "" }
}

extension String {
    /// The text without spaces at its ends.
    var trimmingSpaces: String {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.reversed().drop { $0 == " " || $0 == "\t" }
        return String(end.reversed())
    }
}
