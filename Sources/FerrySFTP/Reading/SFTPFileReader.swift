import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Reads a part of a file: many requests ahead, on all lines that there are, and hands out what they bring in order.
final class SFTPFileReader: Sendable {
    private struct Piece {
        var offset: Int64
        var length: Int
        let handle: SFTPHandle
        let answer: SFTPPendingAnswer
        let start: ContinuousClock.Instant
        let isFull: Bool
    }

    private struct State {
        var pieces: [Piece] = []
        var first = 0
        var next: Int64
        var turn = 0
        var underWay = 0
        var isCancelled = false
    }

    private let handles: [SFTPHandle]
    private let range: Range<Int64>
    private let request: Int
    private let state: Mutex<State>

    /// Begins; the first requests are sent at once.
    ///
    /// - Parameters:
    ///   - handles: The file, open on one line or several.
    ///   - range: Which bytes.
    ///   - request: Bytes of one request.
    init(_ handles: [SFTPHandle], range: Range<Int64>, request: Int) {
        self.handles = handles
        self.range = range
        self.request = request
        state = Mutex(State(next: range.lowerBound))
        for handle in handles { handle.connection.window.enter() }
        fill()
    }

    deinit {
        for handle in handles { handle.connection.window.leave() }
    }

    /// Sends requests as long as there is room for them.
    private func fill() {
        let share = handles.reduce(0) { $0 + $1.connection.window.share(request: request) }
        state.withLock { state in
            while state.next < range.upperBound, state.underWay < share {
                let length = Int(min(Int64(request), range.upperBound - state.next))
                let isFull = state.underWay + length >= share
                let handle = handles[state.turn % handles.count]
                state.pieces.append(piece(at: state.next, length: length, handle, isFull: isFull))
                state.turn += 1
                state.next += Int64(length)
                state.underWay += length
            }
        }
    }

    private func piece(at offset: Int64, length: Int, _ handle: SFTPHandle, isFull: Bool) -> Piece {
        let read = SFTPRequest.read(handle.name, offset: UInt64(offset), length: UInt32(length))
        return Piece(
            offset: offset,
            length: length,
            handle: handle,
            answer: handle.connection.begin(read),
            start: .now,
            isFull: isFull
        )
    }

    /// The next bytes.
    ///
    /// - Returns: `nil` at the end of the range, or where the file has become shorter.
    /// - Throws: `SFTPRefusal`; why the line has ended; `CancellationError`.
    func next() async throws -> ByteBuffer? {
        fill()
        let piece = try state.withLock { state -> Piece? in
            if state.isCancelled { throw CancellationError() }
            guard state.first < state.pieces.count else { return nil }
            return state.pieces[state.first]
        }
        guard let piece else { return nil }
        switch try await piece.answer.response() {
        case .data(let bytes):
            piece.handle.connection.window.answered(after: piece.start.duration(to: .now), isFull: piece.isFull)
            took(piece, bytes.readableBytes)
            return bytes
        case .status(let status) where status.code == .endOfFile: return nil
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }

    /// Ends it with `CancellationError`, also for a caller that waits.
    func cancel() {
        let pieces = state.withLock { state in
            state.isCancelled = true
            return state.pieces.dropFirst(state.first)
        }
        for piece in pieces { piece.answer.cancel() }
    }

    /// Notes what has come; what is missing of a piece is asked for again.
    private func took(_ piece: Piece, _ count: Int) {
        state.withLock { state in
            state.underWay -= count
            if count < piece.length {
                state.pieces[state.first] = self.piece(
                    at: piece.offset + Int64(count),
                    length: piece.length - count,
                    piece.handle,
                    isFull: false
                )
                return
            }
            state.first += 1
            if state.first > 64 {
                state.pieces.removeFirst(state.first)
                state.first = 0
            }
        }
    }
}
