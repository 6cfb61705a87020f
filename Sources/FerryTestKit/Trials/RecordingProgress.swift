import Foundation
import Synchronization

/// A progress that remembers how it went.
final class RecordingProgress: Progress, @unchecked Sendable {
    // Unchecked: what is added to `Progress`, which guards itself, is in a `Mutex`.
    private let history = Mutex<[Int64]>([])

    /// Makes a progress of unknown length.
    static func make() -> RecordingProgress {
        let progress = RecordingProgress(parent: nil, userInfo: nil)
        progress.totalUnitCount = -1
        return progress
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            history.withLock { $0.append(newValue) }
            super.completedUnitCount = newValue
        }
    }

    /// Each count that was set, in order.
    var counts: [Int64] { history.withLock { $0 } }

    /// Indicates whether a later count was smaller than one before it.
    var wentBackwards: Bool { zip(counts, counts.dropFirst()).contains { $1 < $0 } }
}
