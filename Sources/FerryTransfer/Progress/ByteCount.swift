import Synchronization

/// Counts the bytes of one file on their way.
final class ByteCount: Sendable {
    private let item: TransferLedger.Item
    private let ledger: TransferLedger
    /// Of the file, so far.
    private let total = Atomic<Int64>(0)

    /// Begins at nothing.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - ledger: The ledger that counts.
    init(of item: TransferLedger.Item, in ledger: TransferLedger) {
        self.item = item
        self.ledger = ledger
    }

    /// Some bytes pass.
    func add(_ bytes: Int64) {
        total.add(bytes, ordering: .relaxed)
        ledger.add(bytes, to: item)
    }

    /// Some bytes need not pass, since the target has them from an earlier run; negative for some that must pass once more.
    func skip(_ bytes: Int64) {
        total.add(bytes, ordering: .relaxed)
        ledger.skip(bytes, of: item)
    }

    /// All of the file must pass once more.
    func restart() {
        ledger.skip(-total.exchange(0, ordering: .relaxed), of: item)
    }
}

extension Int64 {
    /// The sum of two numbers of bytes, or the nearest that can be: sizes are what storages say, and these may say
    /// anything.
    func adding(_ other: Int64) -> Int64 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? (other < 0 ? 0 : .max) : Swift.max(0, sum)
    }
}
