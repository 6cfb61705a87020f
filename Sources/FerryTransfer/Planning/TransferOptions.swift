public import FerryCore

/// What a transfer does with what it finds.
public struct TransferOptions: Sendable, Hashable {
    /// What is to come of it.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// The target gets what it lacks, and what differs. What only the target has stays.
        case copy
        /// The target becomes what the source is: what only the target has is removed.
        case sync
    }

    /// What is to come of it.
    public var mode = Mode.copy

    /// What makes two files the same.
    public var comparison = ComparisonRule.standard

    /// Whether a file that differs at the target may be replaced; else it is refused, as ``TransferAction/Reason/exists``.
    public var replacesFiles = true

    /// Whether a file that is newer at the target stays.
    public var keepsNewer = false

    /// Which items the transfer is about.
    public var filter = TransferFilter()

    /// Items that a ``Mode/sync`` may remove, as a part of all that the target has, from 0 to 1; else it removes none.
    public var largestRemoval = 0.5

    /// Items that a ``Mode/sync`` may remove at most, whatever part of the target they are; as ``largestRemoval`` says
    /// when `nil`.
    public var largestRemovalCount: Int?

    /// Whether a file that the target has under another name is moved there instead of being copied.
    public var tracksRenames = false

    /// A folder of the target, from its root, to which goes what would be overwritten or removed; outside of what is
    /// transferred.
    public var backupFolder: ItemPath?

    /// Whether the first failure ends everything.
    public var endsAtFirstFailure = false

    /// Files at the same time, at most; what the storages recommend when `nil`.
    public var concurrency: Int?

    /// Makes the usual options.
    public init() {}
}
