import FerryCore
import Foundation
import Synchronization

/// Copies a folder as a whole, but for the large files in it, which come one by one: so that a later run can go on with
/// either.
struct WholeFolder: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let copier: FileCopier
    let keeper: AttributeKeeper
    let parts: any FileProviderDirectPartCopying

    /// Copies a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - action: The action.
    ///   - account: The ledger that counts the bytes, and the item that it counts for.
    ///   - progress: Counts the bytes of what is copied as a whole.
    ///   - goesOn: Called with the item that failed; returns `true` if the others are copied.
    /// - Returns: The counts of copied items.
    /// - Throws: The error that ends the copying.
    func copy(
        _ folder: FileObject,
        _ action: TransferAction,
        _ account: (ledger: TransferLedger, item: TransferLedger.Item),
        _ progress: CountingProgress,
        _ goesOn: @escaping @Sendable (ItemPath, any Error) -> Bool
    ) async throws -> CopiedItems {
        var (copied, left) = try await remembering(target.path(action.path), folder) { write, note in
            try await parts.copyFolder(
                path: folder.path,
                of: source.storage,
                as: write,
                noting: note,
                leavingOut: max(0, copier.options.partedSize - 1),
                reporting: progress,
                onError: goesOn
            )
        }
        if left.isEmpty { return copied }
        var files: [FileObject] = []
        for path in left {
            try await going(on: goesOn, path) { files.append(try await source.storage.attributesOfItem(path: path)) }
        }
        account.ledger.add(filesFound: files.count, filesDone: 0, to: account.item)
        account.ledger.expect(progress.totalUnitCount + files.reduce(0) { $0 + ($1.size ?? 0) }, of: account.item)
        for file in files {
            var copier = copier
            copier.bytes = ByteCount(of: account.item, in: account.ledger)
            try await going(on: goesOn, file.path) {
                let place = action.path.appending(path: file.path.relative(to: folder.path) ?? .root)
                var losses = try await copier.copy(TransferAction(.add, place, .missing, source: file)).losses
                try await keeper.keep(file, at: target.path(place), &losses)
                copied.files += 1
                account.ledger.add(filesFound: 0, filesDone: 1, to: account.item)
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

    /// Makes a folder that a later run can go on with, or goes on with one.
    private func remembering<Result>(
        _ place: ItemPath,
        _ folder: FileObject,
        _ body: (PartialWrite, (@Sendable () -> Void)?) async throws -> Result
    ) async throws -> Result {
        let identity = SourceIdentity(size: 0, modifiedDate: nil, eTag: folder.id)
        let earlier = try await earlier(place, identity)
        let write = earlier?.write ?? parts.folderRecord(path: place)
        let noted = Mutex(earlier?.entry)
        let note = { @Sendable [journal = copier.journal] in
            let copy = PartialCopy(source: identity, write: write, isInOrder: true, isFresh: nil)
            let entry = journal?.beginBlocking(copy, at: place)
            noted.withLock { $0 = entry }
        }
        do {
            let result = try await body(write, earlier == nil ? note : nil)
            if let entry = noted.withLock({ $0 }) { copier.journal?.forget(entry) }
            return result
        } catch let error as PartialWriteLostError where earlier != nil {
            await discard(write, earlier?.entry)
            // A folder that could not be removed is reported, and not made a second time.
            if await copier.journal?.entry(at: place) != nil { throw error }
            return try await remembering(place, folder, body)
        } catch {
            let entry = noted.withLock { $0 }
            // After a failure the items are copied one by one: nobody will go on with it.
            if !(error is CancellationError) || entry == nil || copier.journal?.works != true {
                await discard(write, entry)
            }
            throw error
        }
    }

    /// Returns what an earlier run has left; `nil` if there is nothing of use, and then nothing is left.
    private func earlier(
        _ place: ItemPath,
        _ identity: SourceIdentity
    ) async throws -> (write: PartialWrite, entry: Int64)? {
        guard let journal = copier.journal, let entry = await journal.entry(at: place) else { return nil }
        let copy = entry.copy
        if copy.write.isFolder, copy.write.path == place, copy.source == identity { return (copy.write, entry.id) }
        try await parts.discardPartialWrite(copy.write)
        journal.forget(entry.id)
        return nil
    }

    private func discard(_ write: PartialWrite, _ entry: Int64?) async {
        await uncancelled { [parts, copier] in
            // The reason to give up is told already; what could not be removed stays in the journal.
            do {
                try await parts.discardPartialWrite(write)
                if let entry { copier.journal?.forget(entry) }
            } catch {
                return
            }
        }
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
