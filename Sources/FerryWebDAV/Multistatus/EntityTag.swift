/// The one form that versions of contents have with us, however a server writes them (RFC 9110 §8.8.3).
///
/// In quotes, which some servers forget in listings only, and without the mark of weakness: servers set and drop it
/// without any change of the content (Apache in a file's first second, nginx when it compresses). So the same version is
/// the same text in listings and in the fields of answers.
package enum EntityTag {
    /// The tag in our form.
    ///
    /// - Parameter bytes: As the server writes it.
    /// - Returns: Such as `"5f-6120"`, quotes included; `nil` if there is none.
    package static func normalized(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var bytes = bytes.trimmed
        let slash = UInt8(ascii: "/")
        if bytes.count >= 2, bytes[0] | 0x20 == UInt8(ascii: "w"), bytes[1] == slash {
            bytes = bytes.dropping(2).trimmed
        }
        guard !bytes.isEmpty else { return nil }
        let quote = UInt8(ascii: "\"")
        if bytes.count >= 2, bytes[0] == quote, bytes[bytes.count - 1] == quote {
            return bytes.count == 2 ? nil : String(decoding: bytes, as: UTF8.self)
        }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }

    /// The tag in our form.
    ///
    /// - Parameter text: As the server writes it.
    /// - Returns: Such as `"5f-6120"`, quotes included; `nil` if there is none.
    package static func normalized(_ text: String?) -> String? {
        guard var text else { return nil }
        return text.withUTF8 { normalized($0) }
    }
}
