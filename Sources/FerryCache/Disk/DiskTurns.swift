import Synchronization

/// Does in one turn at the disk what many want at the same time: while one turn is under way, the next one's wishes gather.
///
/// A caller with a wish waits until a turn that has begun later is over.
final class DiskTurns<Wish: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var waiting: [(wish: Wish, continuation: CheckedContinuation<Outcome, Never>)] = []
        var isBusy = false
    }

    /// Wishes in one turn, at most.
    private static var most: Int { 256 }

    private let state = Mutex(State())

    /// Waits until a wish is fulfilled.
    ///
    /// - Parameters:
    ///   - wish: The wish.
    ///   - turn: Fulfils all wishes that it gets, in their order, and may wait for the disk; the same with each call.
    /// - Returns: The outcome of the turn.
    func fulfil(_ wish: Wish, by turn: @escaping @Sendable ([Wish]) -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                state.waiting.append((wish, continuation))
                defer { state.isBusy = true }
                return !state.isBusy
            }
            if starts { CacheThreads.start { self.work(by: turn) } }
        }
    }

    private func work(by turn: @Sendable ([Wish]) -> Outcome) {
        while true {
            let gathered = state.withLock { state in
                let gathered = Array(state.waiting.prefix(Self.most))
                state.waiting.removeFirst(gathered.count)
                state.isBusy = !gathered.isEmpty
                return gathered
            }
            if gathered.isEmpty { return }
            let outcome = turn(gathered.map(\.wish))
            for (_, continuation) in gathered { continuation.resume(returning: outcome) }
        }
    }
}
