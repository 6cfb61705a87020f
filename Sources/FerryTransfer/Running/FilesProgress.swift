import Foundation

/// Holds the progress of each file, between them and that of the whole.
///
/// Foundation's `Progress` on Linux goes through its children without a lock when it is cancelled or paused, which may be
/// while a file begins or ends, and ends the process. So these calls stop here: the transfer itself is told by the whole's
/// progress, and the children come and go under the ledger's lock alone.
// @unchecked: `Progress` is a class that guards itself; nothing is added to it.
final class FilesProgress: Progress, @unchecked Sendable {
    /// Begins without children.
    init() {
        super.init(parent: nil, userInfo: nil)
        totalUnitCount = 1
    }

    override func cancel() {}
    override func pause() {}
    override func resume() {}
}
