import CXXHash
import Foundation
import NIOCore

/// XXH3 of bytes: shows damage, and is no protection against malice.
enum Checksum {
    /// The checksum of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - seed: The number of what they belong to, so that the same bytes elsewhere have another checksum.
    /// - Returns: 64 bits.
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> Int64 {
        Int64(bitPattern: XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed))
    }

    static func of(_ data: Data, seed: UInt64 = 0) -> Int64 {
        data.withUnsafeBytes { of($0, seed: seed) }
    }

    static func of(_ buffer: ByteBuffer, seed: UInt64 = 0) -> Int64 {
        buffer.withUnsafeReadableBytes { of($0, seed: seed) }
    }
}

/// ``Checksum`` of bytes that come one after the other.
final class SeededChecksum {
    private let state = XXH3_createState()

    init(_ seed: UInt64) {
        XXH3_64bits_reset_withSeed(state, seed)
    }

    deinit {
        XXH3_freeState(state)
    }

    func update(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { _ = XXH3_64bits_update(state, $0.baseAddress, $0.count) }
    }

    /// 64 bits.
    var digest: Int64 { Int64(bitPattern: XXH3_64bits_digest(state)) }
}

/// XXH3 in 128 bits of bytes that come one after the other.
final class StreamedChecksum {
    private let state = XXH3_createState()

    init() {
        XXH3_128bits_reset(state)
    }

    deinit {
        XXH3_freeState(state)
    }

    func update(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
    }

    /// 16 bytes.
    var digest: Data {
        let hash = XXH3_128bits_digest(state)
        return withUnsafeBytes(of: (hash.high64.bigEndian, hash.low64.bigEndian)) { Data($0) }
    }
}
