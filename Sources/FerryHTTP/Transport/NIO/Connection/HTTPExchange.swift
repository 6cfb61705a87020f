import FerryCore
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// One request and its answer: what the task that asked and the connection hand each other.
///
/// The connection hands over what one read brings in one go, and the task is woken once for it. When more than
/// ``window`` bytes wait to be taken, nothing more is read from the connection.
final class HTTPExchange: Sendable {
    /// Bytes that may wait to be taken.
    static let window = 512 << 10

    /// Method, target and fields.
    let request: HTTPRequest

    /// The body that is sent with it.
    let body: HTTPRequestBody?

    /// Indicates whether the server may take longer to begin its answer.
    var makesWork: Bool {
        HTTPTransportConfiguration.makesWork(request.method, bodyLength: body.map(\.length) ?? 0)
    }

    /// All of the body, if it is small and in memory.
    let wholeBody: ByteBuffer?

    /// Makes the rest of the body; `nil` if there is none.
    let source: HTTPBodyPump?

    private struct State {
        var head: HTTPResponse?
        var chunks: [ByteBuffer] = []
        var next = 0
        var size = 0
        var ending: Result<Void, any Error>?
        var isPaused = false
        var isLeft = false
        /// Waits for the head, a chunk, or the end.
        var waiter: CheckedContinuation<Void, Never>?
        var connection: HTTPConnection.Handle?

        var isReady: Bool { next < chunks.count || ending != nil }

        mutating func append(_ arrived: [ByteBuffer]) {
            for chunk in arrived { size += chunk.readableBytes }
            if chunks.isEmpty { chunks = arrived } else { chunks += arrived }
        }

        mutating func takeChunk() -> ByteBuffer? {
            guard next < chunks.count else { return nil }
            let chunk = chunks[next]
            next += 1
            size -= chunk.readableBytes
            if next == chunks.count {
                chunks = []
                next = 0
            }
            return chunk
        }
    }

    private let pool: HTTPConnectionPool
    private let state = Mutex(State())

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - request: Method, target and fields.
    ///   - body: The body that is sent with it.
    ///   - pool: Where it waits for a connection.
    init(_ request: HTTPRequest, body: HTTPRequestBody?, pool: HTTPConnectionPool) {
        self.pool = pool
        self.request = request
        self.body = body
        wholeBody = body?.wholeBytes?()
        source = wholeBody == nil ? body.map { HTTPBodyPump($0) } : nil
    }

    // MARK: To the connection

    /// The exchange comes to a connection.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: `false` if nobody wants the answer any more.
    func begin(on connection: HTTPConnection.Handle) -> Bool {
        state.withLock { state in
            guard !state.isLeft, state.ending == nil else { return false }
            state.connection = connection
            return true
        }
    }

    /// Hands over what has come.
    ///
    /// - Parameters:
    ///   - head: The head, once.
    ///   - chunks: The chunks of the body that have come.
    ///   - ending: How the exchange has ended, if it has.
    /// - Returns: `true` if so much waits to be taken that nothing more should be read.
    func deliver(head: HTTPResponse?, chunks: [ByteBuffer], ending: Result<Void, any Error>?) -> Bool {
        let (waiter, isPaused) = state.withLock { state in
            if let head { state.head = head }
            guard !state.isLeft else { return (state.waiter.take(), false) }
            state.append(chunks)
            if let ending, state.ending == nil {
                state.ending = ending
                state.connection = nil
            }
            state.isPaused = state.ending == nil && state.size >= Self.window
            return (state.waiter.take(), state.isPaused)
        }
        if ending != nil { source?.stop() }
        waiter?.resume()
        return isPaused
    }

    /// The exchange fails before it came to a connection, or on it.
    ///
    /// - Parameter error: Why.
    func fail(_ error: any Error) {
        _ = deliver(head: nil, chunks: [], ending: .failure(error))
    }

    // MARK: To the task

    /// Waits for the head of the answer.
    ///
    /// - Returns: The head.
    /// - Throws: Why there is none.
    func head() async throws -> HTTPResponse {
        while true {
            let (head, ending) = state.withLock { ($0.head, $0.ending) }
            if let head { return head }
            if case .failure(let error) = ending { throw error }
            await wait { $0.head != nil || $0.ending != nil }
        }
    }

    /// Waits for the next chunk.
    ///
    /// - Returns: The chunk; `nil` after the last.
    /// - Throws: Why there is none.
    func next() async throws -> ByteBuffer? {
        while true {
            let (chunk, ending, paused) = take()
            paused?.run { $0.goOn(self) }
            if let chunk { return chunk }
            if let ending {
                try ending.get()
                return nil
            }
            await wait { $0.isReady }
        }
    }

    /// The next chunk, or the ending, if there is either; and the connection, if it is to be read on.
    private func take() -> (ByteBuffer?, Result<Void, any Error>?, HTTPConnection.Handle?) {
        state.withLock { state in
            let chunk = state.takeChunk()
            guard state.isPaused, state.size < Self.window / 2 else { return (chunk, state.ending, nil) }
            state.isPaused = false
            return (chunk, state.ending, state.connection)
        }
    }

    /// Nobody wants the answer any more, or the rest of it: if there is more to come, the connection is closed.
    func leave() {
        let (isOpen, connection, waiter) = state.withLock { state in
            guard state.ending == nil else { return (false, HTTPConnection.Handle?.none, state.waiter.take()) }
            state.isLeft = true
            state.ending = .failure(CancellationError())
            state.chunks = []
            state.next = 0
            return (true, state.connection.take(), state.waiter.take())
        }
        if isOpen {
            source?.stop()
            if let connection { connection.run { $0.abandon(self) } } else { pool.remove(self) }
        }
        waiter?.resume()
    }

    private func wait(until isReady: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isReady = isReady(state)
                    if !isReady { state.waiter = continuation }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            leave()
        }
    }
}

extension HTTPExchange: Hashable {
    static func == (one: HTTPExchange, other: HTTPExchange) -> Bool { one === other }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
