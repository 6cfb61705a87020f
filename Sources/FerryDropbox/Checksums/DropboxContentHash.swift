import FerryCrypto
import NIOCore
import Synchronization

/// The checksum that Dropbox tells of a file: SHA-256 of the SHA-256 digests of its blocks of 4 MiB.
package struct DropboxContentHash: Sendable {
    /// The bytes that were added so far.
    package private(set) var count: Int64 = 0

    private var hash = RunningHash(.dropbox)

    /// Makes the hash of no bytes.
    package init() {}

    /// Returns the hash of bytes that are in memory.
    ///
    /// - Parameter bytes: All of the content.
    /// - Returns: Lower-case hexadecimal.
    package static func hash(_ bytes: ByteBuffer) -> String {
        var hash = DropboxContentHash()
        bytes.withUnsafeReadableBytes { hash.update($0) }
        return hash.finalize()
    }

    /// Adds bytes.
    ///
    /// - Parameter bytes: The bytes that follow those before.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += Int64(bytes.count)
        hash.update(bytes)
    }

    /// Returns the hash of all bytes that were added; more can be added afterwards.
    ///
    /// - Returns: Lower-case hexadecimal.
    package func finalize() -> String { hash.finalize().hexadecimal }
}

/// A content hash that is worked out while the content passes by.
final class RunningContentHash: Sendable {
    private let hash = Mutex(DropboxContentHash())

    /// Adds a chunk.
    ///
    /// - Parameter chunk: The bytes that follow those before.
    /// - Returns: The same chunk.
    @discardableResult
    func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        hash.withLock { hash in
            chunk.withUnsafeReadableBytes { hash.update($0) }
        }
        return chunk
    }

    /// The number of bytes that have passed.
    var count: Int64 { hash.withLock { $0.count } }

    /// Returns the hash of what has passed so far.
    ///
    /// - Returns: Lower-case hexadecimal.
    func finish() -> String { hash.withLock { $0 }.finalize() }
}
