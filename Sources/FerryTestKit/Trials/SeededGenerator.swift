/// Random numbers that are the same in every run (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    /// Begins.
    ///
    /// - Parameter seed: The same one gives the same numbers.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// The number at a place in the sequence whose seed is 0.
    ///
    /// - Parameter index: The place, from 1 on.
    /// - Returns: The number.
    static func number(at index: UInt64) -> UInt64 { mixed(index &* step) }

    private static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
