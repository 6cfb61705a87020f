public import Foundation
public import NIOCore
import Synchronization

/// The known facts about content before its first byte arrives.
public struct FileContentFacts: Sendable, Hashable {
    /// Bytes of the whole file; `nil` if the storage does not say.
    public var size: Int64?

    /// The offsets that the stream delivers; `nil` if the storage does not say.
    public var range: Range<Int64>?

    /// The version of the content that is delivered.
    public var eTag: String?

    /// The date at which the content last changed.
    public var modifiedDate: Date?

    /// The media type.
    public var contentType: String?

    /// The content's checksums as the storage reports them, not compared with the content; `nil` if it reports none.
    public var checksums: [ChecksumKind: String]?

    /// Indicates whether the content changed so lately, by the storage's own clock, that it could change again and keep
    /// its date.
    package var isFresh = false

    /// Makes facts.
    ///
    /// - Parameters:
    ///   - size: Bytes of the whole file.
    ///   - range: The offsets that the stream delivers.
    ///   - eTag: The version of the content.
    ///   - modifiedDate: When the content last changed.
    ///   - contentType: The media type.
    public init(
        size: Int64? = nil,
        range: Range<Int64>? = nil,
        eTag: String? = nil,
        modifiedDate: Date? = nil,
        contentType: String? = nil
    ) {
        self.size = size
        self.range = range
        self.eTag = eTag
        self.modifiedDate = modifiedDate
        self.contentType = contentType
    }

    /// Facts about a part of a file that a listing describes.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The part.
    public init(file: FileObject, range: ByteRange) {
        self.init(
            size: file.size,
            range: file.size.map { range.resolved(size: $0) },
            eTag: file.eTag,
            modifiedDate: file.modifiedDate,
            contentType: file.contentType
        )
        checksums = file.extras[.checksums]
        isFresh = file.isFresh
    }
}

/// The bytes of a file as they arrive, and what was known before the first of them.
///
/// Chunks come in order, 256 KiB at most. Read it once: a second iteration ends at once. Leaving the loop early closes
/// the file or connection. A stream that ends before its announced length throws `URLError.networkConnectionLost`.
public struct FileContentStream: AsyncSequence, Sendable {
    /// A chunk, at least one byte.
    public typealias Element = ByteBuffer

    /// Gives the next chunk, or `nil` after the last.
    public typealias ChunkSource = @Sendable () async throws -> ByteBuffer?

    /// The facts that were known before the first byte.
    public let facts: FileContentFacts

    private let source: OneTimeSource

    /// Makes a stream.
    ///
    /// The length is checked against `facts.range`, whatever delivers the chunks.
    ///
    /// - Parameters:
    ///   - facts: The facts that are known beforehand.
    ///   - source: Called, one call at a time, for chunk after chunk; released when the stream ends or is left, and with
    ///     it what it holds.
    public init(facts: FileContentFacts, source: @escaping ChunkSource) {
        self.facts = facts
        self.source = OneTimeSource(source)
    }

    /// Starts reading.
    ///
    /// - Returns: An iterator before the first chunk; an empty one if the stream was read before.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source.take(), expected: facts.range.map { Int64($0.count) })
    }

    /// Reads on.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var source: ChunkSource?
        private let expected: Int64?
        private var received: Int64 = 0

        fileprivate init(source: ChunkSource?, expected: Int64?) {
            self.source = source
            self.expected = expected
        }

        /// The next chunk.
        ///
        /// - Returns: At least one byte, or `nil` after the last; after an error too.
        /// - Throws: `URLError.networkConnectionLost` when the content ends early; `CancellationError`.
        public mutating func next() async throws -> ByteBuffer? {
            guard let source else { return nil }
            self.source = nil
            while true {
                try Task.checkCancellation()
                guard let chunk = try await source() else {
                    if let expected, received != expected {
                        throw URLError.wrongLength(expected: expected, received: received)
                    }
                    return nil
                }
                received += Int64(chunk.readableBytes)
                if let expected, received > expected {
                    throw URLError.wrongLength(expected: expected, received: received)
                }
                if chunk.readableBytes == 0 { continue }
                self.source = source
                return chunk
            }
        }
    }

    /// Reads all of it into memory.
    ///
    /// - Parameter progress: Counts the bytes; cancelling it stops reading.
    /// - Returns: All bytes.
    /// - Throws: Any error that reading throws.
    public func collect(reporting progress: Progress? = nil) async throws -> Data {
        var data = Data()
        if let length = facts.range?.count { data.reserveCapacity(Swift.min(length, 64 << 20)) }
        for try await chunk in self {
            try progress.checkCancellation()
            data.append(contentsOf: chunk.readableBytesView)
            progress?.completedUnitCount += Int64(chunk.readableBytes)
        }
        return data
    }
}

extension FileContentStream {
    /// Returns a stream of the same chunks with other facts.
    ///
    /// - Parameters:
    ///   - facts: The facts.
    ///   - check: Looks at each chunk, and at `nil` at the end; its error ends the stream.
    /// - Returns: The stream; this one is used up by it.
    package func with(
        _ facts: FileContentFacts,
        check: @escaping @Sendable (ByteBuffer?) throws -> Void = { _ in }
    ) -> FileContentStream {
        let chunks = SharedIterator(self)
        return FileContentStream(facts: facts) {
            let chunk = try await chunks.next()
            try check(chunk)
            return chunk
        }
    }
}

extension FileContentStream {
    /// The same bytes as chunks of `Data`, for code that doesn't know `ByteBuffer`.
    ///
    /// ```swift
    /// for try await chunk in try await files.contentStream(path: "/film.mp4").data {
    ///     hash.update(data: chunk)
    /// }
    /// ```
    public var data: DataSequence { DataSequence(stream: self) }

    /// The bytes of a file as chunks of `Data`; what holds for a ``FileContentStream`` holds for it.
    public struct DataSequence: AsyncSequence, Sendable {
        /// A chunk, at least one byte.
        public typealias Element = Data

        fileprivate let stream: FileContentStream

        /// Starts reading.
        ///
        /// - Returns: An iterator before the first chunk; an empty one if the stream was read before.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }

        /// Reads on.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            fileprivate var base: FileContentStream.AsyncIterator

            /// The next chunk.
            ///
            /// - Returns: At least one byte, or `nil` after the last.
            /// - Throws: As the stream's own iterator.
            public mutating func next() async throws -> Data? {
                try await base.next().map { Data($0.readableBytesView) }
            }
        }
    }
}

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
