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
