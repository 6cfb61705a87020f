import Foundation

/// The amount of what a store keeps.
public struct CacheUsage: Sendable, Hashable {
    /// The entries of one kind that are kept for one account.
    public struct Part: Sendable, Hashable {
        /// The account that they are kept for.
        public let account: CacheAccount
        /// Of what kind.
        public let kind: CacheKind
        /// The number of things.
        public let count: Int
        /// Bytes; contents that several items share are counted for each of them.
        public let bytes: Int64
    }

    /// By account, then by kind; in memory, where there is no disk.
    public let parts: [Part]

    /// Bytes on the disk, each content once, as they count for the limit.
    public let diskBytes: Int64

    /// Bytes in this process' memory, about.
    public let memoryBytes: Int

    /// Indicates whether something is kept on the disk; where it can't be, there is only the memory.
    public let isOnDisk: Bool

    /// Bytes that are kept on the disk, or in memory where there is no disk, as text for people: `4.2 MB`.
    public var sizeText: String {
        ByteCountFormatter.string(fromByteCount: isOnDisk ? diskBytes : Int64(memoryBytes), countStyle: .file)
    }

    /// Bytes for an account.
    ///
    /// - Parameter account: The account.
    /// - Returns: Bytes of all kinds.
    public func bytes(of account: CacheAccount) -> Int64 {
        parts.filter { $0.account == account }.reduce(0) { $0 + $1.bytes }
    }

    /// Bytes of a kind.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: Bytes for all accounts.
    public func bytes(of kind: CacheKind) -> Int64 {
        parts.filter { $0.kind == kind }.reduce(0) { $0 + $1.bytes }
    }
}
