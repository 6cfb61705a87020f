package import HTTPTypes

/// One way in that a server offers (RFC 9110 §11.3): a scheme with its parameters.
package struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case: `basic`, `digest`, `bearer`.
    package var scheme: String

    /// The text in place of parameters, as with `Negotiate`.
    package var token: String?

    /// Names are in lower case; of two with the same name the first counts.
    package var parameters: [String: String]

    /// The ways in that an answer offers, in its order.
    ///
    /// - Parameters:
    ///   - fields: The answer's fields.
    ///   - name: Which of them; there may be several of the name, with several challenges each.
    /// - Returns: The challenges that could be read; those that make no sense are passed over.
    package static func all(
        in fields: HTTPFields,
        named name: HTTPField.Name = .wwwAuthenticate
    ) -> [AuthenticationChallenge] {
        fields[values: name].flatMap { field in
            var parser = ChallengeParser(field)
            return parser.challenges()
        }
    }

    /// The parameters of a field without a scheme, such as `Authentication-Info`.
    ///
    /// - Parameter field: The field's value.
    /// - Returns: By name, in lower case.
    package static func parameters(of field: String) -> [String: String] {
        var parser = ChallengeParser("x " + field)
        return parser.challenges().first?.parameters ?? [:]
    }
}

/// Reads `WWW-Authenticate`, whose commas divide both challenges and parameters.
private struct ChallengeParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ field: String) {
        bytes = Array(field.utf8.prefix(16 << 10))
    }

    mutating func challenges() -> [AuthenticationChallenge] {
        var found: [AuthenticationChallenge] = []
        while position < bytes.count {
            skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2c }
            guard let word = token() else {
                position += 1
                continue
            }
            let afterWord = position
            skipSpace()
            if peek == 0x3d, !found.isEmpty, let value = value() {
                // `name = value` belongs to the challenge before it.
                let name = word.lowercased()
                if found[found.count - 1].parameters[name] == nil { found[found.count - 1].parameters[name] = value }
            } else {
                position = afterWord
                found.append(AuthenticationChallenge(scheme: word.lowercased(), token: token68(), parameters: [:]))
            }
        }
        return found
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte = peek, isSkipped(byte) { position += 1 }
    }

    private mutating func skipSpace() {
        skip { $0 == 0x20 || $0 == 0x09 }
    }

    private mutating func token() -> String? {
        let start = position
        skip { Self.isTokenByte($0) }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// `= value`, quoted or not.
    private mutating func value() -> String? {
        position += 1
        skipSpace()
        guard peek == 0x22 else { return token() ?? "" }
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != 0x22 {
            if byte == 0x5c, position + 1 < bytes.count { position += 1 }
            value.append(bytes[position])
            position += 1
        }
        position += 1
        return String(decoding: value, as: UTF8.self)
    }

    /// Returns what follows a scheme up to a comma, if it is one word that is no parameter.
    private mutating func token68() -> String? {
        let start = position
        skipSpace()
        let first = position
        skip { Self.isTokenByte($0) || $0 == 0x2f }
        let end = position
        skip { $0 == 0x3d }
        let afterEquals = position
        skipSpace()
        guard first > start, end > first, peek == nil || peek == 0x2c else {
            position = start
            return nil
        }
        return String(decoding: bytes[first..<afterEquals], as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
