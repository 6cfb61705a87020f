/// The limits for the size of an upload's pieces, and for the number of them at a time.
package struct UploadPieceLimits: Sendable, Hashable {
    /// Bytes that every piece but the last has at least.
    package var minimumSize: Int64

    /// Bytes that a piece has at most.
    package var maximumSize: Int64

    /// Bytes of the first piece, before anything is known of the line.
    package var firstSize: Int64

    /// Every piece but the last has a multiple of so many bytes.
    package var multiple: Int64

    /// Pieces at most.
    package var maximumCount: Int

    /// Pieces at the same time; 1 where one must follow the other.
    package var parallelism: Int

    /// The time that a piece should take; `nil` for pieces that all have ``firstSize``.
    ///
    /// The next pieces are larger or smaller by what the last one took.
    package var targetDuration: Duration?

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - minimumSize: Bytes that every piece but the last has at least.
    ///   - maximumSize: Bytes that a piece has at most.
    ///   - firstSize: Bytes of the first piece.
    ///   - multiple: Every piece but the last has a multiple of so many bytes.
    ///   - maximumCount: Pieces at most.
    ///   - parallelism: Pieces at the same time.
    ///   - targetDuration: How long a piece should take.
    package init(
        minimumSize: Int64 = 1,
        maximumSize: Int64 = 64 << 20,
        firstSize: Int64 = 8 << 20,
        multiple: Int64 = 1,
        maximumCount: Int = 10_000,
        parallelism: Int = 1,
        targetDuration: Duration? = nil
    ) {
        self.minimumSize = max(1, minimumSize)
        self.maximumSize = max(self.minimumSize, maximumSize)
        self.firstSize = firstSize
        self.multiple = max(1, multiple)
        self.maximumCount = max(1, maximumCount)
        self.parallelism = max(1, parallelism)
        self.targetDuration = targetDuration
    }

    /// Bytes for the next piece.
    ///
    /// - Parameters:
    ///   - wish: The size that would suit the line.
    ///   - rest: Bytes that are still to be cut into pieces; `nil` if not known.
    ///   - count: Pieces that were cut already.
    /// - Returns: A length within the limits; never more than the rest. When there are few pieces left, more than the
    ///   maximum rather than a file that can't be sent: the storage then says what it thinks of it.
    package func size(wish: Int64, rest: Int64?, count: Int) -> Int64 {
        var size = min(max(wish, minimumSize), maximumSize)
        size = max(size / multiple * multiple, roundedUp(minimumSize))
        guard let rest else { return size }
        let left = Int64(max(1, maximumCount - count))
        let needed = roundedUp((rest + left - 1) / left)
        return min(rest, max(size, needed))
    }

    /// Returns what would suit the line, after a piece.
    ///
    /// - Parameters:
    ///   - size: Bytes of the piece.
    ///   - duration: How long it took.
    ///   - wish: The size that was wished for before.
    /// - Returns: At most twice as much as before, at least half.
    package func wish(after size: Int64, took duration: Duration, wish: Int64) -> Int64 {
        guard let targetDuration, size > 0 else { return wish }
        let ratio = targetDuration / max(duration, .milliseconds(1))
        let wanted = Double(size) * min(max(ratio, 1.0 / 1_024), 1_024)
        let bounded = min(max(wanted, Double(wish) / 2), Double(wish) * 2)
        return Int64(min(max(bounded, Double(minimumSize)), Double(maximumSize)))
    }

    private func roundedUp(_ size: Int64) -> Int64 { (size + multiple - 1) / multiple * multiple }
}
