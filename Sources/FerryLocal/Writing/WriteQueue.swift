import NIOCore
import Synchronization

/// Portions of a file that wait to be written, while more of them are made.
///
/// One task adds; a thread of the pool writes for as long as there is something to write. What waits is bounded.
final class WriteQueue: Sendable {
    /// Bytes that may wait, or be on their way to the disk, when another portion is made.
    private static let capacity = 512 << 10

    private struct State {
        var portions: [[ByteBuffer]] = []
        var outstanding = 0
        /// Bytes that were written and not yet told.
        var written: Int64 = 0
        var isWriting = false
        var failure: (any Error)?
        /// Waits until no more than so many bytes are outstanding.
        var waiter: (limit: Int, continuation: CheckedContinuation<Void, Never>)?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard let limit = waiter?.limit, outstanding <= limit else { return nil }
            return waiter.take()?.continuation
        }
    }

    private let start: @Sendable (@escaping @Sendable () -> Bool) -> Void
    private let write: @Sendable ([ByteBuffer]) throws -> Void
    private let state = Mutex(State())

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - start: Has a thread do what it is given, as long as that says that there is more.
    ///   - write: Writes a portion; nobody else does as long as there is something in the queue.
    init(
        start: @escaping @Sendable (@escaping @Sendable () -> Bool) -> Void,
        write: @escaping @Sendable ([ByteBuffer]) throws -> Void
    ) {
        self.start = start
        self.write = write
    }

    /// Adds a portion; waits while too much waits already.
    ///
    /// - Parameter chunks: Some bytes.
    /// - Returns: How many bytes were written since this was last told.
    /// - Throws: Why an earlier portion could not be written.
    func add(_ chunks: [ByteBuffer]) async throws -> Int64 {
        let mustStart = state.withLock { state in
            guard state.failure == nil else { return false }
            state.portions.append(chunks)
            state.outstanding += chunks.byteCount
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { start { self.work() } }
        return try await wait(until: Self.capacity)
    }

    /// Waits until everything is written.
    ///
    /// - Returns: How many bytes were written since this was last told.
    /// - Throws: Why a portion could not be written.
    func finish() async throws -> Int64 {
        try await wait(until: 0)
    }

    /// Waits until nothing is written any more.
    ///
    /// - Parameter drops: `true` to drop the portions that wait.
    /// - Returns: How many bytes were written since this was last told.
    func settle(dropping drops: Bool) async -> Int64 {
        if drops {
            state.withLock { state in
                state.outstanding -= state.portions.reduce(0) { $0 + $1.byteCount }
                state.portions = []
            }
        }
        do {
            return try await wait(until: 0)
        } catch {
            // Whatever it was, the caller knows a reason to give up already.
            return 0
        }
    }

    private func wait(until limit: Int) async throws -> Int64 {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.outstanding <= limit
                if !isReady { state.waiter = (limit, continuation) }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            defer { state.written = 0 }
            return state.written
        }
    }

    /// Writes the next portion.
    ///
    /// - Returns: `true` if there are more.
    private func work() -> Bool {
        guard let chunks = next() else { return false }
        let result = Result { try write(chunks) }
        let (waiter, hasMore) = state.withLock { state in
            state.outstanding -= chunks.byteCount
            do {
                try result.get()
                state.written += Int64(chunks.byteCount)
            } catch {
                state.failure = error
                state.portions = []
                state.outstanding = 0
            }
            state.isWriting = !state.portions.isEmpty
            return (state.takeWaiter(), state.isWriting)
        }
        waiter?.resume()
        return hasMore
    }

    private func next() -> [ByteBuffer]? {
        state.withLock { state in
            guard !state.portions.isEmpty else {
                state.isWriting = false
                return nil
            }
            return state.portions.removeFirst()
        }
    }
}

extension [ByteBuffer] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.readableBytes } }
}
