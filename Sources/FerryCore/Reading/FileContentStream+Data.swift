public import Foundation
import NIOCore

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
