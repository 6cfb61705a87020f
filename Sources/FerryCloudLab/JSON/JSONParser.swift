/// A reader of JSON text (RFC 8259), strict in everything.
struct JSONParser {
    /// An error that describes text that is no JSON.
    struct Failure: Error {
        /// The byte at which reading stopped.
        var offset: Int
    }

    /// The depth at which nested values are refused, so that no text exhausts the stack.
    private static let maximumDepth = 100

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads one JSON value.
    ///
    /// - Parameter bytes: The text in UTF-8; white space around the value is allowed.
    /// - Returns: The value.
    /// - Throws: ``Failure``.
    static func parse(_ bytes: some Sequence<UInt8>) throws(Failure) -> JSONValue {
        var parser = JSONParser(Array(bytes))
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.failure }
        return value
    }

    private var failure: Failure { Failure(offset: position) }
    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func expect(_ text: StaticString) throws(Failure) {
        for index in 0..<text.utf8CodeUnitCount {
            guard current == text.utf8Start[index] else { throw failure }
            position += 1
        }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try objectValue(depth: depth)
        case UInt8(ascii: "["): return try arrayValue(depth: depth)
        case UInt8(ascii: "\""): return .string(try stringValue())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default: return try numberValue()
        }
    }

    private mutating func objectValue(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var members: [(String, JSONValue)] = []
        skipSpace()
        if current == UInt8(ascii: "}") {
            position += 1
            return .object(JSONObject())
        }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw failure }
            let name = try stringValue()
            skipSpace()
            try expect(":")
            members.append((name, try value(depth: depth + 1)))
            skipSpace()
            if current == UInt8(ascii: "}") {
                position += 1
                return .object(JSONObject(members))
            }
            try expect(",")
        }
    }

    private mutating func arrayValue(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if current == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if current == UInt8(ascii: "]") {
                position += 1
                return .array(elements)
            }
            try expect(",")
        }
    }

    private mutating func numberValue() throws(Failure) -> JSONValue {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        skipDigits()
        guard position > firstDigit else { throw failure }
        if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 { throw failure }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            let firstFraction = position
            skipDigits()
            guard position > firstFraction else { throw failure }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            let firstExponent = position
            skipDigits()
            guard position > firstExponent else { throw failure }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text) else { throw failure }
        return .number(number)
    }

    private mutating func skipDigits() {
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }

    private mutating func stringValue() throws(Failure) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw failure }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escapedCharacter())
            case 0..<0x20: throw failure
            default: text.append(byte)
            }
        }
        throw failure
    }

    private mutating func escapedCharacter() throws(Failure) -> [UInt8] {
        guard let byte = current else { throw failure }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            guard UTF16.isLeadSurrogate(first) else {
                guard let scalar = Unicode.Scalar(first) else { throw failure }
                return Array(String(Character(scalar)).utf8)
            }
            try expect("\\u")
            let second = try codeUnit()
            guard UTF16.isTrailSurrogate(second) else { throw failure }
            return Array(String(decoding: [first, second], as: UTF16.self).utf8)
        default: throw failure
        }
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        guard position + 4 <= bytes.count else { throw failure }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure }
        position += 4
        return unit
    }
}
