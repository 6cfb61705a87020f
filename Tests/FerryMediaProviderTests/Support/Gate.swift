import Synchronization

/// Something that others wait for; whoever is cancelled waits no longer.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var arrived = 0
    }

    private let state = Mutex(State())

    /// How many have come so far.
    var arrived: Int { state.withLock { $0.arrived } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for one in waiting { one.resume() }
    }

    func pass() async throws {
        let id = state.withLock { state in
            state.arrived += 1
            return state.arrived
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let passes: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    if Task.isCancelled { return false }
                    state.waiting[id] = continuation
                    return nil
                }
                switch passes {
                case true?: continuation.resume()
                case false?: continuation.resume(throwing: CancellationError())
                case nil: break
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }
}
