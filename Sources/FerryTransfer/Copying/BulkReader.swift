import FerryCore
import Synchronization

/// Reads many small files in one go, which then go to the target one after the other.
struct BulkReader: Sendable {
    /// Bytes of a file that is worth being read together with others.
    private static let smallSize: Int64 = 64 << 10

    /// Files, and bytes of all of them together, at most: so much is held while they go.
    private static let limits = BulkLimits(fileCount: 16, byteCount: 256 << 10)

    private let source: any FileProviderBulkReading

    /// Makes one; `nil` where reading is not what takes the time.
    ///
    /// - Parameter transfer: Between which places.
    init?(_ transfer: Transfer) {
        guard transfer.target.isAway, !transfer.source.isAway, transfer.options.partedSize > Self.smallSize,
            let source = transfer.source.storage as? any FileProviderBulkReading
        else { return nil }
        self.source = source
    }

    /// Takes what can be read together with the first of what waits.
    ///
    /// - Parameters:
    ///   - first: The item that was taken already.
    ///   - queue: The queue of waiting items.
    ///   - lanes: How many such groups may be under way at the same time.
    /// - Returns: The first, and those behind it that can be read with it.
    func take(_ first: WorkQueue.Item, from queue: inout WorkQueue, lanes: Int) -> [WorkQueue.Item] {
        queue.takeMore(
            after: first,
            Self.limits,
            most: queue.share(of: lanes, upTo: Self.limits.fileCount),
            size: Self.size
        )
    }

    private static func size(of work: WorkQueue.Item) -> Int64? {
        let kinds: [TransferAction.Kind] = [.add, .update]
        // An item that has failed before is tried by itself.
        guard work.trial.attempt == 1, work.remains == nil, kinds.contains(work.action.kind),
            let item = work.action.source, item.isRegularFile, let size = item.size, size <= smallSize
        else { return nil }
        return size
    }

    /// Reads files.
    ///
    /// - Parameter works: The work that needs them.
    /// - Returns: The content of each; `nil` for one that is to be read by itself.
    /// - Throws: `CancellationError`.
    func read(_ works: [WorkQueue.Item]) async throws -> [ReadAhead?] {
        let paths = works.compactMap { $0.action.source?.path }
        guard paths.count == works.count else { return works.map { _ in nil } }
        return try await source.wholeFiles(paths, upTo: Int(Self.smallSize)).map { file in
            file.map { ReadAhead($0) }
        }
    }
}

/// The content that was read of a file before its copy was begun, for the first try.
final class ReadAhead: Sendable {
    /// Indicates whether it has extended attributes; `nil` if nobody has looked.
    let hasExtendedAttributes: Bool?
    private let content: Mutex<FileContentStream?>

    init(_ file: WholeFile) {
        hasExtendedAttributes = file.hasExtendedAttributes
        content = Mutex(file.stream)
    }

    /// Hands it out, once.
    func take() -> FileContentStream? {
        content.withLock { $0.take() }
    }
}
