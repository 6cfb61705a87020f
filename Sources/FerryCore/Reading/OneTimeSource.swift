import Synchronization

/// Hands out the source of a stream to the first who asks.
final class OneTimeSource: Sendable {
    private let source: Mutex<FileContentStream.ChunkSource?>

    init(_ source: @escaping FileContentStream.ChunkSource) {
        self.source = Mutex(source)
    }

    func take() -> FileContentStream.ChunkSource? {
        source.withLock { source in
            defer { source = nil }
            return source
        }
    }
}
