import Foundation

/// Reads what ``ByteWriter`` has written; bytes that make no sense are an error, never a trap.
struct ByteReader {
    /// The bytes end early, or say what can't be.
    struct Malformed: Error {}

    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Bytes that are left.
    var remaining: Int { bytes.count - position }

    mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) throws(Malformed) -> Value {
        let width = MemoryLayout<Value>.size
        guard bytes.count - position >= width else { throw Malformed() }
        defer { position += width }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: type))
    }

    mutating func number() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try fixed(UInt8.self)
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw Malformed()
    }

    mutating func slice() throws(Malformed) -> UnsafeRawBufferPointer {
        let count = try number()
        guard count <= bytes.count - position else { throw Malformed() }
        defer { position += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(count))])
    }

    mutating func text() throws(Malformed) -> String { String(decoding: try slice(), as: UTF8.self) }

    mutating func date() throws(Malformed) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: try fixed(UInt64.self)))
    }
}

/// Writes numbers and text one after the other.
struct ByteWriter {
    var bytes: [UInt8] = []

    /// Little endian, as wide as its type.
    mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// LEB128: seven bits a byte, the lowest first.
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// UTF-8, with its length before it.
    mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}
