/// Microsoft's QuickXorHash of bytes that arrive one piece after the other: 20 bytes, which storages write in base 64.
///
/// The state is a ring of 160 bits. Byte *i* is XORed into it at bit 11 · *i* mod 160, and at the end the number of bytes
/// into the last 8 of the 20 bytes. Bytes that are 160 apart meet at the same bit: they are XORed with each other first,
/// 8 at a time, and put at their bits when the hash is asked for. It finds accidents only. See
/// <https://learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash>.
struct QuickXorHash: Sendable {
    /// Bytes after which the bits are the same again.
    private static let period = 160

    /// Bits from one byte to the next.
    private static let shift = 11

    /// Bytes of the hash.
    private static let size = 20

    /// The XOR of all bytes that are a whole number of periods apart; as words, since those can be XORed at once.
    private var words = [UInt64](repeating: 0, count: period / 8)

    /// The number of bytes.
    private var count: UInt64 = 0

    /// Adds bytes behind those added before.
    ///
    /// - Parameter bytes: The bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let start = Int(count % UInt64(Self.period))
        count += UInt64(bytes.count)
        words.withUnsafeMutableBytes { ring in
            // To the beginning of a period.
            let head = start == 0 ? 0 : min(bytes.count, Self.period - start)
            for index in 0..<head { ring[start + index] ^= bytes[index] }
            var offset = head
            if bytes.count - offset >= Self.period {
                offset = Self.fold(bytes, from: offset, into: ring.bindMemory(to: UInt64.self))
            }
            for index in offset..<bytes.count { ring[index - offset] ^= bytes[index] }
        }
    }

    /// Adds whole periods.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - start: The offset of the first period.
    ///   - ring: The words of the state.
    /// - Returns: The offset behind the last whole period.
    private static func fold(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        into ring: UnsafeMutableBufferPointer<UInt64>
    ) -> Int {
        let periods = (bytes.count - start) / period
        // Four words at a time stay in registers over all periods.
        for column in stride(from: 0, to: period, by: 32) {
            var sum = SIMD4<UInt64>()
            var offset = start + column
            for _ in 0..<periods {
                sum ^= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
                offset += period
            }
            let first = column / 8
            for lane in 0..<4 { ring[first + lane] ^= sum[lane] }
        }
        return start + periods * period
    }

    /// Computes the hash of all bytes so far; more can be added afterwards.
    ///
    /// - Returns: 20 bytes.
    func finalize() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.size)
        words.withUnsafeBytes { ring in
            for (index, byte) in ring.enumerated() {
                let bit = index * Self.shift % (Self.size * 8)
                let (place, rest) = (bit / 8, bit % 8)
                let spread = UInt16(byte) << UInt16(rest)
                hash[place] ^= UInt8(truncatingIfNeeded: spread)
                hash[(place + 1) % Self.size] ^= UInt8(truncatingIfNeeded: spread >> 8)
            }
        }
        for index in 0..<8 {
            hash[Self.size - 8 + index] ^= UInt8(truncatingIfNeeded: count >> (8 * UInt64(index)))
        }
        return hash
    }
}
