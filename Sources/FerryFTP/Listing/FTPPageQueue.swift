import Dispatch
import FerryCore
import Synchronization

/// Pages of a listing on their way from a connection's thread to a task; few wait in it, however long the listing is.
final class FTPPageQueue: Sendable {
    private struct State {
        var pages: [[FileObject]] = []
        var end: Result<Void, any Error>?
        var task: CheckedContinuation<Void, Never>?
        var isThreadWaiting = false
        var hasBegun = false
        var hasShownAny = false
    }

    private static let capacity = 4
    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    /// Indicates whether any page was put in.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Puts a page in, and waits while there are too many.
    ///
    /// - Returns: `false` if nobody wants them any more.
    func write(_ page: [FileObject]) -> Bool {
        while true {
            let (goesOn, task): (Bool?, CheckedContinuation<Void, Never>?) = state.withLock { state in
                if state.end != nil { return (false, nil) }
                guard state.pages.count < Self.capacity else {
                    state.isThreadWaiting = true
                    return (nil, nil)
                }
                state.hasBegun = true
                state.pages.append(page)
                defer { state.task = nil }
                return (true, state.task)
            }
            task?.resume()
            if let goesOn { return goesOn }
            semaphore.wait()
        }
    }

    /// Says that no more pages come, or why; the first to say so is heard.
    func finish(_ result: Result<Void, any Error> = .success(())) {
        let (task, wakes) = state.withLock { state in
            if state.end == nil { state.end = result }
            defer { (state.isThreadWaiting, state.task) = (false, nil) }
            return (state.task, state.isThreadWaiting)
        }
        task?.resume()
        if wakes { semaphore.signal() }
    }

    /// The next page.
    ///
    /// - Returns: A page, an empty one for an empty folder; `nil` at the end.
    /// - Throws: Why there are no more.
    func next() async throws -> [FileObject]? {
        while true {
            let (page, end, wakes): ([FileObject]?, Result<Void, any Error>?, Bool) = state.withLock { state in
                guard !state.pages.isEmpty else { return (nil, state.end, false) }
                defer { state.isThreadWaiting = false }
                state.hasShownAny = true
                return (state.pages.removeFirst(), nil, state.isThreadWaiting)
            }
            if wakes { semaphore.signal() }
            if let page { return page }
            if let end {
                try end.get()
                return state.withLock { state in
                    defer { state.hasShownAny = true }
                    return state.hasShownAny ? nil : []
                }
            }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.pages.isEmpty, state.end == nil else { return false }
                    state.task = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }
}
