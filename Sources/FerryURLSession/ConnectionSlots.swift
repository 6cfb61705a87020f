import Synchronization

/// Says how many requests to one host may be under way, in the order in which they came.
final class ConnectionSlots: Sendable {
    private struct Host {
        var used = 0
        var waiters: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var nextID: UInt64 = 0
        var cancelled: Set<UInt64> = []
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Makes a row of slots for each host.
    ///
    /// - Parameter limit: Requests to one host at a time, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// A right to a connection, given back when nobody holds it any more.
    final class Slot: Sendable {
        private let slots: ConnectionSlots
        private let host: String
        private let isReleased = Atomic(false)

        fileprivate init(_ slots: ConnectionSlots, _ host: String) {
            self.slots = slots
            self.host = host
        }

        deinit { release() }

        /// Gives the right back.
        func release() {
            guard !isReleased.exchange(true, ordering: .relaxed) else { return }
            slots.release(host)
        }
    }

    /// Waits for a turn.
    ///
    /// - Parameter host: Whom the connection is to.
    /// - Returns: The right to one.
    /// - Throws: `CancellationError` when the task is cancelled, or the transport shut down.
    func acquire(_ host: String) async throws -> Slot {
        let (id, isGranted) = try state.withLock { state in
            guard !state.isClosed else { throw CancellationError() }
            state.nextID += 1
            let isGranted = state.hosts[host, default: Host()].used < limit
            if isGranted { state.hosts[host, default: Host()].used += 1 }
            return (state.nextID, isGranted)
        }
        if isGranted { return Slot(self, host) }
        let isTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in wait(host, id, continuation) }
        } onCancel: {
            cancel(host, id)
        }
        // The task may have been cancelled in the moment when it got its turn.
        state.withLock { _ = $0.cancelled.remove(id) }
        guard isTurn else { throw CancellationError() }
        return Slot(self, host)
    }

    /// Turns everybody away, now and later.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            let waiters = state.hosts.values.flatMap(\.waiters)
            for host in state.hosts.keys { state.hosts[host]?.waiters = [] }
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    private func wait(_ host: String, _ id: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer: Bool? = state.withLock { state in
            if state.isClosed || state.cancelled.remove(id) != nil { return false }
            // A slot may have become free since the first look.
            if state.hosts[host, default: Host()].used < limit {
                state.hosts[host, default: Host()].used += 1
                return true
            }
            state.hosts[host, default: Host()].waiters.append((id, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func cancel(_ host: String, _ id: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.hosts[host]?.waiters.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.hosts[host]?.waiters.remove(at: index).continuation
        }
        waiter?.resume(returning: false)
    }

    private func release(_ host: String) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard var entry = state.hosts[host] else { return nil }
            // The right goes straight to who has waited longest.
            if !entry.waiters.isEmpty {
                let waiter = entry.waiters.removeFirst().continuation
                state.hosts[host] = entry
                return waiter
            }
            entry.used -= 1
            state.hosts[host] = entry.used == 0 ? nil : entry
            return nil
        }
        waiter?.resume(returning: true)
    }
}
