import FerryCore
import Foundation

/// Copies many small files in one go, to a storage that takes them so.
struct BulkCopier: Sendable {
    /// Bytes of a file that is worth being copied together with others.
    private static let smallSize: Int64 = 256 << 10

    private let source: TransferPlace
    private let target: any FileProviderBulkWriting
    private let top: TransferPlace
    private let limits: BulkLimits
    private let replaces: Bool

    /// Nothing was listed before.
    private let start = Date()

    /// Makes one; `nil` where the target takes files one by one.
    ///
    /// - Parameters:
    ///   - source: Where to read.
    ///   - target: Where to write.
    ///   - replaces: Whether files are replaced whatever they hold by then; else what is to be replaced goes by itself.
    init?(from source: TransferPlace, to target: TransferPlace, replaces: Bool) {
        guard let storage = target.storage as? any FileProviderBulkWriting, let limits = storage.bulkLimits else {
            return nil
        }
        self.source = source
        self.target = storage
        self.top = target
        self.limits = limits
        self.replaces = replaces
    }

    /// Takes what can go together with the first of what waits.
    ///
    /// - Parameters:
    ///   - first: What was taken already.
    ///   - queue: What waits.
    /// - Returns: The first, and those behind it that can go with it.
    func take(_ first: WorkQueue.Item, from queue: inout WorkQueue) -> [WorkQueue.Item] {
        var bulk = [first]
        guard var bytes = size(of: first) else { return bulk }
        while bulk.count < limits.fileCount, let next = queue.first, next.action.kind == first.action.kind,
            let size = size(of: next),
            bytes + size <= Int64(limits.byteCount), let item = queue.popFirst()
        {
            bytes += size
            bulk.append(item)
        }
        return bulk
    }

    /// Bytes of a file that can go together with others; `nil` for what can't.
    private func size(of work: WorkQueue.Item) -> Int64? {
        let action = work.action
        // What has failed before is tried by itself; what replaces something does so under conditions, if it has any.
        let isReplaced = replaces && action.kind == .update && action.target?.isRegularFile == true
        guard work.trial.attempt == 1, action.kind == .add || isReplaced, !action.removesSource,
            let item = action.source,
            item.isRegularFile, let size = item.size, size <= Self.smallSize
        else { return nil }
        return size
    }

    /// Copies files.
    ///
    /// - Parameter actions: What to add; or all of them what to replace.
    /// - Returns: For each, how it ended.
    /// - Throws: `CancellationError`; what keeps all of them from being copied.
    func copy(_ actions: [TransferAction]) async throws -> [Result<Void, any Error>] {
        var results: [Result<Void, any Error>] = actions.map { _ in .success(()) }
        var files: [BulkFile] = []
        var places: [Int] = []
        for (index, action) in actions.enumerated() {
            guard let item = action.source else { continue }
            do {
                let contents = try await source.storage.contents(path: item.path)
                files.append(
                    BulkFile(path: top.path(action.path), contents: contents, modifiedDate: item.modifiedDate)
                )
                places.append(index)
            } catch let error as CancellationError {
                throw error
            } catch {
                results[index] = .failure(error)
            }
        }
        let written = try await SeenItems.with(top.seen(actions, at: start)) {
            try await target.writeFiles(files, overwrite: actions.first?.kind == .update)
        }
        for ((place, file), result) in zip(zip(places, files), written) {
            results[place] = result.flatMap { item in
                guard let size = item?.size, size != file.contents.count else { return .success(()) }
                return .failure(URLError.wrongLength(expected: Int64(file.contents.count), received: size))
            }
        }
        return results
    }
}
