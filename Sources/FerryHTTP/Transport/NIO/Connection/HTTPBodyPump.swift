import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Makes the body of a request that isn't in memory, by a task of its own.
///
/// It works ahead of the connection by ``window`` bytes at most, so that making the body and sending it overlap. When
/// nobody wants the rest, the task is cancelled.
final class HTTPBodyPump: Sendable {
    /// Bytes that are made, and that the system hasn't taken yet, at most.
    static let window = 1 << 20

    /// Bytes in a piece at most, so that progress is seen on slow lines.
    private static let pieceSize = 256 << 10

    /// The pieces that the connection takes at a time.
    struct Batch {
        var pieces: [ByteBuffer] = []
        var isLast = false
        var failure: (any Error)?
    }

    private struct State {
        var batch = Batch()
        /// Bytes that are made, and not yet written.
        var outstanding = 0
        var isOver = false
        var isAnnounced = false
        var task: Task<Void, Never>?
        /// Waits for room.
        var maker: CheckedContinuation<Void, Never>?
    }

    private let body: HTTPRequestBody
    private let state = Mutex(State())

    init(_ body: HTTPRequestBody) {
        self.body = body
    }

    /// Starts to make the body.
    ///
    /// - Parameter announce: Called when there is something to ``take()``, and not again before that was done.
    func start(announce: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.task == nil, !state.isOver else { return }
            // It ends when the body is complete, or with `stop`.
            state.task = Task { await self.pump(announce) }
        }
    }

    /// Takes what was made.
    ///
    /// - Returns: Pieces in order, none of them empty.
    func take() -> Batch {
        state.withLock { state in
            state.isAnnounced = false
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    /// Bytes have left for the server.
    ///
    /// - Parameter count: How many.
    func wrote(_ count: Int) {
        state.withLock { state in
            state.outstanding -= count
            return state.outstanding < Self.window ? state.maker.take() : nil
        }?.resume()
    }

    /// Nobody wants the rest.
    func stop() {
        let (maker, task) = state.withLock { state in
            state.isOver = true
            state.batch = Batch()
            return (state.maker.take(), state.task.take())
        }
        task?.cancel()
        maker?.resume()
    }

    private func pump(_ announce: @Sendable () -> Void) async {
        do {
            let source = try await body.makeSource()
            var rest = body.length ?? .max
            var isComplete = false
            while rest > 0, var chunk = try await source() {
                guard chunk.readableBytes <= rest else { throw wrongLength }
                rest -= Int64(chunk.readableBytes)
                while let piece = chunk.readSlice(length: min(chunk.readableBytes, Self.pieceSize)),
                    piece.readableBytes > 0
                {
                    isComplete = body.length != nil && rest == 0 && chunk.readableBytes == 0
                    add(announce) { state in
                        state.batch.pieces.append(piece)
                        state.batch.isLast = isComplete
                        state.outstanding += piece.readableBytes
                    }
                    if isComplete { return }
                    guard await hasRoom() else { return }
                }
            }
            if body.length != nil, rest > 0 { throw wrongLength }
            add(announce) { $0.batch.isLast = true }
        } catch {
            add(announce) { $0.batch.failure = error }
        }
    }

    private func add(_ announce: @Sendable () -> Void, _ change: (inout State) -> Void) {
        let isNews = state.withLock { state in
            guard !state.isOver else { return false }
            change(&state)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if isNews { announce() }
    }

    /// Waits until there is room for the next piece; `false` if nobody wants it.
    private func hasRoom() async -> Bool {
        let isOpen: Bool? = state.withLock { state in
            if state.isOver { return false }
            return state.outstanding < Self.window ? true : nil
        }
        if let isOpen { return isOpen }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isOver || state.outstanding < Self.window
                if !isReady { state.maker = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { !$0.isOver }
    }

    private var wrongLength: URLError {
        .answer(.requestBodyStreamExhausted, description: "the body of the request is not as long as was announced")
    }
}
