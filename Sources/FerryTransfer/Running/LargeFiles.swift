import FerryCore
import Foundation

/// Copies a folder as a whole, but for the large files in it: those come one by one, so that a later run can go on with
/// them.
struct LargeFiles: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let copier: FileCopier
    let keeper: AttributeKeeper
    let parts: any FileProviderDirectPartCopying

    /// Copies a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - action: What is done.
    ///   - account: What counts the bytes, and what it counts for.
    ///   - progress: Counts the bytes of what is copied as a whole.
    ///   - goesOn: Is told which item failed, and decides whether the others are copied.
    /// - Returns: What was copied.
    /// - Throws: What ends the copying.
    func copyFolder(
        _ folder: FileObject,
        _ action: TransferAction,
        _ account: (ledger: TransferLedger, item: TransferLedger.Item),
        _ progress: CountingProgress,
        _ goesOn: @escaping @Sendable (ItemPath, any Error) -> Bool
    ) async throws -> CopiedItems {
        var (copied, left) = try await parts.copyItem(
            path: folder.path,
            of: source.storage,
            to: target.path(action.path),
            overwrite: false,
            leavingOut: max(0, copier.options.partedSize - 1),
            reporting: progress,
            onError: goesOn
        )
        if left.isEmpty { return copied }
        var files: [FileObject] = []
        for path in left {
            try await going(on: goesOn, path) { files.append(try await source.storage.attributesOfItem(path: path)) }
        }
        account.ledger.expect(progress.totalUnitCount + files.reduce(0) { $0 + ($1.size ?? 0) }, of: account.item)
        for file in files {
            var copier = copier
            copier.bytes = ByteCount(of: account.item, in: account.ledger)
            try await going(on: goesOn, file.path) {
                let place = action.path.appending(path: file.path.relative(to: folder.path) ?? .root)
                var losses = try await copier.perform(TransferAction(.add, place, .missing, source: file))
                try await keeper.keep(file, at: target.path(place), &losses)
                copied.files += 1
                if losses.contains(.extendedAttributes) { copied.withoutAttributes += 1 }
            }
        }
        // A new file has changed the date of its folder.
        for path in Set(left.map(\.parent)) {
            try await going(on: goesOn, path) {
                let place = action.path.appending(path: path.relative(to: folder.path) ?? .root)
                let item = try await source.storage.attributesOfItem(path: path)
                try await keeper.setDate(of: item, at: target.path(place))
            }
        }
        return copied
    }

    private func going(
        on goesOn: (ItemPath, any Error) -> Bool,
        _ path: ItemPath,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as CancellationError {
            throw error
        } catch {
            if !goesOn(path, error) { throw error }
        }
    }
}
