import FerryCore
public import Foundation

/// What a transfer has done.
public struct TransferReport: Sendable {
    /// Something that could not be done.
    public struct Failure: Sendable {
        /// What was to be done.
        public var action: TransferAction
        /// Why not; the reason of the action says it for what was refused.
        public var error: any Error
    }

    /// How much of what was kept at the source can't be kept at the target.
    public enum Loss: String, Sendable, Hashable, Codable, CaseIterable {
        /// Dates of files.
        case dates
        /// Permissions of files that can be executed.
        case permissions
        /// Symbolic links, which were left out.
        case links
    }

    /// What was done, by kind.
    public var counts: [TransferAction.Kind: Int] = [:]

    /// Bytes that were moved.
    public var bytes: Int64 = 0

    /// What could not be done, in the order in which that came out.
    public var failures: [Failure] = []

    /// Items of which something was lost.
    public var losses: [Loss: Int] = [:]

    /// Whether all was done that was meant to.
    public var isComplete: Bool { failures.isEmpty }

    /// Makes an empty report.
    public init() {}
}

/// Something that a transfer tells while it goes on.
public enum TransferEvent: Sendable {
    /// Begins with it; the progress is the item's own, a child of the transfer's.
    case began(TransferAction, Progress)
    /// Has done it.
    case did(TransferAction)
    /// Could not do it.
    case failed(TransferAction, any Error)
}
