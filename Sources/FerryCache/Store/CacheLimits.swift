/// The limits of what a store may keep.
public struct CacheLimits: Sendable, Hashable {
    /// Bytes that are kept in memory, at most.
    public var memoryBytes: Int
    /// Bytes that are kept on the disk, at most, each content once and the index's share included.
    public var diskBytes: Int64
    /// Bytes of one item's contents that are kept, at most; never more than half of ``diskBytes``.
    public var largestContentBytes: Int64

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - memoryBytes: Bytes in memory; 0 for nothing.
    ///   - diskBytes: Bytes on the disk; 0 for nothing.
    ///   - largestContentBytes: Bytes of one item's contents.
    public init(
        memoryBytes: Int = 32 << 20,
        diskBytes: Int64 = 4 << 30,
        largestContentBytes: Int64 = .max
    ) {
        self.memoryBytes = max(0, memoryBytes)
        self.diskBytes = max(0, diskBytes)
        self.largestContentBytes = max(0, largestContentBytes)
    }

    /// Bytes of one item's contents on the disk.
    var largestOnDisk: Int64 { min(largestContentBytes, diskBytes / 2) }

    /// Bytes of one value in memory.
    var largestInMemory: Int { memoryBytes / 2 }
}

/// Where something is kept.
struct CacheLevels: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// In this process, until it ends.
    static let memory = CacheLevels(rawValue: 1 << 0)
    /// In files, for all processes.
    static let disk = CacheLevels(rawValue: 1 << 1)

    static let all: CacheLevels = [.memory, .disk]
}
