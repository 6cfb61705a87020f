import FerryHTTP
import Foundation
import HTTPTypes

/// JSON that can stand in a field of a request: pure ASCII, without control characters.
package enum HeaderSafeJSON {
    /// Returns a value as JSON of printable ASCII.
    ///
    /// - Parameter value: The value.
    /// - Returns: JSON in which every character above U+007E is escaped in UTF-16.
    /// - Throws: `EncodingError`.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(value), as: UTF8.self)
        // The encoder escapes what is below a space itself.
        guard json.utf8.contains(where: { $0 > 0x7E }) else { return json }
        var text = ""
        text.reserveCapacity(json.utf8.count * 2)
        for unit in json.utf16 {
            if unit <= 0x7E, let scalar = Unicode.Scalar(unit) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}

extension HTTPField.Name {
    /// The argument of a route whose body is a content.
    static let dropboxArgument = known("Dropbox-API-Arg")
    /// The result of a route whose body is a content.
    static let dropboxResult = known("Dropbox-API-Result")
    /// The folder or team space that paths begin at.
    static let dropboxPathRoot = known("Dropbox-API-Path-Root")
}
