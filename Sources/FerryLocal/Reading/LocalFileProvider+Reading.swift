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
        let facts = FileContentFacts(
            size: reader.range == nil ? nil : reader.status.size,
            range: reader.range,
            eTag: reader.status.eTag,
            modifiedDate: Date(reader.status.modified),
            contentType: ContentType.ofFile(named: path.lastName)
        )
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
