import FerryCore
import Foundation

/// Writes one JSON object on one line, key by key, straight into a buffer.
///
/// A listing of a hundred thousand items spends its time here: nothing is allocated for an item.
struct JSONLine {
    private(set) var bytes: [UInt8] = []
    private var isEmpty = true

    /// Begins an object.
    mutating func begin() {
        bytes.append(UInt8(ascii: "{"))
        isEmpty = true
    }

    /// Ends the object and its line.
    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Ends an object that is a value in another one.
    mutating func endInner() {
        bytes.append(UInt8(ascii: "}"))
        isEmpty = false
    }

    /// Forgets what was written.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a key that needs no escape; its value must follow.
    mutating func key(_ key: StaticString) {
        startKey()
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        endKey()
    }

    /// Adds a key of any text; its value must follow.
    mutating func key(_ key: String) {
        startKey()
        escaped(key)
        endKey()
    }

    private mutating func startKey() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Adds a value that needs no escape: a number, `true`, a quoted word.
    mutating func raw(_ value: StaticString) {
        value.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds a value that needs no escape.
    mutating func append(_ value: String) {
        bytes.append(contentsOf: value.utf8)
    }

    /// Adds a string.
    mutating func string(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        escaped(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a string of two parts that were escaped, or need not be, and one that must be.
    mutating func string(escapedPrefix prefix: [UInt8], _ value: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: prefix)
        escaped(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a whole number.
    mutating func number(_ value: Int64) {
        Self.append(value, to: &bytes)
    }

    /// Adds `true` or `false`.
    mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Adds a date as a string in ISO 8601.
    mutating func date(_ value: Date) {
        bytes.append(UInt8(ascii: "\""))
        UTCTime.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds text with JSON's escapes (RFC 8259 §7), without quotes.
    mutating func escaped(_ text: String) {
        var text = text
        text.withUTF8 { Self.appendEscaped($0, to: &bytes) }
    }

    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard text.contains(where: mustEscape) else {
            bytes.append(contentsOf: text)
            return
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += Array(#"\n"#.utf8)
            case UInt8(ascii: "\r"): bytes += Array(#"\r"#.utf8)
            case UInt8(ascii: "\t"): bytes += Array(#"\t"#.utf8)
            case 0..<0x20, 0x7F:
                bytes += Array(#"\u00"#.utf8) + [hexDigit(byte >> 4), hexDigit(byte & 15)]
            default: bytes.append(byte)
            }
        }
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Adds a whole number's digits.
    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
