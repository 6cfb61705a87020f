import Foundation
import Synchronization

/// Pauses a transfer, and lets it go on.
///
/// While it is paused nothing new begins, and what is under way takes no further bytes from its source.
public final class TransferControl: Sendable {
    private struct State {
        var isPaused = false
        /// Indicates whether somebody has paused this itself, and not a progress that it follows.
        var isHeld = false
        var lastNumber = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Of work that others do for the transfer.
        var progresses: [ObjectIdentifier: Progress] = [:]
        /// Those that this follows, each with whether it was paused when it was last looked at.
        var leaders: [Int: (progress: Progress, isPaused: Bool)] = [:]

        /// - Returns: Nobody.
        mutating func pause() -> [CheckedContinuation<Void, any Error>] {
            isPaused = true
            // Nobody else has these: no handler of theirs calls us back.
            for progress in progresses.values { progress.pause() }
            return []
        }

        /// - Returns: The waiters that go on.
        mutating func resume() -> [CheckedContinuation<Void, any Error>] {
            (isPaused, isHeld) = (false, false)
            for progress in progresses.values { progress.resume() }
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let state = Mutex(State())

    /// Makes a control for one transfer, or several.
    public init() {}

    /// Indicates whether everything waits.
    public var isPaused: Bool {
        lookAtLeaders()
        return state.withLock { $0.isPaused }
    }

    /// Lets everything wait.
    public func pause() {
        lookAtLeaders { state in
            state.isHeld = true
            return state.pause()
        }
    }

    /// Goes on.
    public func resume() {
        lookAtLeaders { $0.resume() }
    }

    /// Pauses and goes on when a progress does, until ``unfollow(_:)``.
    ///
    /// - Parameter progress: The progress whose `pause()` and `resume()` mean this.
    /// - Returns: The number to end it with; `nil` if there is no progress.
    func follow(_ progress: Progress?) -> Int? {
        guard let progress else { return nil }
        let key = state.withLock { state in
            state.lastNumber += 1
            state.leaders[state.lastNumber] = (progress, false)
            return state.lastNumber
        }
        progress.isPausable = true
        progress.pausingHandler = { [weak self] in self?.lookAtLeaders() }
        progress.resumingHandler = { [weak self] in self?.lookAtLeaders() }
        return key
    }

    /// Ends ``follow(_:)``; a transfer that was paused only by that progress goes on.
    ///
    /// - Parameter key: The number that it returned.
    func unfollow(_ key: Int?) {
        guard let key else { return }
        lookAtLeaders { state in
            guard state.leaders.removeValue(forKey: key)?.isPaused == true, state.isPaused, !state.isHeld,
                !state.leaders.values.contains(where: \.isPaused)
            else { return [] }
            return state.resume()
        }
    }

    /// Does as the progresses have done that this follows, and then something more.
    ///
    /// On Linux a progress calls its handlers later, on any thread and in any order: so they look at what it is now, and so
    /// does whoever asks whether to wait.
    private func lookAtLeaders(_ body: (inout State) -> [CheckedContinuation<Void, any Error>] = { _ in [] }) {
        let waiters = state.withLock { state in
            var waiters: [CheckedContinuation<Void, any Error>] = []
            for (key, leader) in state.leaders {
                let isPaused = leader.progress.isPaused
                if isPaused == leader.isPaused { continue }
                state.leaders[key]?.isPaused = isPaused
                waiters += isPaused ? state.pause() : state.resume()
            }
            return waiters + body(&state)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Lets work pause that others do, and that looks at its progress now and then, until ``end(_:)``.
    ///
    /// - Parameter progress: The progress that the work counts on; nobody else pauses it.
    func begin(_ progress: Progress) {
        state.withLock { state in
            state.progresses[ObjectIdentifier(progress)] = progress
            if state.isPaused { progress.pause() }
        }
    }

    /// Forgets the progress of work that has ended.
    func end(_ progress: Progress) {
        state.withLock { state in _ = state.progresses.removeValue(forKey: ObjectIdentifier(progress)) }
    }

    /// Returns at once, or when the transfer goes on.
    ///
    /// - Throws: `CancellationError`, also while it waits.
    public func pass() async throws {
        guard isPaused else { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.isPaused else { return .success(()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
