import FerryCore
import FerryUndo
import Foundation

/// The failure of an undoing or redoing that had begun, in a person's words.
struct HistoryFailure {
    private let failure: any Error
    private let next: UndoEntry?
    private let state: String

    /// Gathers the facts.
    ///
    /// - Parameters:
    ///   - failure: The error.
    ///   - done: The works that were turned round, now or by an earlier attempt.
    ///   - left: The works that are left; the last step of the last one has failed.
    ///   - command: The command that was to be undone or redone.
    ///   - isRedo: `true` if it was to be redone.
    init(
        _ failure: any Error,
        done: [UndoPerformer.Work],
        left: [UndoPerformer.Work],
        of command: History.Command,
        isRedo: Bool
    ) {
        self.failure = failure
        next = left.last?.entry
        func steps(_ works: [UndoPerformer.Work]) -> Int { works.reduce(0) { $0 + $1.entry.steps.count } }
        let word = isRedo ? "redone" : "undone"
        let count = steps(done)
        let extent =
            count == 0
            ? "nothing is \(word) yet"
            : "\(Quantity.count(count, "item")) \(count == 1 ? "is" : "are") \(word) and \(steps(left)) not"
        let again = isRedo ? "ferry redo" : "ferry undo \(HistoryWords.id(command))"
        state = "\(extent): '\(again)' goes on from there"
    }

    /// Returns the error that is shown, which names the item.
    ///
    /// - Parameter prefix: Returns the prefix of locations on the storage of an entry.
    /// - Returns: The failure itself where it says all there is: a refusal, or a cancellation.
    func error(_ prefix: (UndoEntry.ID) -> String) -> any Error {
        guard !(failure is UndoRefusal), !(failure is CancellationError), let next, let step = next.steps.last else {
            return failure
        }
        let prefix = prefix(next.id)
        let advice = ErrorLine.advice(for: failure, on: prefix).map { "\($0), " } ?? ""
        let error = CocoaError.location(prefix + step.path.string, failure.reasonInWords, advice + state)
        return CocoaError(error.code, userInfo: error.userInfo.merging([NSUnderlyingErrorKey: failure]) { $1 })
    }
}
