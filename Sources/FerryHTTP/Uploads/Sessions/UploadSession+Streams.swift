package import FerryCore
package import Foundation
package import NIOCore

extension UploadSession {
    /// Uploads chunks as they come, which can't be read again: each piece is held in memory until the storage has it.
    ///
    /// At most as many pieces as go at the same time are in memory, and one that is being filled.
    ///
    /// - Parameters:
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - progress: Counts the bytes that the storage has.
    /// - Returns: The new file as the storage reports it, or `nil`.
    /// - Throws: Any error that `contents` throws; `URLError.wrongLength(expected:received:)`; the storage's error.
    package func upload<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        let session = try await driver.begin(size: length)
        progress?.announceTransfer(of: length)
        do {
            let pieces = try await sendPieces(of: contents, length: length, to: session, reporting: progress)
            let size = pieces.last?.piece.range.upperBound ?? 0
            return try await withCancellation(by: progress) {
                try await driver.finish(session, pieces: pieces, size: size)
            }
        } catch {
            await forget(session)
            if let error = error as? UploadSessionLostError { throw lost(error) }
            throw error
        }
    }

    private func sendPieces<Contents: AsyncSequence & Sendable>(
        of contents: Contents,
        length: Int64?,
        to session: UploadSessionHandle,
        reporting progress: Progress?
    ) async throws -> [UploadedPiece] where Contents.Element == ByteBuffer {
        let limits = driver.limits
        var cutter = PieceCutter(contents.makeAsyncIterator(), length: length, limits: limits, progress: progress)
        let (cancelled, signal) = AsyncStream<Void>.makeStream()
        let watch = progress?.watchCancellation { signal.finish() }
        defer { watch?.end() }
        return try await withThrowingTaskGroup(of: (UploadedPiece, Duration).self) { group in
            // One watches for all.
            group.addTask {
                for await _ in cancelled {}
                throw CancellationError()
            }
            var pieces: [UploadedPiece] = []
            var underWay = 0
            func collectOne() async throws {
                guard let (piece, duration) = try await group.next() else { return }
                underWay -= 1
                pieces.append(piece)
                progress?.completedUnitCount += Int64(piece.piece.range.count)
                cutter.note(Int64(piece.piece.range.count), took: duration)
            }
            while let (piece, bytes) = try await cutter.next() {
                if underWay == limits.parallelism { try await collectOne() }
                underWay += 1
                group.addTask {
                    let source = BytesInMemory(bytes, offset: piece.range.lowerBound)
                    let (receipt, duration) = try await send(piece, of: source, to: session)
                    return (UploadedPiece(piece: piece, receipt: receipt), duration)
                }
            }
            while underWay > 0 { try await collectOne() }
            group.cancelAll()
            return pieces.sorted { $0.piece.number < $1.piece.number }
        }
    }
}

/// Fills pieces from chunks.
private struct PieceCutter<Source: AsyncIteratorProtocol> where Source.Element == ByteBuffer {
    private var source: Source
    private let length: Int64?
    private let limits: UploadPieceLimits
    private let progress: Progress?
    private var wish: Int64
    private var rest = ByteBuffer()
    private var offset: Int64 = 0
    private var count = 0
    private var isAtEnd = false

    init(_ source: Source, length: Int64?, limits: UploadPieceLimits, progress: Progress?) {
        self.source = source
        self.length = length
        self.limits = limits
        self.progress = progress
        wish = limits.firstSize
    }

    mutating func note(_ size: Int64, took duration: Duration) {
        wish = limits.wish(after: size, took: duration, wish: wish)
    }

    /// The next piece, full but for the last; that one comes only once nothing follows and the length is right.
    mutating func next() async throws -> (UploadPiece, ByteBuffer)? {
        let size = Int(limits.size(wish: wish, rest: length.map { $0 - offset }, count: count))
        var bytes = ByteBuffer()
        while try await fill(), bytes.readableBytes < size {
            var part = rest.readSlice(length: min(rest.readableBytes, size - bytes.readableBytes)) ?? ByteBuffer()
            bytes.writeBuffer(&part)
        }
        let end = offset + Int64(bytes.readableBytes)
        let isLast = rest.readableBytes == 0
        if let length, isLast ? end != length : end >= length {
            throw URLError.wrongLength(expected: length, received: end + Int64(rest.readableBytes))
        }
        guard bytes.readableBytes > 0 else { return nil }
        count += 1
        defer { offset = end }
        return (UploadPiece(number: count, range: offset..<end, isLast: isLast), bytes)
    }

    /// Returns whether there is anything to take.
    private mutating func fill() async throws -> Bool {
        while rest.readableBytes == 0, !isAtEnd {
            try progress.checkCancellation()
            guard let chunk = try await source.next() else {
                isAtEnd = true
                break
            }
            rest = chunk
        }
        return rest.readableBytes > 0
    }
}

/// A piece that is held in memory.
private struct BytesInMemory: UploadSource {
    private let bytes: ByteBuffer
    private let offset: Int64

    init(_ bytes: ByteBuffer, offset: Int64) {
        self.bytes = bytes
        self.offset = offset
    }

    func identity() -> UploadSourceIdentity {
        UploadSourceIdentity(name: "", size: Int64(bytes.readableBytes))
    }

    func body(_ range: Range<Int64>) -> HTTPRequestBody {
        let start = bytes.readerIndex + Int(range.lowerBound - offset)
        return HTTPRequestBody(bytes.getSlice(at: start, length: range.count) ?? ByteBuffer())
    }
}
