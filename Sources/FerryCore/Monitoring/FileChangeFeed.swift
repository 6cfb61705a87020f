import Synchronization

/// The queue into which a storage that watches something puts the changes, and from which they are read: in bounded
/// memory.
///
/// ```swift
/// let feed = FileChangeFeed(under: path)
/// let changes = feed.changes { stopWatching() }   // called when nobody reads any longer
/// feed.tell([FileChange(.created, path: "/a")])
/// ```
public final class FileChangeFeed: Sendable {
    private struct State {
        var log: ChangeLog
        var waiting: [CheckedContinuation<FileChange?, any Error>] = []
        var ending: Result<Void, any Error>?
        var onLeaving: (@Sendable () -> Void)?

        /// Those who can be answered now.
        mutating func takeAnswers() -> [(CheckedContinuation<FileChange?, any Error>, Result<FileChange?, any Error>)] {
            var answers: [(CheckedContinuation<FileChange?, any Error>, Result<FileChange?, any Error>)] = []
            while !waiting.isEmpty, let answer = takeAnswer() { answers.append((waiting.removeFirst(), answer)) }
            return answers
        }

        /// The next change, or the end; `nil` if neither is there yet.
        mutating func takeAnswer() -> Result<FileChange?, any Error>? {
            if let change = log.popFirst() { return .success(change) }
            guard let ending else { return nil }
            // An error is told once.
            self.ending = .success(())
            return ending.map { nil }
        }
    }

    /// Changes that wait for a reader, at most.
    public static let limit = 8_192

    private let state: Mutex<State>

    /// Makes a feed.
    ///
    /// - Parameters:
    ///   - path: The watched item: where a reader who is too slow is told to look again.
    ///   - limit: Changes that wait for a reader, at most.
    public init(under path: ItemPath, limit: Int = FileChangeFeed.limit) {
        state = Mutex(State(log: ChangeLog(path: path, limit: limit)))
    }

    /// Returns what the one who watches gets; ask once.
    ///
    /// - Parameter onLeaving: Called once, when nobody reads any longer, on any thread.
    /// - Returns: The changes.
    public func changes(onLeaving: @escaping @Sendable () -> Void) -> FileChanges {
        state.withLock { $0.onLeaving = onLeaving }
        return FileChanges(Reader(feed: self))
    }

    /// Reports what has happened, in order; changes that need not be reported are left out.
    ///
    /// - Parameter changes: Changes that a reader sees together.
    public func tell(_ changes: [FileChange]) {
        tell(changes.map { NotedChange($0) })
    }

    /// Reports what has happened, in order; changes that need not be reported are left out.
    package func tell(_ changes: [NotedChange]) {
        if changes.isEmpty { return }
        let answers = state.withLock { state in
            if state.ending == nil {
                for change in changes { state.log.append(change) }
            }
            return state.takeAnswers()
        }
        for (waiting, answer) in answers { waiting.resume(with: answer) }
    }

    /// Ends the changes, behind those that were reported.
    ///
    /// - Parameter error: The error that broke the watch; `nil` when the watched item is gone.
    public func finish(throwing error: (any Error)? = nil) {
        let answers = state.withLock { state in
            if state.ending == nil { state.ending = error.map { .failure($0) } ?? .success(()) }
            return state.takeAnswers()
        }
        for (waiting, answer) in answers { waiting.resume(with: answer) }
    }

    /// Nobody reads any longer.
    private func leave() {
        let (answers, onLeaving) = state.withLock { state in
            state.log.removeAll()
            state.ending = .success(())
            return (state.takeAnswers(), state.onLeaving.take())
        }
        for (waiting, answer) in answers { waiting.resume(with: answer) }
        onLeaving?()
    }

    private func next() async throws -> FileChange? {
        if Task.isCancelled {
            leave()
            return nil
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state in
                    let answer = state.takeAnswer()
                    if answer == nil { state.waiting.append(continuation) }
                    return answer
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            leave()
        }
    }

    /// Whoever holds it reads, or may read yet.
    final class Reader: Sendable {
        private let feed: FileChangeFeed

        init(feed: FileChangeFeed) {
            self.feed = feed
        }

        deinit {
            feed.leave()
        }

        func next() async throws -> FileChange? {
            try await feed.next()
        }
    }
}
