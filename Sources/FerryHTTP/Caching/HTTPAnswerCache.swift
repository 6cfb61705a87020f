import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Remembers contents of files in memory, and asks the server whether they are still the same (304) instead of reading
/// them again.
///
/// Only content with a validator that tells it from any other is kept: a strong entity tag, or a date that was at least
/// two seconds old. What was not used for longest goes first.
public final class HTTPAnswerCache: Sendable {
    /// Bytes of all contents together, at most.
    public let capacity: Int

    /// Bytes of one content, at most.
    public let largestEntry: Int

    private let state = Mutex(State())

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: Bytes of all contents together.
    ///   - largestEntry: Bytes of one content; by default an eighth of the capacity.
    public init(capacity: Int = 16 << 20, largestEntry: Int? = nil) {
        self.capacity = max(0, capacity)
        self.largestEntry = min(self.capacity, largestEntry ?? self.capacity / 8)
    }

    /// Bytes of all contents that are kept.
    public var usedBytes: Int { state.withLock { $0.bytes } }

    /// Forgets everything.
    public func removeAll() {
        state.withLock { $0 = State(generation: $0.generation + 1) }
    }

    /// Forgets the content of a file, and of what is below a folder; content that is being read is not kept either.
    ///
    /// - Parameter key: The key that the content is remembered by.
    func remove(_ key: String) {
        state.withLock { $0.remove(below: key) }
    }

    /// Opens a file with a download, or from memory if it is still the same.
    func open(
        _ range: ByteRange,
        key: String,
        by download: ResumingDownload,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        guard range == .all else { return try await download.open(range, reporting: progress) }
        let (known, generation) = state.withLock { ($0.use(key), $0.generation) }
        guard let new = try await download.open(.all, unless: known?.version, reporting: progress) else {
            guard let known else { throw download.unexpected("a condition was answered that was not asked") }
            return known.stream(reporting: progress)
        }
        return keeping(new.stream, of: new.version, key: key, generation: generation)
    }

    /// The same stream; what it delivers to its end is kept, if it can be and nothing was written meanwhile.
    private func keeping(
        _ stream: FileContentStream,
        of version: ContentVersion,
        key: String,
        generation: Int
    ) -> FileContentStream {
        guard version.tellsLaterContentApart, let size = stream.facts.size, size <= largestEntry else { return stream }
        let content = Mutex(Data(capacity: Int(size)))
        return stream.with(stream.facts) { [weak self] chunk in
            if let chunk { return content.withLock { $0.append(contentsOf: chunk.readableBytesView) } }
            let entry = Entry(content: content.withLock { $0 }, facts: stream.facts, version: version)
            self?.state.withLock { $0.keep(entry, for: key, generation: generation, capacity: self?.capacity ?? 0) }
        }
    }
}

extension HTTPAnswerCache {
    fileprivate struct Entry: Sendable {
        var content: Data
        var facts: FileContentFacts
        var version: ContentVersion
        var lastUse = 0

        func stream(reporting progress: Progress?) -> FileContentStream {
            progress?.announceTransfer(of: Int64(content.count))
            let chunks = Mutex(DataChunks(content).makeAsyncIterator())
            return FileContentStream(facts: facts) {
                try progress.checkCancellation()
                let chunk = chunks.withLock { $0.nextChunk() }
                progress?.completedUnitCount += Int64(chunk?.readableBytes ?? 0)
                return chunk
            }
        }
    }

    fileprivate struct State {
        private var entries: [String: Entry] = [:]
        private(set) var bytes = 0
        private var uses = 0

        /// Counts what was forgotten on purpose: what was asked for before may be older than that.
        private(set) var generation: Int

        init(generation: Int = 0) {
            self.generation = generation
        }

        mutating func use(_ key: String) -> Entry? {
            uses += 1
            entries[key]?.lastUse = uses
            return entries[key]
        }

        mutating func keep(_ entry: Entry, for key: String, generation: Int, capacity: Int) {
            guard generation == self.generation else { return }
            forget(key)
            while bytes + entry.content.count > capacity,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                forget(oldest)
            }
            uses += 1
            entries[key] = entry
            entries[key]?.lastUse = uses
            bytes += entry.content.count
        }

        mutating func remove(below key: String) {
            generation += 1
            for other in entries.keys where other == key || other.hasPrefix(key + "/") { forget(other) }
        }

        private mutating func forget(_ key: String) {
            bytes -= entries.removeValue(forKey: key)?.content.count ?? 0
        }
    }
}
