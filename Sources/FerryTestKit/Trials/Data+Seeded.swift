package import Foundation
import Synchronization

extension Data {
    /// The longest bytes that were asked for with the usual seed, of which shorter ones are the beginning.
    private static let usual = Mutex(Data())

    /// Makes bytes of which no two stretches are alike (SplitMix64).
    ///
    /// They are kept for the usual seed: unoptimized, making them would be a tenth of the tests' time.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - seed: The same one gives the same bytes, and the beginning of more of them.
    /// - Returns: The bytes.
    package static func seeded(_ count: Int, seed: UInt64 = 1) -> Data {
        guard seed == 1 else { return made(count, seed: seed) }
        return usual.withLock { kept in
            if kept.count < count { kept = made(count, seed: seed) }
            return kept.prefix(count)
        }
    }

    private static func made(_ count: Int, seed: UInt64) -> Data {
        // A word at a time, and with operators that need no generic code.
        var state = seed
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        words.withUnsafeMutableBufferPointer { words in
            var index = 0
            while index < words.count {
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
                words[index] = (word ^ (word &>> 31)).littleEndian
                index &+= 1
            }
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
