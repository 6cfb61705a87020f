public import Foundation

extension URL {
    /// Makes a URL of what a person has written, in which some characters may be escaped and others not.
    ///
    /// `http://h/ä/b%20c` has one escape: it is kept, and `ä` is escaped. A `%` that begins no escape stands for itself.
    ///
    /// The result is `nil` for a text that is no absolute URL with a host.
    ///
    /// - Parameter text: The URL; white space around it is left out.
    public init?(written text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let colon = text.range(of: "://") else { return nil }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        // Foundation writes hosts of other alphabets as the name system wants them.
        guard var parts = URLComponents(string: String(text[..<end])), parts.host?.isEmpty == false else { return nil }
        var tail = rest[end...]
        if let hash = tail.firstIndex(of: "#") {
            parts.percentEncodedFragment = Self.escaped(tail[tail.index(after: hash)...], .urlFragmentAllowed)
            tail = tail[..<hash]
        }
        if let mark = tail.firstIndex(of: "?") {
            parts.percentEncodedQuery = Self.escaped(tail[tail.index(after: mark)...], .urlQueryAllowed)
            tail = tail[..<mark]
        }
        parts.percentEncodedPath = Self.escaped(tail, .urlPathAllowed)
        guard let url = parts.url else { return nil }
        self = url
    }

    /// Escapes what is neither allowed nor an escape.
    private static func escaped(_ text: Substring, _ allowed: CharacterSet) -> String {
        let bytes = Array(text.utf8)
        var escaped = ""
        for (index, byte) in bytes.enumerated() {
            let scalar = Unicode.Scalar(byte)
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHexDigit(bytes[index + 1])
                && isHexDigit(bytes[index + 2])
            if isEscape || (byte < 0x80 && byte != UInt8(ascii: "%") && allowed.contains(scalar)) {
                escaped.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return escaped
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
