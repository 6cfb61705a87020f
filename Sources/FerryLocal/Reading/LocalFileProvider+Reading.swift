public import FerryCore
public import Foundation
import NIOCore

extension LocalFileProvider: FileProviderReadWriteProgressive {
    /// Opens a file, or a part of it, for reading; it is closed when the stream ends or is left.
    ///
    /// - Parameters:
    ///   - path: The file; a link is followed, unless it leads out of the base folder.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts, and the bytes as they are read from the disk.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let reader = try await runBriefly(reading: [path]) { [base] in
            let reader = try FileReader(path, in: base, range: range)
            try reader.readAhead()
            return reader
        }
        let facts = reader.facts
        if let length = facts.range?.count { progress?.announceTransfer(of: Int64(length)) }
        return FileContentStream(facts: facts) { [pool] in
            try progress.checkCancellation()
            // A change of threads takes longer than reading a small file.
            let chunk = reader.needsNoReading ? reader.takeAhead() : try await pool.run { try reader.nextChunk() }
            if let chunk { progress?.completedUnitCount += Int64(chunk.readableBytes) }
            return chunk
        }
    }
}

extension LocalFileProvider: FileProviderBulkReading {
    /// Reads small files, one after the other, on one thread: that is woken once for all of them.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - limit: Bytes of one file at most.
    /// - Returns: For each the file as it is now; `nil` for what is longer, or can't be read.
    /// - Throws: `CancellationError`.
    package func wholeFiles(_ paths: [ItemPath], upTo limit: Int) async throws -> [WholeFile?] {
        try await runBriefly(reading: paths) { [base] in
            // A caller that then reads a file as a stream gets the error.
            paths.map { try? FileReader($0, in: base, range: .all).whole(upTo: limit) }
        }
    }
}

extension FileReader {
    /// The facts that are known before the first byte.
    fileprivate var facts: FileContentFacts {
        FileContentFacts(
            size: range == nil ? nil : status.size,
            range: range,
            eTag: status.eTag,
            modifiedDate: Date(status.modified),
            contentType: ContentType.ofFile(named: path.lastName)
        )
    }

    /// All of the file; `nil` if it is longer, or nobody knows how long.
    fileprivate func whole(upTo limit: Int) throws -> WholeFile? {
        guard let range, range.count <= min(limit, DataChunks.chunkSize) else { return nil }
        return WholeFile(
            facts: facts,
            contents: try nextChunk() ?? ByteBuffer(),
            hasExtendedAttributes: hasExtendedAttributes
        )
    }
}
