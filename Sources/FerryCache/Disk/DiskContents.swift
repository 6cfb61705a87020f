import GRDB
import NIOCore
import Synchronization

/// Reads contents from a file; each piece's checksum is compared.
final class DiskContents: Sendable {
    private struct Window {
        var range: Range<Int64> = 0..<0
        var pieces: [DiskIndex.Piece] = []
    }

    private let level: DiskLevel
    private let index: DiskIndex
    private let file: DiskIndex.FileRow
    private let content: ContentFile
    /// Pieces that are looked up together.
    private let window = Mutex(Window())

    init(_ level: DiskLevel, _ index: DiskIndex, _ file: DiskIndex.FileRow, _ content: ContentFile) {
        self.level = level
        self.index = index
        self.file = file
        self.content = content
    }

    /// Bytes of a range; `nil` if some are missing or damaged.
    func read(_ range: Range<Int64>) async -> ByteBuffer? {
        await CacheThreads.run { self.readNow(range) }
    }

    func readNow(_ range: Range<Int64>) -> ByteBuffer? {
        guard let pieces = pieces(in: range) else { return nil }
        var result = ByteBufferAllocator().buffer(capacity: Int(pieces.reduce(0) { $0 + Int64($1.range.count) }))
        var position = range.lowerBound
        for piece in pieces where piece.range.upperBound > position && piece.range.lowerBound < range.upperBound {
            guard piece.range.lowerBound <= position else { break }
            let start = result.writerIndex
            guard content.read(piece.range, into: &result), sum(of: result, from: start, piece) == piece.sum else {
                level.perform(on: index) { try $0.damaged(self.file.id, at: piece.range.lowerBound) }
                return nil
            }
            let doubled = Int(position - piece.range.lowerBound)
            if start == 0 {
                result.moveReaderIndex(forwardBy: doubled)
            } else if doubled > 0, let rest = result.getSlice(at: start + doubled, length: piece.range.count - doubled)
            {
                result.moveWriterIndex(to: start)
                result.writeImmutableBuffer(rest)
            }
            position = min(piece.range.upperBound, range.upperBound)
            result.moveWriterIndex(to: result.writerIndex - Int(piece.range.upperBound - position))
        }
        guard position == range.upperBound else {
            // The index tells of bytes that are not there: nothing that it says of the file can be relied on.
            level.perform(on: index) { try $0.forgetContents(in: self.file.id) }
            return nil
        }
        return result
    }

    private func sum(of buffer: ByteBuffer, from start: Int, _ piece: DiskIndex.Piece) -> Int64 {
        buffer.withVeryUnsafeBytes { bytes in
            Checksum.of(
                UnsafeRawBufferPointer(rebasing: bytes[start..<(start + piece.range.count)]),
                seed: DiskIndex.seed(file.id, piece.range.lowerBound)
            )
        }
    }

    private func pieces(in range: Range<Int64>) -> [DiskIndex.Piece]? {
        let known = window.withLock { window in
            window.range.clamped(to: range) == range
                ? window.pieces.filter { $0.range.overlaps(range) } : nil
        }
        if let known { return known }
        let end = range.upperBound.addingReportingOverflow(64 * DiskIndex.pieceLength)
        let wide = range.lowerBound..<(end.overflow ? Int64.max : end.partialValue)
        let found = level.perform(on: index) { index in
            try index.pool.read { try index.pieces(self.file.id, in: wide, $0) }
        }
        guard let found else { return nil }
        window.withLock { $0 = Window(range: wide, pieces: found) }
        return found.filter { $0.range.overlaps(range) }
    }
}
