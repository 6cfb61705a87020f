import FerryCore
import Synchronization

/// A copy of which a storage at the other end of a line has only said that it has it.
struct UnseenCopy: Sendable {
    /// Bytes that were sent; `nil` if none passed here.
    let length: Int64?
}

/// Copies that nobody has seen yet: they are looked at later, a folder at a time, since a question for each would take as
/// long as sending a small file.
final class CopyReview: Sendable {
    /// A copy.
    struct Copy: Sendable {
        /// What has made it.
        let action: TransferAction
        let copy: UnseenCopy
        /// The number of the try that has made it, from 1.
        let attempt: Int
    }

    /// Copies that wait at most, before some are looked at: so memory is bounded.
    private static let most = 4_000

    private let waiting = Mutex<[Copy]>([])

    init() {}

    /// Adds a copy.
    func add(_ copy: UnseenCopy, of action: TransferAction, attempt: Int = 1) {
        waiting.withLock { $0.append(Copy(action: action, copy: copy, attempt: attempt)) }
    }

    /// Takes out what is to be looked at now, by its folder.
    ///
    /// - Parameter isLast: Whether nothing else is under way.
    /// - Returns: Nothing as long as there is time.
    func take(isLast: Bool) -> [[Copy]] {
        let taken = waiting.withLock { waiting -> [Copy] in
            guard isLast || waiting.count >= Self.most else { return [] }
            defer { waiting = [] }
            return waiting
        }
        return Array(Dictionary(grouping: taken) { $0.action.path.parent }.values)
    }
}
