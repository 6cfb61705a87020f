import FerryCore
import FerryCrypto
import NIOCore
import Synchronization

/// A checksum of a content, worked out while it passes by, of the kind that drives keep: QuickXorHash.
final class OneDriveContentHash: Sendable {
    /// The kind of the checksum.
    let kind: ChecksumKind

    private let algorithm: HashAlgorithm
    private let state: Mutex<(hash: RunningHash, count: Int64)>

    /// Makes the checksum of no bytes.
    ///
    /// - Parameter kind: The kind; QuickXorHash in place of one that is not known here.
    init(_ kind: ChecksumKind = .quickXor) {
        algorithm = HashAlgorithm(rawValue: kind.rawValue) ?? .quickXor
        self.kind = ChecksumKind(rawValue: algorithm.rawValue)
        state = Mutex((RunningHash(algorithm), 0))
    }

    /// Adds a chunk.
    ///
    /// - Parameter chunk: The bytes that follow those before.
    /// - Returns: The same chunk.
    @discardableResult
    func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        state.withLock { state in
            chunk.withUnsafeReadableBytes { state.hash.update($0) }
            state.count += Int64(chunk.readableBytes)
        }
        return chunk
    }

    /// The number of bytes that have passed.
    var count: Int64 { state.withLock { $0.count } }

    /// Returns the checksum of what has passed so far.
    ///
    /// - Returns: The text as the service writes it.
    func finish() -> String {
        let hash = state.withLock { $0.hash }
        return algorithm.text(of: hash.finalize())
    }

    /// Returns the kind by which a file can be compared.
    ///
    /// - Parameter sums: The checksums that the service tells.
    /// - Returns: `nil` where it tells none that is known here.
    static func kind(among sums: [ChecksumKind: String]) -> ChecksumKind? {
        [.quickXor, .sha256, .sha1].first { sums[$0] != nil }
    }
}
