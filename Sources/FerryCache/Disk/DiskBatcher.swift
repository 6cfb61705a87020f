import Synchronization

/// Batches disk operations that are requested at the same time: while one batch is under way, the next one gathers.
///
/// A caller waits for the end of a batch that began after its request.
final class DiskBatcher<Request: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var waiting: [(request: Request, continuation: CheckedContinuation<Outcome, Never>)] = []
        var isBusy = false
    }

    /// Requests in one batch, at most.
    private static var most: Int { 256 }

    private let state = Mutex(State())

    /// Waits until a request has been dealt with.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Deals with a batch of requests, in their order, and may wait for the disk; the same with each call.
    /// - Returns: The outcome of the batch.
    func perform(_ request: Request, by body: @escaping @Sendable ([Request]) -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                state.waiting.append((request, continuation))
                defer { state.isBusy = true }
                return !state.isBusy
            }
            if starts { CacheThreads.start { self.work(by: body) } }
        }
    }

    private func work(by body: @Sendable ([Request]) -> Outcome) {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.most))
                state.waiting.removeFirst(batch.count)
                state.isBusy = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            let outcome = body(batch.map(\.request))
            for (_, continuation) in batch { continuation.resume(returning: outcome) }
        }
    }
}
