import FerryCore
import Foundation
import Synchronization

/// Keeps account of a transfer, for tasks that work at the same time.
final class TransferLedger: Sendable {
    private struct State {
        var report = TransferReport()
        var foundBytes: Int64 = 0
        var failedPaths: Set<ItemPath> = []
    }

    private let state = Mutex(State())
    private let progress: Progress?
    private let events: (@Sendable (TransferEvent) -> Void)?
    /// One event at a time.
    private let telling = Mutex(())

    /// Begins at nothing.
    ///
    /// - Parameters:
    ///   - progress: What to move; `nil` if nobody watches.
    ///   - events: Whom to tell.
    init(progress: Progress?, events: (@Sendable (TransferEvent) -> Void)?) {
        self.progress = progress
        self.events = events
    }

    /// What has come of it so far.
    var report: TransferReport { state.withLock { $0.report } }

    /// How many failures there were.
    var failures: Int { state.withLock { $0.report.failures.count } }

    /// Whether something failed at a path.
    func hasFailed(_ path: ItemPath) -> Bool { state.withLock { $0.failedPaths.contains(path) } }

    /// Bytes have passed.
    func add(_ bytes: Int64) {
        // `Progress` itself loses what two tasks add at the same time.
        state.withLock { state in
            state.report.bytes += bytes
            progress?.completedUnitCount = state.report.bytes
        }
    }

    /// Bytes were found that will be moved.
    func find(_ bytes: Int64) {
        state.withLock { $0.foundBytes += bytes }
    }

    /// Everything was found: now the total is known.
    func foundAll() {
        state.withLock { state in progress?.totalUnitCount = state.foundBytes }
    }

    /// Something begins.
    func began(_ action: TransferAction) {
        tell(.began(action))
    }

    /// Something was done.
    func did(_ action: TransferAction, _ losses: Set<TransferReport.Loss>) {
        state.withLock { state in
            state.report.counts[action.kind, default: 0] += 1
            for loss in losses { state.report.losses[loss, default: 0] += 1 }
        }
        tell(.did(action))
    }

    /// Something could not be done.
    func failed(_ action: TransferAction, _ error: any Error) {
        state.withLock { state in
            state.report.failures.append(TransferReport.Failure(action: action, error: error))
            state.failedPaths.insert(action.path)
        }
        tell(.failed(action, error))
    }

    private func tell(_ event: TransferEvent) {
        guard let events else { return }
        telling.withLock { _ in events(event) }
    }
}
