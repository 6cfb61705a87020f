import FerryCrypto
import NIOCore
import Synchronization

/// A checksum of the bytes that are uploaded, of the kind that the server compares.
final class UploadChecksum: Sendable {
    private let state: Mutex<RunningHash>

    init(of product: NextcloudServerFacts.Product) {
        state = Mutex(RunningHash(product == .nextcloud ? .sha256 : .sha1))
    }

    /// Counts a chunk in, and returns it.
    @discardableResult
    func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        state.withLock { hash in
            chunk.withUnsafeReadableBytes { hash.update($0) }
        }
        return chunk
    }

    /// The checksum of all bytes so far, in hexadecimal.
    func finish() -> String {
        state.withLock { $0 }.finalize().hexadecimal
    }
}
