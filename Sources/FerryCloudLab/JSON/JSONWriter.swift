/// A writer of compact JSON text.
struct JSONWriter {
    private let isASCII: Bool
    private(set) var bytes: [UInt8] = []

    /// Starts with no text.
    ///
    /// - Parameter isASCII: A Boolean value that indicates whether characters above 0x7E are escaped.
    init(isASCII: Bool = false) { self.isASCII = isASCII }

    /// Appends a value.
    ///
    /// - Parameter value: The value.
    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: literal("null")
        case .bool(let truth): literal(truth ? "true" : "false")
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .number(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .string(let text): write(quoting: text)
        case .array(let elements):
            literal("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { literal(",") }
                write(element)
            }
            literal("]")
        case .object(let object):
            literal("{")
            for (index, member) in object.members.enumerated() {
                if index > 0 { literal(",") }
                write(quoting: member.name)
                literal(":")
                write(member.value)
            }
            literal("}")
        }
    }

    private mutating func literal(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(quoting text: String) {
        literal("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal("\\\"")
            case "\\": literal("\\\\")
            case "\n": literal("\\n")
            case "\r": literal("\\r")
            case "\t": literal("\\t")
            case _ where scalar.value < 0x20 || (isASCII && scalar.value > 0x7E): escape(scalar)
            case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes.append(contentsOf: String(Character(scalar)).utf8)
            }
        }
        literal("\"")
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
            let digits = String(unit, radix: 16)
            literal("\\u")
            bytes.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
            bytes.append(contentsOf: digits.utf8)
        }
    }
}

extension JSONValue {
    /// The value as compact UTF-8 text.
    var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as compact text that fits into an HTTP header: everything above 0x7E is escaped.
    var encodedForHeader: String {
        var writer = JSONWriter(isASCII: true)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
