import CXXHash
import Foundation
public import NIOCore

/// The checksum of a part of a file that is under way: XXH3 with 128 bits, worked out piece by piece.
///
/// It finds what went wrong by accident, at the speed of memory; who means harm can make two parts with the same.
///
/// ```swift
/// let checksum = PartChecksum()
/// for chunk in chunks { checksum.update(chunk) }
/// let sum = checksum.finish()
/// ```
public final class PartChecksum {
    // `nil` only where there is no memory, where Swift would have ended the process, too.
    private let state: OpaquePointer?

    /// Begins.
    public init() {
        state = XXH3_createState()
        XXH3_128bits_reset(state)
    }

    deinit {
        XXH3_freeState(state)
    }

    /// Adds bytes.
    ///
    /// - Parameter bytes: The next ones.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress, !bytes.isEmpty { XXH3_128bits_update(state, start, bytes.count) }
    }

    /// Adds bytes.
    ///
    /// - Parameter bytes: The next ones.
    public func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { update($0) }
    }

    /// Ends a part; what is added later belongs to the next one.
    ///
    /// - Returns: 32 lower-case hexadecimal digits, the highest first.
    public func finish() -> String {
        let hash = XXH3_128bits_digest(state)
        XXH3_128bits_reset(state)
        return hash.high64.hexadecimal + hash.low64.hexadecimal
    }
}

extension FileProviderReadWriteProgressive {
    /// The checksum of a few bytes of a file that is under way, which are read for it.
    ///
    /// For storages that tell no more of such a file than how long it is.
    ///
    /// - Parameters:
    ///   - temporary: Where the file is until it is complete.
    ///   - write: The write that it belongs to.
    ///   - range: Some of the bytes.
    /// - Returns: The ``PartChecksum`` of the bytes; `nil` for none, or for more than 64 KiB.
    /// - Throws: ``PartialWriteLostError`` when the file is gone; why it can't be read.
    package func checksum(
        ofTemporary temporary: ItemPath,
        of write: PartialWrite,
        in range: Range<Int64>
    ) async throws -> String? {
        guard 1...(64 << 10) ~= range.count else { return nil }
        let sum = PartChecksum()
        do {
            for try await chunk in try await contentStream(path: temporary, range: .bytes(range), reporting: nil) {
                sum.update(chunk)
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            throw PartialWriteLostError(path: write.path, underlying: error)
        }
        return sum.finish()
    }
}
