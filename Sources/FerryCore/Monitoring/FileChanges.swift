/// Changes as they happen, in order for each path.
///
/// It ends when the watched item itself is removed, and throws when watching breaks down. Leaving the loop, and letting
/// go of the sequence, ends the watch; so does cancelling the task that reads.
///
/// Changes that have not been read yet are kept, merged into as few as tell them all: the tenth `modified` of a file
/// says no more than the first. Whoever is so slow that some thousands wait is told to look again
/// (``FileChange/Kind-swift.enum/rescan``) instead of all of them.
public struct FileChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = FileChange

    private enum Source: Sendable {
        case feed(FileChangeFeed.Reader)
        case stream(AsyncThrowingStream<FileChange, any Error>)
    }

    private let source: Source

    /// A closure that transforms each change on its way; `nil` passes nothing on.
    private var pass: @Sendable (FileChange) -> FileChange? = { $0 }

    /// Makes a sequence of a stream; ``FileChangeFeed`` makes one that never grows without bounds.
    ///
    /// - Parameter stream: Delivers the changes; its termination handler ends the watch.
    public init(_ stream: AsyncThrowingStream<FileChange, any Error>) {
        source = .stream(stream)
    }

    init(_ reader: FileChangeFeed.Reader) {
        source = .feed(reader)
    }

    /// Starts reading.
    ///
    /// - Returns: The iterator; there is one stream, so iterate once.
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .feed(let reader): AsyncIterator(source: .feed(reader), pass: pass)
        case .stream(let stream): AsyncIterator(source: .stream(stream.makeAsyncIterator()), pass: pass)
        }
    }

    /// The same, where changes may be others, or left out.
    ///
    /// - Parameter transform: The closure that transforms each change, or returns `nil` to leave it out.
    /// - Returns: The changes that are passed on.
    package func compactMapped(_ transform: @escaping @Sendable (FileChange) -> FileChange?) -> FileChanges {
        var changes = self
        changes.pass = { [pass] in pass($0).flatMap(transform) }
        return changes
    }

    /// Reads change by change.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case feed(FileChangeFeed.Reader)
            case stream(AsyncThrowingStream<FileChange, any Error>.AsyncIterator)
        }

        fileprivate var source: Source
        fileprivate let pass: @Sendable (FileChange) -> FileChange?

        /// Waits for the next change.
        ///
        /// - Returns: `nil` when what was watched is gone, or the task is cancelled.
        /// - Throws: The error that broke the watch.
        public mutating func next() async throws -> FileChange? {
            while let change = try await nextOfSource() {
                if let change = pass(change) { return change }
            }
            return nil
        }

        private mutating func nextOfSource() async throws -> FileChange? {
            switch source {
            case .feed(let reader):
                return try await reader.next()
            case .stream(var stream):
                defer { source = .stream(stream) }
                return try await stream.next()
            }
        }
    }
}
