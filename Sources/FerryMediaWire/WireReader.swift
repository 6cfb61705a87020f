/// Reads the fields of a message, and believes none of their lengths.
struct WireReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    private var left: Int { bytes.endIndex - index }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(WireError) -> Number {
        let size = MemoryLayout<Number>.size
        guard left >= size else { throw WireError("a message ends inside a number") }
        defer { index += size }
        return bytes[index..<(index + size)].reduce(Number.zero) { number, byte in
            // One byte shifted by eight is nothing, and says so by trapping for `UInt8`.
            (size == 1 ? 0 : number << 8) | Number(truncatingIfNeeded: byte)
        }
    }

    mutating func double() throws(WireError) -> Double {
        Double(bitPattern: try number(UInt64.self))
    }

    mutating func flag() throws(WireError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        case let other: throw WireError("\(other) is neither yes nor no")
        }
    }

    mutating func data() throws(WireError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        guard left >= count else { throw WireError("a message ends inside its data") }
        defer { index += count }
        return Array(bytes[index..<(index + count)])
    }

    mutating func text() throws(WireError) -> String {
        let data = try data()
        guard let text = String(validating: data, as: UTF8.self) else { throw WireError("a text isn't UTF-8") }
        return text
    }

    /// A value of an enumeration, by its raw value.
    mutating func choice<Value: RawRepresentable>(_: Value.Type = Value.self) throws(WireError) -> Value
    where Value.RawValue == UInt8 {
        let raw = try number(UInt8.self)
        guard let value = Value(rawValue: raw) else { throw WireError("no such choice: \(raw)") }
        return value
    }

    mutating func optional<Value>(
        _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    mutating func array<Element>(
        _ body: (inout WireReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        let count = Int(try number(UInt32.self))
        // Each element has at least a byte: no room is made for more than can be there.
        guard count <= left else { throw WireError("a list is longer than its message") }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    func end() throws(WireError) {
        guard left == 0 else { throw WireError("\(left) bytes after the end of a message") }
    }
}
