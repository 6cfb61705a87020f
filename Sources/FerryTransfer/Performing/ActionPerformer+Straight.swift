import FerryCore
import Foundation

// The actions in which the target takes items from the source by itself: no bytes pass here.

extension ActionPerformer {
    /// Has the target take an item from the source; pausing the transfer pauses that.
    ///
    /// - Returns: The outcome, with what could not be kept of a file.
    /// - Throws: Why it can't be copied.
    func copyStraight(
        _ original: FileObject,
        _ action: TransferAction,
        _ attempt: Attempt,
        _ isReplacing: Bool,
        to direct: any FileProviderDirectCopying
    ) async throws -> Outcome {
        let progress = CountingProgress(ledger, attempt.item)
        control?.begin(progress)
        defer { control?.end(progress) }
        let goesOn: @Sendable (ItemPath, any Error) -> Bool = { path, error in
            self.goesOn(after: error, at: path, in: original, action)
        }
        if original.isDirectory, let parts = copier.directParts {
            let whole = WholeFolder(source: source, target: target, copier: copier, keeper: keeper, parts: parts)
            let copied = try await whole.copy(original, action, (ledger, attempt.item), progress, goesOn)
            return Outcome(action: action, copied: copied)
        }
        let copied = try await direct.copyItem(
            path: original.path,
            of: source.storage,
            to: target.path(action.path),
            overwrite: isReplacing,
            reporting: progress,
            onError: original.isDirectory ? goesOn : nil
        )
        if original.isDirectory { return Outcome(action: action, copied: copied) }
        var losses = copier.linkLosses(of: original)
        if copied.withoutAttributes > 0 { losses.insert(.extendedAttributes) }
        return Outcome(action: action, losses: losses)
    }

    /// An item in a folder that is copied as a whole could not be copied.
    ///
    /// - Returns: `true` if the others are copied all the same.
    private func goesOn(
        after error: any Error,
        at path: ItemPath,
        in folder: FileObject,
        _ action: TransferAction
    ) -> Bool {
        if options.endsAtFirstFailure { return false }
        let place = path.relative(to: folder.path).map { action.path.appending(path: $0) } ?? action.path
        ledger.failed(TransferAction(.add, place, .missing, source: FileObject(path: path, type: .file)), error)
        return true
    }
}
