import FerryCore
import Foundation
import NIOCore

/// The small files of a transfer's source, read as a whole: to be handed to the target many at a time.
struct SmallFiles: Sendable {
    /// Bytes of a file that is worth being copied together with others.
    private static let smallSize: Int64 = 256 << 10

    let place: TransferPlace
    /// The source, if it gives small files in one piece.
    private let whole: (any FileProviderWholeReading)?
    /// The source, if it reads many at once.
    private let together: (any FileProviderBulkReading)?
    private let limits: BulkLimits
    private let largestSize: Int64
    private let control: TransferControl?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - transfer: Between which places.
    ///   - limits: How much the target takes at once.
    ///   - control: Lets the reading wait while the transfer is paused.
    init(_ transfer: Transfer, _ limits: BulkLimits, _ control: TransferControl?) {
        place = transfer.source
        whole = place.storage as? any FileProviderWholeReading
        together = place.storage as? any FileProviderBulkReading
        self.limits = limits
        // A bulk of a few is hardly better than each by itself; what is copied in parts isn't small.
        largestSize = min(Self.smallSize, Int64(limits.byteCount / 4), transfer.options.partedSize - 1)
        self.control = control
    }

    /// Bytes of a file that an action copies; `nil` for what is no small file, or is removed from the source then.
    func size(of action: TransferAction) -> Int64? {
        guard !action.removesSource, let item = action.source, item.isRegularFile, let size = item.size,
            size <= largestSize
        else { return nil }
        return size
    }

    /// A file as it is handed over.
    struct File: Sendable {
        let file: BulkFile
        /// Indicates whether it has extended attributes; `nil` if nobody has looked.
        var hasExtendedAttributes: Bool?
    }

    /// Reads files: what each holds now is what counts, not what was listed.
    ///
    /// - Parameters:
    ///   - actions: The actions that copy them.
    ///   - top: Where to.
    /// - Returns: For each, what is to be written; why it can't be read.
    /// - Throws: `CancellationError`; what keeps all of them from being read.
    func read(_ actions: [TransferAction], to top: TransferPlace) async throws -> [Result<File, any Error>] {
        let known = try await readTogether(actions)
        var results: [Result<File, any Error>] = []
        for (index, action) in actions.enumerated() {
            let path = top.path(action.path)
            do {
                guard let item = action.source else { throw CocoaError.noSuchItem(path) }
                if let file = known[index] {
                    let isMore = file.hasExtendedAttributes
                    results.append(
                        .success(File(file: try BulkFile(file, of: item, to: path), hasExtendedAttributes: isMore))
                    )
                } else {
                    results.append(.success(File(file: try await read(item, to: path))))
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                results.append(.failure(error))
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

    /// Reads a file by itself.
    private func read(_ item: FileObject, to path: ItemPath) async throws -> BulkFile {
        try await control?.pass()
        if let whole, let file = try await whole.wholeFile(path: item.path, upTo: limits.byteCount) {
            try await place.requireLength(Int64(file.contents.readableBytes), of: item)
            return try BulkFile(file, of: item, to: path)
        }
        let content = try await place.contentStream(of: item)
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
        try await place.requireLength(Int64(contents.count), of: item)
        return BulkFile(
            path: path,
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
