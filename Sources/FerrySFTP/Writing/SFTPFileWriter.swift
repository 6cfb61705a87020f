import FerryCore
import Foundation
import NIOCore

/// Writes to an open file: many requests ahead, of which each must succeed.
///
/// One task writes, and waits where too much is under way.
struct SFTPFileWriter {
    private struct Piece {
        let length: Int
        let answer: SFTPPendingAnswer
        let start: ContinuousClock.Instant
        let isFull: Bool
    }

    private let handles: [SFTPHandle]
    private let request: Int
    private let wrote: (Int64) -> Void
    private var pieces: [Piece] = []
    private var underWay = 0
    private var turn = 0
    /// The bytes that came in pieces smaller than a request, until they are worth sending.
    private var waiting = ByteBuffer()

    /// Where the next byte goes.
    private(set) var offset: Int64

    /// The end of what the server has without a gap.
    private(set) var confirmed: Int64

    /// Indicates whether a write has failed: what comes behind it counts for nothing.
    private(set) var hasFailed = false

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - handles: The file, open on one line or several.
    ///   - offset: Where the first byte goes.
    ///   - request: Bytes of one request, at most.
    ///   - wrote: Called with the number of bytes stored since the last call.
    init(_ handles: [SFTPHandle], at offset: Int64, request: Int, wrote: @escaping (Int64) -> Void) {
        self.handles = handles
        self.offset = offset
        confirmed = offset
        self.request = request
        self.wrote = wrote
    }

    /// Takes the next bytes.
    ///
    /// - Parameter chunk: Any number of bytes.
    /// - Throws: `SFTPRefusal` of an earlier write; why the line has ended; `CancellationError`.
    mutating func append(_ chunk: ByteBuffer) async throws {
        var chunk = chunk
        if waiting.readableBytes > 0 || chunk.readableBytes < request {
            waiting.writeImmutableBuffer(chunk)
            chunk = waiting
            guard chunk.readableBytes >= request else { return }
            waiting = ByteBuffer()
        }
        while let piece = chunk.readSlice(length: min(request, chunk.readableBytes)), piece.readableBytes == request {
            try await send(piece)
            if chunk.readableBytes < request { break }
        }
        if chunk.readableBytes > 0 { waiting = chunk.slice() }
    }

    private mutating func send(_ bytes: ByteBuffer) async throws {
        let length = bytes.readableBytes
        let share = handles.reduce(0) { $0 + $1.connection.window.share(request: request) }
        while underWay > 0, underWay + length > share { try await settleOne() }
        let handle = handles[turn % handles.count]
        turn += 1
        let write = SFTPRequest.write(handle.name, offset: UInt64(offset), bytes)
        let isFull = underWay + 2 * length > share
        pieces.append(Piece(length: length, answer: handle.connection.begin(write), start: .now, isFull: isFull))
        underWay += length
        offset += Int64(length)
    }

    private mutating func settleOne() async throws {
        let piece = pieces.removeFirst()
        underWay -= piece.length
        do {
            try await piece.answer.success()
        } catch {
            hasFailed = true
            throw error
        }
        handles[0].connection.window.answered(after: piece.start.duration(to: .now), isFull: piece.isFull)
        // Behind a gap nothing counts.
        guard !hasFailed else { return }
        confirmed += Int64(piece.length)
        wrote(Int64(piece.length))
    }

    /// Sends what waits; whether it arrives is seen by ``settle()``.
    mutating func flush() async throws {
        guard waiting.readableBytes > 0 else { return }
        let rest = waiting
        waiting = ByteBuffer()
        try await send(rest)
    }

    /// Waits for the answers to all that was sent, whatever they are; what is not sent yet stays so after a failure.
    mutating func drain() async {
        if !hasFailed { try? await flush() }
        while !pieces.isEmpty { try? await settleOne() }
    }

    /// Waits until the server has all.
    ///
    /// - Throws: `SFTPRefusal`; why the line has ended; `CancellationError`.
    mutating func settle() async throws {
        while !pieces.isEmpty { try await settleOne() }
    }
}
