import FerryCore
import Foundation
import NIOCore

/// A file that is being read, chunk by chunk.
///
/// For one thread at a time.
final class FileReader: @unchecked Sendable {  // a stream asks for one chunk after the other
    /// The known status of the file.
    let status: FileStatus

    /// The offsets to deliver; `nil` for files that say they are empty and are not, like those of /proc.
    let range: Range<Int64>?

    let path: ItemPath
    private let file: Descriptor
    private var offset: Int64
    private let end: Int64
    /// Small content that was read when the file was opened.
    private var ahead: ByteBuffer?

    /// Files of so many bytes are read when they are opened.
    private static let smallSize: Int64 = 64 << 10

    /// Indicates whether there are extended attributes, the system's own among them; `nil` if that can't be told.
    var hasExtendedAttributes: Bool? { (try? file.extendedAttributeNames()).map { !$0.isEmpty } }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file; a link to one will do.
    ///   - base: Where the path begins.
    ///   - part: The part to read.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`, `CocoaError.isAFolder(_:)`.
    init(_ path: ItemPath, in base: BaseFolder, range part: ByteRange) throws {
        self.path = path
        do {
            // Without waiting for the other end, if it is a pipe.
            file = try base.open(path, O_RDONLY | O_NONBLOCK)
            status = try file.status()
        } catch {
            throw error.code == ENXIO ? CocoaError.notAnOrdinaryFile(path, .reading) : error.mapped(.reading, path)
        }
        if status.isFolder { throw CocoaError.isAFolder(path) }
        if !status.isFile { throw CocoaError.notAnOrdinaryFile(path, .reading) }
        let known = part.resolved(size: status.size)
        offset = known.lowerBound
        if case .all = part, status.size == 0 {
            range = nil
            end = .max
        } else {
            range = known
            end = known.upperBound
        }
    }

    /// Reads what there is, if it is little.
    func readAhead() throws {
        if end - offset <= Self.smallSize { ahead = try nextChunk() }
    }

    /// Indicates whether the next chunk, or the end, is there without reading.
    var needsNoReading: Bool { ahead != nil || offset >= end }

    /// Hands out what was read ahead, once.
    func takeAhead() -> ByteBuffer? { ahead.take() }

    /// Reads on.
    ///
    /// - Returns: At least one byte, or `nil` at the end.
    func nextChunk() throws -> ByteBuffer? {
        let length = Int(min(end - offset, Int64(DataChunks.chunkSize)))
        if length <= 0 { return nil }
        var chunk = ByteBufferAllocator().buffer(capacity: range == nil ? 4096 : length)
        do {
            let count = try chunk.writeWithUnsafeMutableBytes(minimumWritableBytes: 0) { bytes in
                let part = UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(length))
                return try file.read(into: part, at: offset)
            }
            offset += Int64(count)
            return count == 0 ? nil : chunk
        } catch let error as Errno {
            throw error.mapped(.reading, path)
        }
    }
}
