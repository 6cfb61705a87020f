package import Foundation

/// A progress that does something whenever it is beyond a count.
///
/// Unchecked, as every class below `Progress` must be, which guards its own state.
/// The added properties are constants of Sendable types.
package final class AlarmedProgress: Progress, @unchecked Sendable {
    private let limit: Int64
    private let alarm: @Sendable (AlarmedProgress) -> Void

    /// Makes a progress.
    ///
    /// - Parameters:
    ///   - limit: The last count at which nothing happens.
    ///   - alarm: Called at each count beyond it, by whoever counts.
    package init(beyond limit: Int64, alarm: @escaping @Sendable (AlarmedProgress) -> Void) {
        self.limit = limit
        self.alarm = alarm
        super.init(parent: nil, userInfo: nil)
    }

    package override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            if newValue > limit { alarm(self) }
        }
    }
}
