public import Foundation

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
