import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// The answer to one request: what AsyncHTTPClient calls with its parts, and who waits for them.
///
/// AsyncHTTPClient's own `async` form starts a task and sets a timer for each request, which for small files takes as
/// long as the request itself.
final class HTTPAnswer: HTTPClientResponseDelegate {
    typealias Response = Void

    /// Bytes that may wait to be taken when more are read from the line.
    private static let window = 512 << 10

    private struct State {
        var head: Result<HTTPResponseHead, any Error>?
        var chunks = CircularBuffer<ByteBuffer>()
        var bytes = 0
        var ending: Result<Void, any Error>?
        /// Waits for the head, a chunk, or the end.
        var waiter: CheckedContinuation<Void, Never>?
        /// Holds up the line until there is room.
        var room: EventLoopPromise<Void>?
    }

    private enum Next {
        case chunk(ByteBuffer, room: EventLoopPromise<Void>?)
        case end(Result<Void, any Error>)
    }

    private let state = Mutex(State())

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: The request, with a body that is in memory, or none.
    ///   - client: Sends it.
    /// - Returns: The head, and the chunks as they are asked for; letting go of them closes the connection.
    /// - Throws: What AsyncHTTPClient and the connection throw.
    static func send(
        _ request: HTTPClient.Request,
        by client: HTTPClient
    ) async throws -> (head: HTTPResponseHead, chunks: @Sendable () async throws -> ByteBuffer?) {
        let answer = HTTPAnswer()
        let rest = RestOfAnswer(answer, task: client.execute(request: request, delegate: answer))
        return (try await rest.head(), { try await rest.next() })
    }

    // MARK: From the connection

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        wake { $0.head = .success(head) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let (waiter, room) = state.withLock { state in
            state.chunks.append(buffer)
            state.bytes += buffer.readableBytes
            if state.bytes >= Self.window { state.room = task.eventLoop.makePromise() }
            return (state.waiter.take(), state.room)
        }
        waiter?.resume()
        return room?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
        wake { $0.ending = .success(()) }
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        let room = state.withLock { $0.room.take() }
        wake { state in
            if state.head == nil { state.head = .failure(error) }
            if state.ending == nil { state.ending = .failure(error) }
        }
        room?.fail(error)
    }

    private func wake(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.waiter.take()
        }?.resume()
    }

    // MARK: To the reader

    /// The head; waits for it.
    fileprivate func head() async throws -> HTTPResponseHead {
        while true {
            if let head = state.withLock(\.head) { return try head.get() }
            await wait { $0.head != nil }
        }
    }

    /// The next chunk, or `nil` after the last; waits for it.
    fileprivate func next() async throws -> ByteBuffer? {
        while true {
            switch takeNext() {
            case .chunk(let chunk, let room):
                room?.succeed()
                return chunk
            case .end(let result):
                try result.get()
                return nil
            case nil:
                await wait { !$0.chunks.isEmpty || $0.ending != nil }
            }
        }
    }

    private func takeNext() -> Next? {
        state.withLock { state in
            guard let chunk = state.chunks.popFirst() else { return state.ending.map { .end($0) } }
            state.bytes -= chunk.readableBytes
            return .chunk(chunk, room: state.bytes < Self.window ? state.room.take() : nil)
        }
    }

    private func wait(until isReady: @Sendable (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = isReady(state)
                if !isReady { state.waiter = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
    }

    /// Nobody reads on: whether there is more that could come.
    fileprivate func abandon() -> Bool {
        let (isOver, room) = state.withLock { ($0.ending != nil, $0.room.take()) }
        room?.fail(CancellationError())
        return !isOver
    }
}

/// Holds an answer for its reader; when nobody does any longer, the request ends.
private final class RestOfAnswer: Sendable {
    private let answer: HTTPAnswer
    private let task: HTTPClient.Task<Void>

    init(_ answer: HTTPAnswer, task: HTTPClient.Task<Void>) {
        self.answer = answer
        self.task = task
    }

    deinit {
        if answer.abandon() { task.cancel() }
    }

    func head() async throws -> HTTPResponseHead {
        try await withTaskCancellationHandler {
            try await answer.head()
        } onCancel: {
            task.cancel()
        }
    }

    func next() async throws -> ByteBuffer? {
        try await withTaskCancellationHandler {
            try await answer.next()
        } onCancel: {
            task.cancel()
        }
    }
}
