package import NIOCore
import Synchronization

/// The number of bytes that have passed on their way to a storage.
package final class ByteCounter: Sendable {
    private let count = Mutex<Int64>(0)

    /// Makes a counter at 0.
    package init() {}

    /// Bytes so far.
    package var bytes: Int64 { count.withLock { $0 } }

    /// Counts a chunk.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: The chunk.
    package func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        count.withLock { $0 += Int64(chunk.readableBytes) }
        return chunk
    }
}
