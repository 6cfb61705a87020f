import FerryCore
import Foundation
import Synchronization

/// A progress of one piece of work that counts for the whole transfer.
final class CountingProgress: Progress, CountedProgress, @unchecked Sendable {  // it locks itself; a `Mutex` for ours
    private let told = Mutex<Int64>(0)
    private let ledger: TransferLedger
    private let item: TransferLedger.Item

    /// Begins at nothing.
    ///
    /// - Parameters:
    ///   - ledger: What counts.
    ///   - item: What it counts for.
    init(_ ledger: TransferLedger, _ item: TransferLedger.Item) {
        self.ledger = ledger
        self.item = item
        super.init(parent: nil, userInfo: nil)
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            let step = told.withLock { told in
                defer { told = newValue }
                return newValue - told
            }
            ledger.add(step, to: item)
        }
    }

    override var totalUnitCount: Int64 {
        get { super.totalUnitCount }
        set {
            super.totalUnitCount = newValue
            ledger.expect(newValue, of: item)
        }
    }
}
