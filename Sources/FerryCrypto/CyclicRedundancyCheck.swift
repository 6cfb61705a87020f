/// CRC-32 of bytes that arrive one piece after the other, as zip files, Ethernet and FTP's `XCRC` have it (ISO 3309).
///
/// It finds accidents only; two different files have the same one in four thousand million.
struct CyclicRedundancyCheck: Sendable {
    private var remainder: UInt32 = .max

    /// The remainder of each byte, by the polynomial 0xEDB88320.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    /// Adds bytes behind those added before.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        remainder = Self.table.withUnsafeBufferPointer { table in
            bytes.reduce(remainder) { value, byte in value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
        }
    }

    /// The check of all bytes so far, the most significant byte first.
    func finalize() -> [UInt8] {
        let value = ~remainder
        return (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }
}
