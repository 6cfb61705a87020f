import Dispatch
import NIOCore
import Synchronization

/// Work that takes less time than waking a thread: one thread does as much of it as there is, and another one helps only
/// when that makes no headway.
///
/// Small files that come one after the other would else wake all threads in turn, each for one file.
final class BriefWork: Sendable {
    private struct State {
        var waiting = CircularBuffer<@Sendable () -> Void>()
        var workers = 0
        /// Pieces that were begun.
        var begun = 0
        var isWatched = false
    }

    /// How long the threads at work may be stuck before another one helps.
    private static let patience = DispatchTimeInterval.milliseconds(1)

    /// Has a thread of its own when it needs one, also while all of the system's common ones are stuck.
    private static let watching = DispatchQueue(label: "ferry.brief-work")

    private let mostWorkers: Int
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// Prepares to work; no thread is needed before there is something to do.
    ///
    /// - Parameters:
    ///   - mostWorkers: Threads at the same time, at most.
    ///   - start: Runs something on a thread that may block.
    init(mostWorkers: Int, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.mostWorkers = mostWorkers
        self.start = start
    }

    /// Has something done, soon.
    ///
    /// - Parameter work: It may block, but should not for long.
    func add(_ work: @escaping @Sendable () -> Void) {
        let (startsWorker, startsWatch) = state.withLock { state in
            state.waiting.append(work)
            if state.workers == 0 {
                state.workers = 1
                return (true, false)
            }
            defer { state.isWatched = true }
            return (false, !state.isWatched)
        }
        if startsWorker { start { self.work() } }
        if startsWatch { watch(since: nil) }
    }

    private func work() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let work = state.waiting.popFirst() else {
                state.workers -= 1
                return nil
            }
            state.begun += 1
            return work
        }
    }

    /// Looks now and then whether all threads are stuck, for as long as something waits.
    ///
    /// - Parameter begun: Pieces that were begun when that was last looked at.
    private func watch(since begun: Int?) {
        Self.watching.asyncAfter(deadline: .now() + Self.patience) {
            let (goesOn, helps) = self.state.withLock { state -> (Int?, Bool) in
                guard !state.waiting.isEmpty else {
                    state.isWatched = false
                    return (nil, false)
                }
                let helps = state.begun == begun && state.workers < self.mostWorkers
                if helps { state.workers += 1 }
                return (state.begun, helps)
            }
            if helps { self.start { self.work() } }
            if let goesOn { self.watch(since: goesOn) }
        }
    }
}
