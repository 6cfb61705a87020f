import FerryCore

/// Remembers names by 128 bits of each, to notice one that comes twice.
///
/// An open-addressed table, filled to seven eighths: a `Set` of as many takes twice the memory, which is most of what a
/// long listing holds.
struct NameFingerprints {
    private struct Fingerprint: Equatable {
        var first: UInt64 = 0
        var second: UInt64 = 0

        /// The value of a free slot.
        static let none = Fingerprint()
    }

    private var slots: [Fingerprint] = []
    private var count = 0
    private var folder = ItemPath.root
    private var folderHash: (UInt64, UInt64)

    /// By chance, so that nobody can make a list whose names crowd into a few slots.
    private let start = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    init() {
        folderHash = start
    }

    /// Remembers a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - folder: The folder it is in.
    /// - Returns: `true` if it is new.
    mutating func insert(_ name: String, in folder: ItemPath) -> Bool {
        if folder != self.folder {
            self.folder = folder
            folderHash = Self.hash(folder.string, from: start)
        }
        let (first, second) = Self.hash(name, from: folderHash)
        if count >= slots.count / 8 * 7 { grow() }
        // No name has the value of a free slot.
        guard place(Fingerprint(first: first, second: second | 1)) else { return false }
        count += 1
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: .none, count: max(64, old.count * 2))
        for fingerprint in old where fingerprint != .none { _ = place(fingerprint) }
    }

    /// Puts a fingerprint into its slot, or the next that is free; `false` if it is there already.
    private mutating func place(_ fingerprint: Fingerprint) -> Bool {
        let mask = slots.count - 1
        let mixed = (fingerprint.first ^ fingerprint.second >> 31) &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: mixed >> 32) & mask
        while slots[index] != .none {
            if slots[index] == fingerprint { return false }
            index = (index + 1) & mask
        }
        slots[index] = fingerprint
        return true
    }

    /// Two different multiplicative hashes; that somebody could make a collision on purpose does no harm: whoever makes
    /// the list could as well leave the item out.
    private static func hash(_ text: String, from start: (UInt64, UInt64)) -> (UInt64, UInt64) {
        var (first, second) = (start.0 ^ 0xCBF2_9CE4_8422_2325, start.1 ^ 0x9E37_79B9_7F4A_7C15)
        for byte in text.utf8 {
            first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            second = (second &+ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
            second ^= second >> 29
        }
        return (first, second)
    }
}
