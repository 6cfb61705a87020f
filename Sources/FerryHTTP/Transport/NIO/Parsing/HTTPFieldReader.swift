import Foundation
import HTTPTypes

/// Reads the field lines of one connection's answers.
///
/// A server says much the same in each answer; a name or a value that is the one of the last answer is not made anew.
struct HTTPFieldReader {
    /// The fields of the last answer, in their order.
    private var known: [HTTPField] = []
    private var index = 0

    /// Another answer begins.
    mutating func begin() {
        index = 0
    }

    /// Reads a field.
    ///
    /// - Parameter line: The line without its end.
    /// - Returns: The field; `nil` for a line that is none (RFC 9112 §5.1), one that continues another among them (§5.2).
    mutating func read(_ line: UnsafeRawBufferPointer) -> HTTPField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        let value = Self.trimmed(line[(colon + 1)...])
        // Both would end the line for somebody else.
        guard !value.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else { return nil }
        defer { index += 1 }
        let expected = index < known.count ? known[index] : nil
        let name: HTTPField.Name
        if let expected, Self.isSame(expected.name, line[..<colon]) {
            if Self.isSame(expected, value) { return expected }
            name = expected.name
        } else {
            guard let new = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else { return nil }
            name = new
        }
        let field = HTTPField(name: name, value: value)
        if index < known.count { known[index] = field } else if index < Self.most { known.append(field) }
        return field
    }

    /// More than servers send; what is behind is read all the same.
    private static let most = 40

    private static func isSame(_ name: HTTPField.Name, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        name.rawName.utf8.count == bytes.count && name.rawName.utf8.elementsEqual(bytes)
    }

    private static func isSame(_ field: HTTPField, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        field.withUnsafeBytesOfValue { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = bytes
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }
}
