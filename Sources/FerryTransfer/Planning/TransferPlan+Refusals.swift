import FerryCore
import Foundation

extension TransferPlan {
    /// Returns what would not be done, as the transfer's report will tell it.
    ///
    /// - Parameter transfer: The transfer that the plan is of.
    /// - Returns: A failure for each folder that could not be listed, and for each refusal.
    public func refusals(of transfer: Transfer) -> [TransferReport.Failure] {
        unlisted.map { $0.failure(in: transfer) }
            + actions.lazy.filter { $0.kind == .refuse }.map { action in
                TransferReport.Failure(action: action, error: TransferRefusal.error(action, in: transfer.target))
            }
    }
}

extension TransferPlan.Unlisted {
    /// How a report tells it.
    func failure(in transfer: Transfer) -> TransferReport.Failure {
        let place = isAtTarget ? transfer.target : transfer.source
        let error = CocoaError.file(.fileReadUnknown, path: place.path(path), description: reason)
        return TransferReport.Failure(action: TransferAction(.refuse, path, .incomplete), error: error)
    }
}
