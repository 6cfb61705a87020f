public import Foundation
public import NIOCore

/// Bytes in memory as a stream of chunks of 256 KiB.
public struct DataChunks: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = ByteBuffer

    /// The bytes of a chunk, at most.
    public static let chunkSize = 256 << 10

    private let data: Data

    /// Makes a stream.
    ///
    /// - Parameter data: All bytes.
    public init(_ data: Data) {
        self.data = data
    }

    /// Starts anew.
    ///
    /// - Returns: An iterator before the first chunk.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: data)
    }

    /// Cuts off chunk after chunk.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var rest: Data

        /// The next chunk.
        ///
        /// - Returns: At least one byte, or `nil` at the end.
        public mutating func next() async -> ByteBuffer? { nextChunk() }

        /// The next chunk, without waiting.
        package mutating func nextChunk() -> ByteBuffer? {
            if rest.isEmpty { return nil }
            let chunk = rest.prefix(DataChunks.chunkSize)
            rest = rest.dropFirst(chunk.count)
            var buffer = ByteBufferAllocator().buffer(capacity: chunk.count)
            buffer.writeBytes(chunk)
            return buffer
        }
    }
}
