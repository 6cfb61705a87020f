import FerryCrypto
import Foundation
import NIOCore

/// A content hash of those that the emulated services use.
enum CloudHashKind: String, Sendable, Hashable, CaseIterable {
    /// Dropbox's content_hash, in hexadecimal digits.
    case dropbox
    /// Microsoft's QuickXorHash, in Base64.
    case quickXor
    /// MD5, in hexadecimal digits.
    case md5
    /// SHA-1, in hexadecimal digits.
    case sha1
    /// SHA-256, in hexadecimal digits.
    case sha256
}

/// The content hashes of bytes that arrive one piece after the other.
struct CloudHasher: Sendable {
    private enum State: Sendable {
        case plain(RunningHash)
        case blocks(BlockHash)
        case quickXor(QuickXorHash)
    }

    private var states: [CloudHashKind: State] = [:]

    /// Starts with no bytes.
    ///
    /// - Parameter kinds: The hashes to compute.
    init(_ kinds: Set<CloudHashKind>) {
        for kind in kinds {
            states[kind] =
                switch kind {
                case .dropbox: .blocks(BlockHash())
                case .quickXor: .quickXor(QuickXorHash())
                case .md5: .plain(RunningHash(.md5))
                case .sha1: .plain(RunningHash(.sha1))
                case .sha256: .plain(RunningHash(.sha256))
                }
        }
    }

    /// Computes the hashes of a whole content.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - kinds: The hashes to compute.
    /// - Returns: The hashes as text.
    static func hashes(of content: CloudContent, _ kinds: Set<CloudHashKind>) -> [CloudHashKind: String] {
        var hasher = CloudHasher(kinds)
        hasher.update(content)
        return hasher.finalize()
    }

    /// Adds bytes behind those added before.
    ///
    /// - Parameter content: The bytes.
    mutating func update(_ content: CloudContent) {
        for kind in states.keys {
            guard let state = states.removeValue(forKey: kind) else { continue }
            switch state {
            case .plain(var hash):
                for piece in content.pieces { piece.withUnsafeReadableBytes { hash.update($0) } }
                states[kind] = .plain(hash)
            case .blocks(var hash):
                for piece in content.pieces { piece.withUnsafeReadableBytes { hash.update($0) } }
                states[kind] = .blocks(hash)
            case .quickXor(var hash):
                for piece in content.pieces { piece.withUnsafeReadableBytes { hash.update($0) } }
                states[kind] = .quickXor(hash)
            }
        }
    }

    /// Computes the hashes of all bytes so far.
    ///
    /// - Returns: The hashes as text.
    func finalize() -> [CloudHashKind: String] {
        states.mapValues { state in
            switch state {
            case .plain(let hash): hash.finalize().hexadecimal
            case .blocks(let hash): hash.finalize().hexadecimal
            case .quickXor(let hash): Data(hash.finalize()).base64EncodedString()
            }
        }
    }
}

/// SHA-256 over the SHA-256 digests of blocks of 4 MiB.
private struct BlockHash: Sendable {
    private static let blockSize = 4 << 20
    private var digests = RunningHash(.sha256)
    private var block = RunningHash(.sha256)
    private var blockCount = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.blockSize - blockCount)
            block.update(UnsafeRawBufferPointer(rebasing: part))
            blockCount += part.count
            rest = rest.dropFirst(part.count)
            if blockCount == Self.blockSize { endBlock() }
        }
    }

    private mutating func endBlock() {
        block.finalize().withUnsafeBytes { digests.update($0) }
        block = RunningHash(.sha256)
        blockCount = 0
    }

    func finalize() -> [UInt8] {
        var copy = self
        if copy.blockCount > 0 { copy.endBlock() }
        return copy.digests.finalize()
    }
}

/// 160 bits into which byte i is XORed at bit 11 * i, and at the end the length into the last 64.
///
/// Bytes 160 apart have the same place, so that they are put together first, eight at a time.
private struct QuickXorHash: Sendable {
    private static let bitCount = 160
    private static let wordCount = bitCount / 8
    private var words = [UInt64](repeating: 0, count: wordCount)
    private var count: UInt64 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        let period = UInt64(Self.bitCount)
        let start = Int(count % period)
        words.withUnsafeMutableBytes { block in
            // Up to the beginning of a block, and after the last whole one, byte by byte.
            if start > 0 {
                index = min(bytes.count, Self.bitCount - start)
                for offset in 0..<index { block[start + offset] ^= bytes[offset] }
            }
            let words = block.bindMemory(to: UInt64.self)
            while index + Self.bitCount <= bytes.count {
                for word in 0..<Self.wordCount {
                    words[word] ^= bytes.loadUnaligned(fromByteOffset: index + word * 8, as: UInt64.self)
                }
                index += Self.bitCount
            }
            for offset in 0..<bytes.count - index { block[offset] ^= bytes[index + offset] }
        }
        count += UInt64(bytes.count)
    }

    func finalize() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 20)
        words.withUnsafeBytes { block in
            for (position, byte) in block.enumerated() {
                let bit = position * 11 % Self.bitCount
                let (index, shift) = (bit / 8, bit % 8)
                result[index] ^= byte << shift
                if shift > 0 { result[(index + 1) % result.count] ^= byte >> (8 - shift) }
            }
        }
        withUnsafeBytes(of: count.littleEndian) { length in
            for (index, byte) in length.enumerated() { result[12 + index] ^= byte }
        }
        return result
    }
}
