import FerryCore
import Synchronization

/// The pages of one listing, for everybody who reads it at the same time, each at their own pace.
///
/// The reader that has begun it is number 0. A page is asked for when the first of them wants it. When nobody reads any
/// more, the question under way is cancelled.
final class SharedPages: SharedAnswer {
    /// Gives page after page, one call at a time; `nil` after the last.
    typealias Source = @Sendable () async throws -> [FileObject]?

    fileprivate struct State {
        var source: Source?
        var pages: [[FileObject]] = []
        /// How the listing ended; `nil` before.
        var end: Result<Void, any Error>?
        /// The page that each reader wants next.
        var readers: [Int: Int] = [0: 0]
        var nextReader = 1
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var task: Task<Void, Never>?
        var itemCount = 0
        /// Indicates whether all pages are still here, so that somebody can begin to read.
        var isWhole = true
    }

    /// Items that are held for those who come late; of more, each page only until all who read have it.
    private static let most = 20_000

    private let state: Mutex<State>
    private let executor: EventLoopExecutor?
    private let ended: @Sendable (SharedPages) -> Void

    /// Prepares a listing with one reader.
    ///
    /// - Parameters:
    ///   - executor: Where questions are asked; `nil` leaves it to Swift.
    ///   - source: Gives the pages.
    ///   - ended: Called when nobody can join any more.
    init(
        executor: EventLoopExecutor?,
        source: @escaping Source,
        ended: @escaping @Sendable (SharedPages) -> Void
    ) {
        state = Mutex(State(source: source))
        self.executor = executor
        self.ended = ended
    }

    var askerCount: Int { state.withLock { $0.readers.count } }

    /// Begins to read what somebody else reads.
    ///
    /// - Parameter isLateAllowed: `true` if pages may have come already, which describe an earlier state.
    /// - Returns: A number for the reader; `nil` if it is too late.
    func join(isLateAllowed: Bool) -> Int? {
        state.withLock { state in
            guard state.end == nil, state.isWhole, !state.readers.isEmpty, isLateAllowed || state.pages.isEmpty else {
                return nil
            }
            defer { state.nextReader += 1 }
            state.readers[state.nextReader] = 0
            return state.nextReader
        }
    }

    /// The next page of a reader.
    ///
    /// - Parameter reader: The reader.
    /// - Returns: The page; `nil` after the last.
    /// - Throws: Why it can't be had; `CancellationError` when this reader is cancelled.
    func next(_ reader: Int) async throws -> [FileObject]? {
        while true {
            try Task.checkCancellation()
            let page = try state.withLock { state -> [FileObject]?? in
                guard let index = state.readers[reader] else { return .some(nil) }
                if index < state.pages.count {
                    let page = state.pages[index]
                    state.readers[reader] = index + 1
                    state.letGo()
                    return .some(page)
                }
                guard let end = state.end else { return nil }
                try end.get()
                return .some(nil)
            }
            if let page { return page }
            await withTaskCancellationHandler {
                await withCheckedContinuation { wait($0, reader) }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: reader) }?.resume()
            }
        }
    }

    /// Ends the reading of one reader.
    ///
    /// - Parameter reader: The reader.
    func leave(_ reader: Int) {
        let (isLast, task) = state.withLock { state in
            state.readers[reader] = nil
            guard state.readers.isEmpty else { return (false, Task<Void, Never>?.none) }
            state.source = nil
            return (true, state.task)
        }
        guard isLast else { return }
        task?.cancel()
        ended(self)
    }

    private func wait(_ continuation: CheckedContinuation<Void, Never>, _ reader: Int) {
        let isThere = state.withLock { state in
            let isThere = state.end != nil || (state.readers[reader] ?? 0) < state.pages.count
            if isThere || Task.isCancelled { return true }
            state.waiting[reader] = continuation
            if state.task == nil, let source = state.source {
                // It ends with the question, and is cancelled with the last reader.
                state.task = Task(executorPreference: executor) { await self.ask(source) }
            }
            return false
        }
        if isThere { continuation.resume() }
    }

    private func ask(_ source: Source) async {
        let answer: Result<[FileObject]?, any Error>
        do {
            answer = .success(try await source())
        } catch {
            answer = .failure(error)
        }
        let (waiting, isOver) = state.withLock { state in
            state.task = nil
            switch answer {
            case .success(let page?):
                state.pages.append(page)
                state.itemCount += page.count
                if state.itemCount > Self.most { state.isWhole = false }
            case .success(nil): state.end = .success(())
            case .failure(let error): state.end = .failure(error)
            }
            if state.end != nil { state.source = nil }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), state.end != nil || !state.isWhole)
        }
        if isOver { ended(self) }
        for continuation in waiting { continuation.resume() }
    }
}

extension SharedPages.State {
    /// Forgets the pages that everybody has read, if nobody can come late any more.
    fileprivate mutating func letGo() {
        guard !isWhole, let first = readers.values.min() else { return }
        var index = first - 1
        while index >= 0, !pages[index].isEmpty {
            pages[index] = []
            index -= 1
        }
    }
}
