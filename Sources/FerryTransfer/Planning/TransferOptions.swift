public import FerryCore

/// Options of a transfer: its mode, its comparison, its limits.
public struct TransferOptions: Sendable, Hashable {
    /// The result that is wanted.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// The target gets what it lacks, and what differs. What only the target has stays.
        case copy
        /// The target becomes what the source is: what only the target has is removed.
        case sync
        /// As ``copy``, and what the target then has is removed from the source, file by file once its copy is complete;
        /// folders that are empty then go too.
        case move
    }

    /// The result that is wanted.
    public var mode = Mode.copy

    /// The rule by which two files are the same.
    public var comparison = ComparisonRule.standard

    /// Indicates whether contents are read from both sides where listings tell nothing else, when a transfer is only to
    /// compare.
    public var readsContents = false

    /// Indicates whether a file that is newer at the target stays.
    public var keepsNewer = false

    /// Indicates whether a file that differs at the target stays, whatever it is.
    public var keepsExisting = false

    /// Indicates whether a file that differs at the target may be replaced; else it is refused, as
    /// ``TransferAction/Reason/exists``.
    public var replacesFiles = true

    /// Indicates whether it is an error that the target's folder exists, in which case nothing is done.
    public var demandsNewFolder = false

    /// The items that the transfer is about.
    public var filter = TransferFilter()

    /// The order of the files.
    ///
    /// Of those that wait: listing then runs ahead by ``TransferOrder/lookAhead`` files before the first is copied, so that
    /// the order is exact for trees of fewer files.
    public var order: TransferOrder?

    /// Items that a ``Mode/sync`` may remove, as a part of all that the target has, from 0 to 1; else it removes none.
    public var largestRemoval = 0.5

    /// Items that a ``Mode/sync`` may remove at most, whatever part of the target they are; as ``largestRemoval`` says
    /// when `nil`.
    public var largestRemovalCount: Int?

    /// Indicates whether a file that the target has under another name is moved there instead of being copied.
    ///
    /// Everything is then listed before anything is done.
    public var tracksRenames = false

    /// A folder of the target, from its root, to which goes what would be overwritten or removed; outside of what is
    /// transferred.
    public var backupFolder: ItemPath?

    /// The suffix of names of items that are kept in ``backupFolder``, so that a later run doesn't take their place.
    public var backupSuffix = ""

    /// Indicates whether the first failure ends everything.
    public var endsAtFirstFailure = false

    /// Indicates whether of a large file that replaces another only the blocks that differ are sent, and changed in place,
    /// where the target is a `FileProviderBlockUpdating`: until that is done, its name shows a mixture of both.
    public var updatesInPlace = false

    /// Bytes from which on a file is copied in parts, where the storages can: several at the same time, and so that a
    /// later run goes on where this one ends.
    public var partedSize: Int64 = 16 << 20

    /// Parts of one file at the same time, at most.
    public var partsAtOnce = 4

    /// Bytes of a part, at most; chosen by the file's size when `nil`.
    ///
    /// To a disk a later run goes on where each part was. Of a server that can't tell how much of a part it has, the part is
    /// sent again, so that each interruption costs up to ``partsAtOnce`` parts of each file that is under way: by default
    /// these have 8 MiB, or as much as a chunk of Nextcloud, which is more for files of over 70 GiB. Elsewhere they are a
    /// 32nd of the file, and 8 to 32 MiB.
    public var partSize: Int64?

    /// The rates at which bytes may pass, all files together; `nil` for no limit.
    public var bandwidth: BandwidthLimit?

    /// Files at the same time, at most; what the storages recommend when `nil`.
    public var concurrency: Int?

    /// The time for which a storage that can't be reached is waited for, by each file that needs it.
    public var outagePatience = Duration.seconds(60)

    /// Makes the usual options.
    public init() {}
}
