import Foundation
import NIOCore

/// The work under way while contents are written; it waits for the disk.
final class DiskContentsWork {
    /// Bytes that are written between two notes in the index.
    private static let batch: Int64 = 2 << 20

    private let level: DiskLevel
    private let index: DiskIndex
    private let key: CacheKey
    private let mark: CacheMark
    private let limits: @Sendable () -> CacheLimits
    private let file: Int64
    private let content: ContentFile

    /// Bytes that are not yet a whole piece.
    private var tail = ChunkRun()
    private var pieces: [ChunkRun] = []
    private var piecesBytes: Int64 = 0
    /// Written, and not noted yet.
    private var written: [DiskIndex.Piece] = []
    /// Of all bytes from the first, while they come in order.
    private var hash: StreamedChecksum? = StreamedChecksum()
    private var hashed: Int64 = 0
    private(set) var hasFailed = false

    /// Begins to write.
    ///
    /// - Returns: `nil` if the file can't be had.
    init?(
        _ level: DiskLevel,
        _ index: DiskIndex,
        _ key: CacheKey,
        _ begun: DiskIndex.Begun,
        asked mark: CacheMark,
        limits: @escaping @Sendable () -> CacheLimits
    ) {
        let files = index.folder.files
        var content = ContentFile.openForWriting(begun.file, creates: begun.isNew, in: files)
        if content == nil, !begun.isNew {
            // It is gone, and so are its bytes.
            level.perform(on: index) { try $0.damaged(begun.file, at: nil) }
            content = ContentFile.openForWriting(begun.file, creates: true, in: files)
        }
        // Others may have forgotten it before it was made, or the disk is full.
        let isGood = content != nil
        level.perform(on: index) { try $0.settle(begun.file, isWritten: isGood) }
        guard let content else { return nil }
        self.level = level
        self.index = index
        self.key = key
        self.mark = mark
        self.limits = limits
        self.content = content
        file = begun.file
    }

    /// Takes bytes.
    func add(_ bytes: ByteBuffer, at offset: Int64) {
        if tail.end != offset { endPiece() }
        var bytes = bytes
        var position = offset
        while bytes.readableBytes > 0 {
            if tail.isEmpty { tail = ChunkRun(start: position) }
            let end = (position / DiskIndex.pieceLength + 1) * DiskIndex.pieceLength
            let count = min(bytes.readableBytes, Int(end - position))
            guard let slice = bytes.readSlice(length: count) else { return }
            tail.append(slice, atMost: Int(end - tail.start))
            position += Int64(count)
            if position == end { endPiece() }
        }
    }

    private func endPiece() {
        guard !tail.isEmpty else { return }
        pieces.append(tail)
        piecesBytes += tail.length
        tail = ChunkRun()
        if piecesBytes >= Self.batch { flush() }
    }

    /// Writes what was collected, as far as it is missing and there is room.
    private func flush() {
        guard !hasFailed else { return }
        let wanted = pieces.map(\.range)
        let missing = level.perform(on: index) { index in
            try index.advance(key, file, written: written, wanted: wanted, asked: mark, limits: limits())
        }
        guard let missing = missing ?? nil else { return fail() }
        written = []
        // One piece after the other, so that its bytes come from the memory but once.
        for piece in pieces {
            addToHash(piece)
            for gap in missing where piece.range.overlaps(gap) {
                guard write(piece, gap) else { return fail() }
            }
        }
        (pieces, piecesBytes) = ([], 0)
    }

    private func addToHash(_ piece: ChunkRun) {
        guard let hash, hashed == piece.start else {
            hash = nil
            return
        }
        for chunk in piece.chunks { hash.update(chunk) }
        hashed = piece.end
    }

    private func write(_ piece: ChunkRun, _ gap: Range<Int64>) -> Bool {
        let sum = SeededChecksum(DiskIndex.seed(file, gap.lowerBound))
        for (offset, bytes) in piece.chunks(in: gap) {
            guard content.write(bytes, at: offset) else { return false }
            sum.update(bytes)
        }
        written.append(DiskIndex.Piece(range: gap, sum: sum.digest))
        return true
    }

    private func fail() {
        hasFailed = true
        (pieces, piecesBytes, tail) = ([], 0, ChunkRun())
    }

    /// There are no more bytes.
    ///
    /// - Parameter length: Bytes of the whole content, if that is known only now.
    func finish(length: Int64?) {
        endPiece()
        flush()
        // The last ones are noted too.
        if !written.isEmpty { flush() }
        guard !hasFailed else { return }
        level.perform(on: index) { index in
            guard let row = try index.end(file, length: length), let length = row.length, row.isWhole, row.hash == nil
            else { return }
            let known = hashed == length ? hash?.digest : nil
            try index.complete(file, content, length: length, hash: known)
        }
    }
}
