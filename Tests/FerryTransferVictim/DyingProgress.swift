import Foundation

/// A progress that kills its own process when it is so far.
// Unchecked as every subclass of `Progress` must be; what is added is immutable.
final class DyingProgress: Progress, @unchecked Sendable {
    private let limit: Int64

    init(at limit: Int64) {
        self.limit = limit
        super.init(parent: nil, userInfo: nil)
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            if newValue > limit { die() }
        }
    }
}
