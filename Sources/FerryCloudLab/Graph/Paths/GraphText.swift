import Foundation

/// The percent-encoding of addresses (RFC 3986), strict in both directions.
enum GraphText {
    private static let plain = Set("-._~!$&'()*+,;=:@[]".utf8)

    /// Decodes a segment of a path.
    ///
    /// - Parameter segment: The segment.
    /// - Returns: The text.
    /// - Throws: A refusal with status 400 for characters that must be encoded, and for what isn't UTF-8.
    static func decoded(_ segment: Substring) throws(GraphRefusal) -> String {
        var bytes: [UInt8] = []
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard isAlphanumeric(byte) || plain.contains(byte) else {
                    throw .invalid("The address has characters that must be percent-encoded.")
                }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                throw .invalid("The address has a percent sign without two hexadecimal digits.")
            }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid("The address isn't UTF-8.")
        }
        return text
    }

    /// Encodes a segment of a path, or a value of a query.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - extra: Characters that are left as they are, beside letters, digits and `-._~`.
    /// - Returns: The encoded text.
    static func encoded(_ text: some StringProtocol, leaving extra: String = "") -> String {
        // Most names need no encoding at all.
        if text.utf8.allSatisfy(isUnreserved) { return String(text) }
        let extra = Set(extra.utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || extra.contains(byte) {
                result.append(byte)
            } else {
                let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
                result += [UInt8(ascii: "%")] + (digits.count < 2 ? [UInt8(ascii: "0")] : []) + digits
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~".utf8.contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }
}
