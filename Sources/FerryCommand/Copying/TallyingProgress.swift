import Foundation
import Synchronization

/// A progress of one file that moves the count of all.
// Unchecked as every subclass of `Progress` must be: that guards itself, and what is added is in a `Mutex` or immutable.
final class TallyingProgress: Progress, @unchecked Sendable {
    private let counted = Mutex<Int64>(0)
    private let tally: ByteTally

    /// Begins at nothing.
    ///
    /// - Parameter tally: What to move.
    init(_ tally: ByteTally) {
        self.tally = tally
        super.init(parent: nil, userInfo: nil)
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            let step = counted.withLock { counted in
                defer { counted = newValue }
                return newValue - counted
            }
            tally.add(Int(step))
        }
    }
}
