// Unbuilt: Apple's systems have CryptoKit, which can't be compiled where Ferry is built.
#if canImport(CryptoKit)
import CryptoKit

/// A hash of bytes that arrive one piece after the other.
///
/// A value: a copy goes on by itself.
package struct RunningHash: Sendable {
    private enum State {
        case crc32(CyclicRedundancyCheck)
        case md5(Insecure.MD5)
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
        indirect case dropbox(BlockwiseHash)
        case quickXor(QuickXorHash)
    }

    private var state: State

    /// Starts with no bytes.
    ///
    /// - Parameter algorithm: The hash function.
    package init(_ algorithm: HashAlgorithm) {
        state =
            switch algorithm {
            case .crc32: .crc32(CyclicRedundancyCheck())
            case .md5: .md5(Insecure.MD5())
            case .sha1: .sha1(Insecure.SHA1())
            case .sha256: .sha256(SHA256())
            case .dropbox: .dropbox(BlockwiseHash())
            case .quickXor: .quickXor(QuickXorHash())
            }
    }

    /// Adds bytes behind those added before.
    ///
    /// - Parameter bytes: The bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .crc32(var check):
            check.update(bytes)
            state = .crc32(check)
        case .md5(var hash):
            hash.update(bufferPointer: bytes)
            state = .md5(hash)
        case .sha1(var hash):
            hash.update(bufferPointer: bytes)
            state = .sha1(hash)
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            state = .sha256(hash)
        case .dropbox(var blocks):
            blocks.update(bytes)
            state = .dropbox(blocks)
        case .quickXor(var folds):
            // Let go of, so that its words are not copied.
            state = .crc32(CyclicRedundancyCheck())
            folds.update(bytes)
            state = .quickXor(folds)
        }
    }

    /// Computes the hash of all bytes so far; more can be added afterwards.
    ///
    /// - Returns: The hash; the algorithm says how many bytes it has.
    package func finalize() -> [UInt8] {
        switch state {
        case .crc32(let check): check.finalize()
        case .md5(let hash): Array(hash.finalize())
        case .sha1(let hash): Array(hash.finalize())
        case .sha256(let hash): Array(hash.finalize())
        case .dropbox(let blocks): blocks.finalize()
        case .quickXor(let folds): folds.finalize()
        }
    }
}
#endif
