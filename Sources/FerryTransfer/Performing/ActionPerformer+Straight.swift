import FerryCore
import Foundation

// The actions in which the target takes items from the source by itself: no bytes pass here.

extension ActionPerformer {
    /// Has the target take an item from the source.
    func copyStraight(
        _ original: FileObject,
        _ action: TransferAction,
        _ way: (direct: any FileProviderDirectCopying, item: TransferLedger.Item),
        _ isReplacing: Bool,
        _ progress: CountingProgress
    ) async throws -> CopiedItems {
        let goesOn: @Sendable (ItemPath, any Error) -> Bool = { path, error in
            self.goesOn(after: error, at: path, in: original, action)
        }
        if original.isDirectory, let parts = copier.directParts {
            let whole = WholeFolder(source: source, target: target, copier: copier, keeper: keeper, parts: parts)
            return try await whole.copy(original, action, (ledger, way.item), progress, goesOn)
        }
        return try await way.direct.copyItem(
            path: original.path,
            of: source.storage,
            to: target.path(action.path),
            overwrite: isReplacing,
            reporting: progress,
            onError: original.isDirectory ? goesOn : nil
        )
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
