/// Writes the fields of a message, one after the other.
struct WireWriter {
    private(set) var bytes: [UInt8]

    init(kind: UInt8, capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity + 5)
        bytes.append(contentsOf: [0, 0, 0, 0, kind])
    }

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) {
        write(number.bitPattern)
    }

    mutating func write(_ flag: Bool) {
        write(flag ? UInt8(1) : 0)
    }

    mutating func write(_ text: String) {
        write(Array(text.utf8))
    }

    mutating func write(_ data: [UInt8]) {
        write(UInt32(data.count))
        bytes.append(contentsOf: data)
    }

    /// A value that may be missing, after a byte that says so.
    mutating func write<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Element>(_ elements: [Element], _ body: (inout WireWriter, Element) -> Void) {
        write(UInt32(elements.count))
        for element in elements { body(&self, element) }
    }

    /// The frame: the length of what follows it in four bytes, the kind, the fields.
    func frame() -> [UInt8] {
        var frame = bytes
        withUnsafeBytes(of: UInt32(bytes.count - 4).bigEndian) { length in
            for index in 0..<4 { frame[index] = length[index] }
        }
        return frame
    }
}
