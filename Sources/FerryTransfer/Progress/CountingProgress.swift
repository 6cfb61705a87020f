import FerryCore
import Foundation
import Synchronization

/// A progress of one piece of work that counts for the whole transfer.
///
/// Unchecked, as every class below `Progress` must be, which guards its own state.
/// The added properties are constants of Sendable types, and counts in a `Mutex` each.
final class CountingProgress: Progress, CountedProgress, @unchecked Sendable {
    private let told = Mutex<Int64>(0)
    private let toldFiles = Mutex((found: 1, done: 0))
    private let ledger: TransferLedger
    private let item: TransferLedger.Item

    /// Begins at nothing.
    ///
    /// - Parameters:
    ///   - ledger: The ledger that counts.
    ///   - item: The item that it counts for.
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

    func count(files: Int, done: Int) {
        toldFiles.withLock { told in
            ledger.add(filesFound: files - told.found, filesDone: done - told.done, to: item)
            told = (files, done)
        }
    }

    func skip(_ units: Int64) {
        told.withLock { $0 += units }
        ledger.skip(units, of: item)
        completedUnitCount += units
    }

    override var totalUnitCount: Int64 {
        get { super.totalUnitCount }
        set {
            super.totalUnitCount = newValue
            ledger.expect(newValue, of: item)
        }
    }
}
