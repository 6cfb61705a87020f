public import Foundation
import Synchronization

/// A clock that tests move: everything in a lab that has a date or expires reads it.
///
/// A clock stands still until it is moved; one that was made with ``running()`` follows the system's clock as well.
public final class LabClock: Sendable {
    private struct State {
        var offset: TimeInterval = 0
        var sleepers: [Int: Sleeper] = [:]
        var nextID = 0
    }

    private struct Sleeper {
        var deadline: Date
        var continuation: CheckedContinuation<Void, any Error>
    }

    private let start: Date?
    private let state = Mutex(State())

    private init(start: Date?) { self.start = start }

    /// Makes a clock that stands still.
    ///
    /// - Parameter date: The date it shows; by default the start of 2026 (UTC).
    public convenience init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.init(start: date) }

    /// Makes a clock that follows the system's clock and can be moved as well.
    ///
    /// - Returns: The clock.
    public static func running() -> LabClock { LabClock(start: nil) }

    /// The date that the clock shows.
    public var now: Date { date(offset: state.withLock(\.offset)) }

    /// Moves the clock forward, and wakes what waits for a date that has come.
    ///
    /// - Parameter duration: The time to add.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.offset += duration / .seconds(1)
            let now = date(offset: state.offset)
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// The number of callers that wait for a date, such as long polls.
    public var waiterCount: Int { state.withLock { $0.sleepers.count } }

    private func date(offset: TimeInterval) -> Date { (start ?? Date()).addingTimeInterval(offset) }

    /// Waits until the clock shows a date, or the date has passed.
    func sleep(until deadline: Date) async throws {
        guard start == nil else { return try await wait(for: deadline) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.wait(for: deadline) }
            group.addTask { try await Task.sleep(for: .seconds(max(0, deadline.timeIntervalSince(self.now)))) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func wait(for deadline: Date) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if date(offset: state.offset) >= deadline { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }
}
