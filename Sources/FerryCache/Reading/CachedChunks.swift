import FerryCore
import Foundation
import NIOCore

/// One reading of contents: what is kept, what comes from the storage meanwhile, and what has to be asked for.
///
/// All bytes are of one version, or it ends with an error.
actor CachedChunks {
    /// Bytes that are read from what is kept at once.
    private static let pieceSize: Int64 = 1 << 20

    private let opening: ContentsOpening
    private let version: CacheVersion
    private let end: Int64
    private var position: Int64
    private var kept: KeptContents?
    /// Where what is kept could not be read, and whether that was so twice in a row.
    private var failure: (position: Int64, isRepeated: Bool)?
    private var live: (contents: LiveContents, reader: Int)?
    /// Ends the reading of what is live when the progress is cancelled.
    private var watch: CancellationWatch?
    private var piece = ByteBuffer()
    /// Indicates whether what is kept is removed when all has been read.
    private var removesAtEnd: Bool

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - opening: Knows what is read.
    ///   - version: The version that is read.
    ///   - range: Which bytes; `nil` if nobody knows before the end.
    ///   - kept: The kept content of this version.
    ///   - live: The content that comes from the storage, from the start of the range.
    ///   - removesAtEnd: `true` if what is kept is removed when all has been read.
    init(
        _ opening: ContentsOpening,
        version: CacheVersion,
        range: Range<Int64>?,
        kept: KeptContents?,
        live: (contents: LiveContents, reader: Int)?,
        removesAtEnd: Bool = false
    ) {
        self.removesAtEnd = removesAtEnd
        self.opening = opening
        self.version = version
        self.kept = kept
        self.live = live
        watch = live.flatMap { Self.watch($0, opening.progress) }
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? .max
    }

    private static func watch(
        _ live: (contents: LiveContents, reader: Int),
        _ progress: Progress?
    ) -> CancellationWatch? {
        progress?.watchCancellation { live.contents.leave(live.reader) }
    }

    deinit {
        if let live { live.contents.leave(live.reader) }
    }

    /// The next chunk.
    ///
    /// - Returns: 256 KiB at most; `nil` at the end.
    /// - Throws: The storage's error; ``PreconditionFailedError`` if it has another version by now.
    func next() async throws -> ByteBuffer? {
        try opening.progress.checkCancellation()
        guard let chunk = try await chunk() else {
            if removesAtEnd { await opening.removeKept() }
            removesAtEnd = false
            return nil
        }
        position += Int64(chunk.readableBytes)
        opening.progress?.completedUnitCount += Int64(chunk.readableBytes)
        return chunk
    }

    private func chunk() async throws -> ByteBuffer? {
        while position < end {
            try opening.progress.checkCancellation()
            if let chunk = piece.readSlice(length: min(piece.readableBytes, DataChunks.chunkSize)),
                chunk.readableBytes > 0
            {
                return chunk
            }
            if let live {
                let step = try await step(of: live)
                if case .chunk(let chunk) = step { return chunk }
                if end == .max {
                    if case .lost = step { throw CancellationError() }
                    return nil
                }
                continue
            }
            if try await readKept() { continue }
            try await openGap()
        }
        // The end tells that all has come, and then all of it is kept.
        if let live { _ = try await step(of: live) }
        return nil
    }

    private func step(of live: (contents: LiveContents, reader: Int)) async throws -> LiveContents.Step {
        let step = try await live.contents.next(live.reader, mayPullAlone: watch == nil)
        if case .chunk = step { return step }
        live.contents.leave(live.reader)
        (self.live, watch) = (nil, nil)
        try opening.progress.checkCancellation()
        return step
    }

    /// Reads on in what is kept.
    private func readKept() async throws -> Bool {
        guard let kept, let range = kept.ranges.first(where: { $0.contains(position) }) else { return false }
        let aligned = (position / Self.pieceSize + 1) * Self.pieceSize
        if let bytes = await kept.read(position..<min(range.upperBound, end, aligned)) {
            piece = bytes
            return true
        }
        // Damaged, or forgotten meanwhile; another file may have the same bytes by now.
        self.kept = nil
        failure = (position, failure?.position == position)
        return false
    }

    /// Asks for what is missing up to what is kept.
    private func openGap() async throws {
        // Where the disk is full, the index goes on telling of what could not be read.
        let isHopeless = failure.map { $0.position == position && $0.isRepeated } ?? false
        if !isHopeless, let kept = await opening.keptNow(of: version),
            kept.ranges.contains(where: { $0.contains(position) })
        {
            // Somebody else has read it meanwhile.
            if self.kept?.ranges != kept.ranges {
                self.kept = kept
                return
            }
        }
        guard opening.plan.use != .only else { throw URLError.notCached(opening.path) }
        let next = kept?.ranges.first { $0.lowerBound > position }?.lowerBound ?? end
        let gap = position..<min(next, end)
        live = try await opening.rest(gap, of: version)
        watch = live.flatMap { Self.watch($0, opening.progress) }
    }
}
