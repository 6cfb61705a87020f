import FerryCore
import Foundation
import NIOCore

/// Copies many small files in one go, to a storage that takes them so.
struct BulkCopier: Sendable {
    /// Bytes of a file that is worth being copied together with others.
    private static let smallSize: Int64 = 256 << 10

    private let source: TransferPlace
    /// The source, if it gives small files in one piece.
    private let whole: (any FileProviderWholeReading)?
    /// The source, if it reads many at once.
    private let together: (any FileProviderBulkReading)?
    private let target: any FileProviderBulkWriting
    private let top: TransferPlace
    private let limits: BulkLimits
    private let largestSize: Int64
    private let replaces: Bool
    private let control: TransferControl?

    /// Nothing was listed before.
    private let start = Date()

    /// Makes one; `nil` where the target takes files one by one.
    ///
    /// - Parameters:
    ///   - transfer: Between which places.
    ///   - replaces: Whether files are replaced whatever they hold by then; else what is to be replaced goes by itself.
    ///   - control: Lets the reading wait while the transfer is paused.
    init?(_ transfer: Transfer, replaces: Bool, control: TransferControl?) {
        guard let storage = transfer.target.storage as? any FileProviderBulkWriting, let limits = storage.bulkLimits
        else {
            return nil
        }
        source = transfer.source
        whole = source.storage.unrecorded as? any FileProviderWholeReading
        together = source.storage.unrecorded as? any FileProviderBulkReading
        target = storage
        top = transfer.target
        self.limits = limits
        // A bulk of a few is hardly better than each by itself; what is copied in parts isn't small.
        largestSize = min(Self.smallSize, Int64(limits.byteCount / 4), transfer.options.partedSize - 1)
        self.replaces = replaces
        self.control = control
    }

    /// Takes what can go together with the first of what waits.
    ///
    /// - Parameters:
    ///   - first: What was taken already.
    ///   - queue: What waits.
    ///   - lanes: How many may be under way at the same time.
    /// - Returns: The first, and those behind it that can go with it.
    func take(_ first: WorkQueue.Item, from queue: inout WorkQueue, lanes: Int) -> [WorkQueue.Item] {
        // A source at the other end of a line is asked for one file after the other.
        let most = source.isNear ? limits.fileCount : queue.share(of: lanes, upTo: limits.fileCount)
        return queue.takeMore(after: first, limits, most: most, size: size)
    }

    /// Bytes of a file that can go together with others; `nil` for what can't.
    private func size(of work: WorkQueue.Item) -> Int64? {
        let action = work.action
        // What has failed before is tried by itself; what replaces something does so under conditions, if it has any.
        let isReplaced = replaces && action.kind == .update && action.target?.isRegularFile == true
        guard work.trial.attempt == 1, action.kind == .add || isReplaced, !action.removesSource,
            let item = action.source,
            item.isRegularFile, let size = item.size, size <= largestSize
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
        let known = try await readTogether(actions)
        for (index, action) in actions.enumerated() {
            guard let item = action.source else { continue }
            let place = top.path(action.path)
            do {
                let file =
                    if let file = known[index] { try BulkFile(file, of: item, to: place) } else {
                        try await read(item, to: place)
                    }
                files.append(file)
                places.append(index)
            } catch let error as CancellationError {
                throw error
            } catch {
                results[index] = .failure(error)
            }
        }
        if files.isEmpty { return results }
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

    /// Reads files in one go, where the source can.
    ///
    /// - Returns: For each what it holds; `nil` for what is to be read by itself.
    private func readTogether(_ actions: [TransferAction]) async throws -> [WholeFile?] {
        let paths = actions.compactMap(\.source?.path)
        guard let together, paths.count == actions.count else { return actions.map { _ in nil } }
        try await control?.pass()
        return try await together.wholeFiles(paths, upTo: Int(largestSize))
    }

    /// Reads a file: what it holds now is what counts, not what was listed.
    private func read(_ item: FileObject, to place: ItemPath) async throws -> BulkFile {
        try await control?.pass()
        if let whole, let file = try await whole.wholeFile(path: item.path, upTo: limits.byteCount) {
            return try BulkFile(file, of: item, to: place)
        }
        let content = try await source.storage.contentStream(path: item.path)
        var contents = Data()
        for try await chunk in content {
            // One that has grown goes by itself, and not through memory.
            guard contents.count + chunk.readableBytes <= limits.byteCount else {
                throw URLError.wrongLength(
                    expected: item.size ?? 0,
                    received: Int64(contents.count + chunk.readableBytes)
                )
            }
            contents.append(contentsOf: chunk.readableBytesView)
            try await control?.pass()
        }
        return BulkFile(
            path: place,
            contents: contents,
            modifiedDate: content.facts.modifiedDate ?? item.modifiedDate
        )
    }
}

extension BulkFile {
    /// A file as it was read; where nobody said how long it is, it must be as long as it was listed.
    fileprivate init(_ file: WholeFile, of item: FileObject, to place: ItemPath) throws {
        let received = Int64(file.contents.readableBytes)
        if let expected = file.facts.size ?? item.size, expected != received {
            throw URLError.wrongLength(expected: expected, received: received)
        }
        self.init(
            path: place,
            contents: Data(file.contents.readableBytesView),
            modifiedDate: file.facts.modifiedDate ?? item.modifiedDate
        )
    }
}
