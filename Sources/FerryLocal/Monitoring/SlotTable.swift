/// A hash table of small numbers that stand for things kept elsewhere: four bytes a slot, at most three quarters full.
struct SlotTable {
    private static let empty = UInt32.max

    private var slots: ContiguousArray<UInt32> = []
    private(set) var count = 0

    /// Bytes that it takes.
    var footprint: Int { slots.capacity * MemoryLayout<UInt32>.stride }

    /// Finds a number.
    ///
    /// - Parameters:
    ///   - hash: Of what is looked for.
    ///   - matches: Returns `true` if a number stands for that.
    /// - Returns: The number, or `nil`.
    func find(_ hash: Int, where matches: (UInt32) -> Bool) -> UInt32? {
        slot(hash, where: matches).map { slots[$0] }
    }

    /// Adds a number that is not there.
    ///
    /// - Parameters:
    ///   - number: The number to add.
    ///   - hash: Of what it stands for.
    ///   - rehash: Gives the hash of what a number stands for.
    mutating func insert(_ number: UInt32, _ hash: Int, rehash: (UInt32) -> Int) {
        if (count + 1) * 4 > slots.count * 3 { grow(rehash) }
        place(number, hash)
        count += 1
    }

    /// Takes a number out.
    ///
    /// - Parameters:
    ///   - number: The number to take out.
    ///   - hash: Of what it stands for.
    ///   - rehash: Gives the hash of what a number stands for.
    mutating func remove(_ number: UInt32, _ hash: Int, rehash: (UInt32) -> Int) {
        guard var hole = slot(hash, where: { $0 == number }) else { return }
        count -= 1
        let mask = slots.count - 1
        var next = hole
        while true {
            next = (next + 1) & mask
            let candidate = slots[next]
            if candidate == Self.empty { break }
            // A number that would no longer be found behind the hole moves into it.
            let home = rehash(candidate) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = candidate
                hole = next
            }
        }
        slots[hole] = Self.empty
    }

    private func slot(_ hash: Int, where matches: (UInt32) -> Bool) -> Int? {
        if slots.isEmpty { return nil }
        var index = hash & (slots.count - 1)
        while slots[index] != Self.empty {
            if matches(slots[index]) { return index }
            index = (index + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func place(_ number: UInt32, _ hash: Int) {
        var index = hash & (slots.count - 1)
        while slots[index] != Self.empty { index = (index + 1) & (slots.count - 1) }
        slots[index] = number
    }

    private mutating func grow(_ rehash: (UInt32) -> Int) {
        let old = slots
        slots = ContiguousArray(repeating: Self.empty, count: max(16, old.count * 2))
        for number in old where number != Self.empty { place(number, rehash(number)) }
    }
}
