import FerryCore
import Foundation
import NIOCore
import Synchronization

/// One request on its way: what its body's source, AsyncHTTPClient and the connection tell each other.
///
/// The body is made by a task of its own, which works ahead of the line by ``window`` bytes at most. So making the
/// body and sending it overlap, while memory stays bounded; and when nobody wants the rest, the task is cancelled.
final class HTTPExchange: Sendable {
    /// Bytes that are made, and that the system hasn't taken yet, at most.
    static let window = 1 << 20

    /// Bytes in a piece at most, so that progress is seen on slow lines.
    private static let pieceSize = 256 << 10

    /// Path and query as they are sent.
    let target: String

    private let source: HTTPRequestBody.ChunkSource?
    private let length: Int64?

    private enum Next {
        case piece(ByteBuffer)
        case end
        case failure(any Error)
        case nothingYet
    }

    private struct State {
        var pieces: [ByteBuffer] = []
        var isComplete = false
        var failure: (any Error)?
        var lineFailure: (any Error)?
        /// Bytes that are made, and not yet written.
        var outstanding = 0
        var isOver = false
        var isOnLine = false
        var pump: Task<Void, Never>?
        /// Waits for a piece.
        var taker: CheckedContinuation<Void, Never>?
        /// Waits for room.
        var maker: CheckedContinuation<Void, Never>?

        mutating func takePiece() -> Next {
            if !pieces.isEmpty { return .piece(pieces.removeFirst()) }
            if let failure { return .failure(failure) }
            if isComplete { return .end }
            return isOver ? .failure(CancellationError()) : .nothingYet
        }

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            [taker.take(), maker.take()].compactMap { $0 }
        }
    }

    private let state = Mutex(State())

    init(target: String, body: HTTPRequestBody?) async throws {
        self.target = target
        length = body?.length
        source = try await body?.makeSource()
    }

    /// Whether the body is made while it is sent; else it is in memory, or there is none.
    var hasStreamedBody: Bool { source != nil }

    /// What the body's source has thrown, if it has.
    var sourceFailure: (any Error)? { state.withLock(\.failure) }

    /// What has gone wrong on the connection first, if something has.
    var lineFailure: (any Error)? { state.withLock(\.lineFailure) }

    /// Whether the request has come to a connection.
    var isOnLine: Bool { state.withLock(\.isOnLine) }

    /// The request has come to a connection.
    func reachedLine() {
        state.withLock { $0.isOnLine = true }
    }

    /// Something has gone wrong on the connection.
    ///
    /// AsyncHTTPClient tells this, or what follows of it (a body that is no longer wanted, a closed channel): which of
    /// them depends on who comes first. So the cause is kept here.
    ///
    /// - Parameter error: What has.
    func lineFailed(_ error: any Error) {
        state.withLock { state in
            if state.lineFailure == nil { state.lineFailure = error }
        }
    }

    /// Bytes of the body have left for the server.
    func wrote(_ count: Int) {
        state.withLock { state in
            state.outstanding -= count
            return state.maker.take()
        }?.resume()
    }

    /// The answer is complete, or the request has failed: what is left of the body isn't wanted.
    func finish() {
        let (waiters, pump) = state.withLock { state in
            state.isOver = true
            state.pieces = []
            return (state.takeWaiters(), state.pump.take())
        }
        pump?.cancel()
        for waiter in waiters { waiter.resume() }
    }

    /// The next piece of the body; `nil` after the last.
    func nextPiece() async throws -> ByteBuffer? {
        startPump()
        while true {
            switch state.withLock({ $0.takePiece() }) {
            case .piece(let piece): return piece
            case .end: return nil
            case .failure(let error): throw error
            case .nothingYet: break
            }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isReady = !state.pieces.isEmpty || state.isComplete || state.isOver || state.failure != nil
                    if !isReady { state.taker = continuation }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func startPump() {
        state.withLock { state in
            guard state.pump == nil, !state.isOver, !state.isComplete, let source else { return }
            // It ends when the body is complete, or with `finish`.
            state.pump = Task { await self.pump(source) }
        }
    }

    private func pump(_ source: HTTPRequestBody.ChunkSource) async {
        do {
            var rest = length ?? .max
            while rest > 0, var chunk = try await source() {
                guard chunk.readableBytes <= rest else { throw wrongLength }
                rest -= Int64(chunk.readableBytes)
                while let piece = chunk.readSlice(length: min(chunk.readableBytes, Self.pieceSize)),
                    piece.readableBytes > 0
                {
                    guard await offer(piece) else { return }
                }
            }
            if length != nil, rest > 0 { throw wrongLength }
            end { $0.isComplete = true }
        } catch {
            end { state in if !state.isOver { state.failure = error } }
        }
    }

    private func end(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.taker.take()
        }?.resume()
    }

    /// Leaves a piece for the connection, and waits until there is room for the next.
    private func offer(_ piece: ByteBuffer) async -> Bool {
        let (taker, hasRoom, isOver) = state.withLock { state in
            guard !state.isOver else { return (state.taker.take(), true, true) }
            state.pieces.append(piece)
            state.outstanding += piece.readableBytes
            return (state.taker.take(), state.outstanding < Self.window, false)
        }
        taker?.resume()
        if isOver { return false }
        if hasRoom { return true }
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

/// The pieces of an exchange's body, in AsyncHTTPClient's words.
struct HTTPExchangeBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let exchange: HTTPExchange

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(exchange: exchange) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let exchange: HTTPExchange
        func next() async throws -> ByteBuffer? { try await exchange.nextPiece() }
    }
}
