import Foundation
import Synchronization

/// Moves a progress from many tasks: `Progress` itself loses what two of them add at the same time.
final class ByteTally: Sendable {
    private struct Count {
        var done: Int64 = 0
        var found: Int64 = 0
    }

    private let progress: Progress?
    private let count = Mutex(Count())

    /// Begins at nothing.
    ///
    /// - Parameter progress: What to move; `nil` if nobody watches.
    init(_ progress: Progress?) {
        self.progress = progress
    }

    /// Bytes have arrived.
    func add(_ bytes: Int) {
        guard let progress else { return }
        count.withLock { count in
            count.done += Int64(bytes)
            progress.completedUnitCount = count.done
        }
    }

    /// A file was found that will be copied.
    func find(_ bytes: Int64?) {
        guard progress != nil, let bytes else { return }
        count.withLock { $0.found += bytes }
    }

    /// All files were found: now the total is known.
    func foundAll() {
        guard let progress else { return }
        count.withLock { progress.totalUnitCount = $0.found }
    }
}
