import FerryCore
public import Foundation

/// The state of a transfer that is under way.
public struct TransferStatus: Sendable, Hashable {
    /// Files and links that were found so far, and are to be copied.
    public var filesFound = 0

    /// Files and links of these that were copied.
    public var filesDone = 0

    /// Bytes that the files have that were found.
    public var bytesFound: Int64 = 0

    /// Bytes of these that have arrived.
    public var bytesDone: Int64 = 0

    /// The number of failures.
    public var failures = 0

    /// Indicates whether all was found: until then what was found grows.
    public var isListed = false

    /// Makes the status of a transfer that has just begun.
    public init() {}
}

extension ProgressUserInfoKey {
    /// How far the transfer is that the progress belongs to: a closure that can be called from any thread.
    static let transferStatusKey = ProgressUserInfoKey("FerryTransferStatus")

    /// The progress of each file that is under way: a closure that can be called from any thread.
    static let transferFilesKey = ProgressUserInfoKey("FerryTransferFiles")
}

extension Progress {
    /// The state of the transfer that counts on this progress, from any thread; `nil` if there is none.
    public var transferStatus: TransferStatus? {
        fact(.transferStatusKey, as: (@Sendable () -> TransferStatus).self)?()
    }

    /// The children of a transfer's progress: one for each file that is under way, the one that began first in front.
    ///
    /// From any thread; empty if no transfer counts on this progress. They are told with ``TransferEvent/began(_:_:)``
    /// too, and `Progress` itself has no list of children.
    public var transferFiles: [Progress] {
        fact(.transferFilesKey, as: (@Sendable () -> [Progress]).self)?() ?? []
    }
}

/// Something that a transfer tells while it goes on.
public enum TransferEvent: Sendable {
    /// Begins with it; the progress is the item's own, a child of the transfer's.
    case began(TransferAction, Progress)
    /// Has done it. Files that are the same already are counted in the report, not reported one by one.
    ///
    /// Copies that a server has only said to have are looked at before the transfer ends: those that turn out not to be
    /// there begin once more, or fail.
    case did(TransferAction)
    /// Could not do it.
    case failed(TransferAction, any Error)
}
