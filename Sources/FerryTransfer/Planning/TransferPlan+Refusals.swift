extension TransferPlan {
    /// What would not be done, as the transfer's report will tell it.
    ///
    /// - Parameter target: Where the copies would go.
    /// - Returns: A failure for each refusal.
    public func refusals(at target: TransferPlace) -> [TransferReport.Failure] {
        actions.lazy.filter { $0.kind == .refuse }.map { action in
            TransferReport.Failure(action: action, error: TransferRefusal.error(action, in: target))
        }
    }
}
