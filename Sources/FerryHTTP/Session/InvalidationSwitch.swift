import Synchronization

/// A switch that ends all work of a session at once.
final class InvalidationSwitch: Sendable {
    private struct State {
        var isOff = false
        var nextNumber = 0
        var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Indicates whether the session was invalidated.
    var isOff: Bool { state.withLock { $0.isOff } }

    /// Ends all that runs under ``run(_:)``, and all that will.
    func turnOff() {
        let waiting = state.withLock { state in
            state.isOff = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Throws if the session was invalidated.
    func check() throws {
        if isOff { throw CancellationError() }
    }

    /// Does what may take long; ends it when the session is invalidated.
    ///
    /// - Parameter work: The work; it is cancelled then.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws; `CancellationError` when the session is invalidated.
    func run<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let (ending, continuation) = AsyncStream<Never>.makeStream()
        let number: Int? = state.withLock { state in
            guard !state.isOff else { return nil }
            state.nextNumber += 1
            state.waiting[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let number else { throw CancellationError() }
        defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in ending {}
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }
}

extension HTTPReplyBody {
    /// The same bytes, until the session is invalidated: then reading throws `CancellationError`.
    func guarded(by invalidation: InvalidationSwitch) -> HTTPReplyBody {
        let rest = RestOfReply(makeAsyncIterator())
        return HTTPReplyBody {
            try invalidation.check()
            do {
                return try await rest.next()
            } catch {
                // A connection that was closed under it looks like a lost one.
                try invalidation.check()
                throw error
            }
        }
    }
}

/// An iterator that is asked one call at a time.
private final class RestOfReply: Sendable {
    private let iterator: Mutex<HTTPReplyBody.AsyncIterator?>

    init(_ iterator: HTTPReplyBody.AsyncIterator) {
        self.iterator = Mutex(iterator)
    }

    func next() async throws -> HTTPReplyBody.Element? {
        guard var iterator = iterator.withLock({ $0.take() }) else { return nil }
        let chunk = try await iterator.next()
        if chunk != nil { self.iterator.withLock { [iterator] in $0 = iterator } }
        return chunk
    }
}
