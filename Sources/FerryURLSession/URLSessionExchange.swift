import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way through a `URLSession`: what the session has delivered, and who waits for it.
final class URLSessionExchange: Sendable {
    private struct State {
        var task: URLSessionTask?
        var head: HTTPResponse?
        var chunks: [ByteBuffer] = []
        var expected: Int64?
        var received: Int64 = 0
        /// How it ended; `nil` while it goes on.
        var result: Result<Void, any Error>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let stored: StoredBody
    private let slot: ConnectionSlots.Slot
    private let state = Mutex(State())

    init(stored: StoredBody, slot: ConnectionSlots.Slot) {
        self.stored = stored
        self.slot = slot
    }

    // MARK: From the session

    /// The session's task is made.
    func begin(_ task: URLSessionTask) {
        state.withLock { $0.task = task }
    }

    /// The head of the answer has come.
    func received(_ head: HTTPResponse, length: Int64?) {
        change { state in
            state.head = head
            state.expected = length
        }
    }

    /// The head of an answer that was not announced when it came.
    func receivedLate(_ head: HTTPResponse) {
        change { state in
            if state.head == nil { state.head = head }
        }
    }

    /// A part of the body has come.
    func received(_ data: Data) {
        change { state in
            state.received += Int64(data.count)
            state.chunks.append(ByteBuffer(bytes: data))
        }
    }

    /// It is over.
    func end(_ error: (any Error)?) {
        change { state in
            guard state.result == nil else { return }
            if let error {
                state.result = .failure(error)
            } else if let expected = state.expected, state.received < expected {
                state.result = .failure(URLError.wrongLength(expected: expected, received: state.received))
            } else {
                state.result = .success(())
            }
            state.task = nil
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            return state.waiter.take()
        }?.resume()
    }

    // MARK: To the caller

    /// Waits for the head of the answer.
    func head() async throws -> HTTPResponse {
        try await next(when: { $0.head != nil }) { state in
            if let head = state.head { return head }
            if case .failure(let error)? = state.result { throw error }
            if state.result != nil {
                throw URLError.answer(.cannotParseResponse, description: "the answer has no head")
            }
            return nil
        }
    }

    /// The body, chunk by chunk; letting go of it ends the request.
    func chunks() -> HTTPReplyBody.ChunkSource {
        let reader = Reader(self)
        return { try await reader.exchange.nextChunk() }
    }

    private final class Reader: Sendable {
        let exchange: URLSessionExchange
        init(_ exchange: URLSessionExchange) { self.exchange = exchange }
        deinit { exchange.cancel() }
    }

    private func nextChunk() async throws -> ByteBuffer? {
        let chunk: ByteBuffer?? = try await next(when: { !$0.chunks.isEmpty }) { state in
            if !state.chunks.isEmpty { return .some(state.chunks.removeFirst()) }
            switch state.result {
            case .failure(let error)?: throw error
            case .success?: return .some(nil)
            case nil: return nil
            }
        }
        return chunk ?? nil
    }

    private func next<Value: Sendable>(
        when isReady: @Sendable (State) -> Bool,
        _ take: @Sendable (inout State) throws -> Value?
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            while true {
                try Task.checkCancellation()
                if let value = try state.withLock({ try take(&$0) }) { return value }
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady = isReady(state) || state.result != nil
                        if !isReady { state.waiter = continuation }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        let (task, waiter) = state.withLock { state in
            if state.result == nil { state.result = .failure(CancellationError()) }
            return (state.task.take(), state.waiter.take())
        }
        task?.cancel()
        waiter?.resume()
    }
}
