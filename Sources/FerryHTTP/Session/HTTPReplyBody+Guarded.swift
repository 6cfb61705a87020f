import Synchronization

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
