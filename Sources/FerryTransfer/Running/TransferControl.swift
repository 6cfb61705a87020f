import Foundation
import Synchronization

/// Pauses a transfer, and lets it go on.
///
/// While it is paused nothing new begins, and what is under way takes no further bytes from its source.
public final class TransferControl: Sendable {
    private struct State {
        var isPaused = false
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Of work that others do for the transfer.
        var progresses: [ObjectIdentifier: Progress] = [:]
    }

    private let state = Mutex(State())

    /// Makes a control for one transfer, or several.
    public init() {}

    /// Whether everything waits.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Lets everything wait.
    public func pause() {
        state.withLock { state in
            state.isPaused = true
            // Nobody else has these: no handler of theirs calls us back.
            for progress in state.progresses.values { progress.pause() }
        }
    }

    /// Goes on.
    public func resume() {
        let waiters = state.withLock { state in
            state.isPaused = false
            for progress in state.progresses.values { progress.resume() }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Pauses and goes on when a progress does.
    ///
    /// - Parameter progress: Whose `pause()` and `resume()` mean this.
    func follow(_ progress: Progress?) {
        guard let progress else { return }
        progress.isPausable = true
        progress.pausingHandler = { [weak self] in self?.pause() }
        progress.resumingHandler = { [weak self] in self?.resume() }
    }

    /// Lets work pause that others do, and that looks at its progress now and then.
    ///
    /// - Parameters:
    ///   - progress: What the work counts on; nobody else pauses it.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    func pausing<Result>(_ progress: Progress, _ body: () async throws -> Result) async throws -> Result {
        state.withLock { state in
            state.progresses[ObjectIdentifier(progress)] = progress
            if state.isPaused { progress.pause() }
        }
        defer { state.withLock { state in _ = state.progresses.removeValue(forKey: ObjectIdentifier(progress)) } }
        return try await body()
    }

    /// Returns at once, or when the transfer goes on.
    ///
    /// - Throws: `CancellationError`, also while it waits.
    public func pass() async throws {
        guard isPaused else { return }
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
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
