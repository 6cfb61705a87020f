import Foundation

/// SHA-512/256 (FIPS 180-4 §5.3.6.2): SHA-512 that starts with other numbers and is cut to 256 bits.
///
/// Not the same as the first half of SHA-512, and not in CryptoKit.
enum SHA512by256 {
    private static let initial: [UInt64] = [
        0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
    ]

    /// The fractions of the cube roots of the first 80 primes (FIPS 180-4 §4.2.3).
    ///
    /// Computed: of 80 numbers one is soon mistyped.
    private static let constants: [UInt64] = primes(80).map { fractionOfCubeRoot($0) }

    /// The hash of some bytes.
    static func hash(_ data: Data) -> [UInt8] {
        var state = initial
        var message = [UInt8](data)
        message.append(0x80)
        message.append(contentsOf: repeatElement(0, count: (240 - message.count % 128) % 128 + 8))
        let bits = UInt64(data.count) * 8
        message.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        for start in stride(from: 0, to: message.count, by: 128) {
            compress(message[start..<start + 128], into: &state)
        }
        return state[..<4].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt64]) {
        var words = [UInt64](repeating: 0, count: 80)
        for (index, byte) in block.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        for index in 16..<80 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotated(early, 1) ^ rotated(early, 8) ^ early >> 7
            let second = rotated(late, 19) ^ rotated(late, 61) ^ late >> 6
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<80 {
            let choice = (e & f) ^ (~e & g)
            let sum = rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41)
            let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value >> count | value << (64 - count)
    }

    private static func primes(_ count: Int) -> [UInt64] {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < count {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }

    /// The first 64 bits after the point of a cube root: the largest r with r³ ≤ prime · 2¹⁹², without its whole part.
    private static func fractionOfCubeRoot(_ prime: UInt64) -> UInt64 {
        var root = UInt128(0)  // below 2⁶⁷, since the primes are below 512
        for bit in (0..<67).reversed() {
            let next = root | 1 << UInt128(bit)
            if cube(next, isAtMost: prime) { root = next }
        }
        return UInt64(truncatingIfNeeded: root)
    }

    /// Returns whether value³ ≤ prime · 2¹⁹², in 256 bits.
    private static func cube(_ value: UInt128, isAtMost prime: UInt64) -> Bool {
        let square = value.multipliedFullWidth(by: value)
        let low = square.low.multipliedFullWidth(by: value)
        let (highOfHigh, isTooLarge) = square.high.multipliedReportingOverflow(by: value)
        let (high, isBeyond) = low.high.addingReportingOverflow(highOfHigh)
        let limit = UInt128(prime) << 64  // of the upper half; the lower is 0
        return !isTooLarge && !isBeyond && (high < limit || (high == limit && low.low == 0))
    }
}
