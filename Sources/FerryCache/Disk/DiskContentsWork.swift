import Foundation
import NIOCore

/// What is under way while contents are written; it waits for the disk.
final class DiskContentsWork {
    /// Bytes that are written between two notes in the index.
    private static let batch: Int64 = 4 << 20

    private let level: DiskLevel
    private let index: DiskIndex
    private let key: CacheKey
    private let mark: CacheMark
    private let limits: @Sendable () -> CacheLimits
    private let file: Int64
    private let content: ContentFile

    /// Bytes that are not yet a whole piece, and where they begin.
    private var tail = ByteBuffer()
    private var tailStart: Int64 = 0
    private var pieces: [(start: Int64, bytes: ByteBuffer)] = []
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
        if hashed == offset, let hash {
            hash.update(bytes)
            hashed += Int64(bytes.readableBytes)
        } else {
            hash = nil
        }
        if tail.readableBytes > 0, tailStart + Int64(tail.readableBytes) != offset { endPiece() }
        var bytes = bytes
        var position = offset
        while bytes.readableBytes > 0 {
            if tail.readableBytes == 0 { tailStart = position }
            let end = (position / DiskIndex.pieceLength + 1) * DiskIndex.pieceLength
            let count = min(bytes.readableBytes, Int(end - position))
            guard var slice = bytes.readSlice(length: count) else { return }
            if tail.readableBytes == 0 { tail = slice } else { tail.writeBuffer(&slice) }
            position += Int64(count)
            if position == end { endPiece() }
        }
    }

    private func endPiece() {
        guard tail.readableBytes > 0 else { return }
        pieces.append((tailStart, tail))
        piecesBytes += Int64(tail.readableBytes)
        tail = ByteBuffer()
        if piecesBytes >= Self.batch { flush() }
    }

    /// Writes what was collected, as far as it is missing and there is room.
    private func flush() {
        guard !hasFailed else { return }
        let wanted = pieces.map { $0.start..<($0.start + Int64($0.bytes.readableBytes)) }
        let missing = level.perform(on: index) { index in
            try index.advance(key, file, written: written, wanted: wanted, asked: mark, limits: limits())
        }
        guard let missing = missing ?? nil else { return fail() }
        written = []
        for (start, bytes) in pieces {
            let range = start..<(start + Int64(bytes.readableBytes))
            for gap in missing where range.overlaps(gap) {
                guard
                    let slice = bytes.getSlice(
                        at: bytes.readerIndex + Int(gap.lowerBound - start),
                        length: gap.count
                    ), content.write(slice, at: gap.lowerBound)
                else { return fail() }
                let sum = Checksum.of(slice, seed: DiskIndex.seed(file, gap.lowerBound))
                written.append(DiskIndex.Piece(range: gap, sum: sum))
            }
        }
        (pieces, piecesBytes) = ([], 0)
    }

    private func fail() {
        hasFailed = true
        (pieces, piecesBytes, tail) = ([], 0, ByteBuffer())
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
