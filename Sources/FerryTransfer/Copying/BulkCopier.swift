import FerryCore
import Foundation

/// Copies many small files in one go, to a storage that takes them so.
struct BulkCopier: Sendable {
    private let source: SmallFiles
    private let target: any FileProviderBulkWriting
    private let top: TransferPlace
    private let limits: BulkLimits
    private let replaces: Bool

    /// Nothing was listed before.
    private let start = Date()

    /// Makes one; `nil` where the target takes files one by one.
    ///
    /// - Parameters:
    ///   - transfer: Between which places.
    ///   - replaces: `true` if files are replaced whatever they hold by then; otherwise, files to be replaced go by
    ///     themselves.
    ///   - control: Lets the reading wait while the transfer is paused.
    init?(_ transfer: Transfer, replaces: Bool, control: TransferControl?) {
        guard let storage = transfer.target.storage as? any FileProviderBulkWriting, let limits = storage.bulkLimits
        else {
            return nil
        }
        source = SmallFiles(transfer, limits, control)
        target = storage
        top = transfer.target
        self.limits = limits
        self.replaces = replaces
    }

    /// Takes what can go together with the first of what waits.
    ///
    /// - Parameters:
    ///   - first: The item that was taken already.
    ///   - queue: The queue of waiting items.
    ///   - lanes: How many may be under way at the same time.
    /// - Returns: The first, and those behind it that can go with it.
    func take(_ first: WorkQueue.Item, from queue: inout WorkQueue, lanes: Int) -> [WorkQueue.Item] {
        // A source at the other end of a line is asked for one file after the other.
        let most = source.place.isNear ? limits.fileCount : queue.share(of: lanes, upTo: limits.fileCount)
        return queue.takeMore(after: first, limits, most: most, size: size)
    }

    /// Bytes of a file that can go together with others; `nil` for what can't.
    private func size(of work: WorkQueue.Item) -> Int64? {
        let action = work.action
        // An item that has failed before is tried by itself; a replacement is written under conditions, if it has any.
        let isReplaced = replaces && action.kind == .update && action.target?.isRegularFile == true
        guard work.trial.attempt == 1, action.kind == .add || isReplaced else { return nil }
        return source.size(of: action)
    }

    /// Copies files.
    ///
    /// - Parameter actions: The additions; or replacements only.
    /// - Returns: For each, how it ended: whether the original has extended attributes, if that is known.
    /// - Throws: `CancellationError`; what keeps all of them from being copied.
    func copy(_ actions: [TransferAction]) async throws -> [Result<Bool?, any Error>] {
        var results: [Result<Bool?, any Error>] = actions.map { _ in .success(nil) }
        var files: [BulkFile] = []
        var places: [Int] = []
        for (index, result) in try await source.read(actions, to: top).enumerated() {
            do {
                let read = try result.get()
                files.append(read.file)
                places.append(index)
                results[index] = .success(read.hasExtendedAttributes)
            } catch {
                results[index] = .failure(error)
            }
        }
        if files.isEmpty { return results }
        let written = try await OperationContext.with(\.seenItems, top.seen(actions, at: start)) {
            try await target.writeFiles(files, overwrite: actions.first?.kind == .update)
        }
        for ((place, file), result) in zip(zip(places, files), written) {
            let copied = results[place]
            results[place] = result.flatMap { item in
                guard let size = item?.size, size != file.contents.count else { return copied }
                return .failure(URLError.wrongLength(expected: Int64(file.contents.count), received: size))
            }
        }
        return results
    }
}
