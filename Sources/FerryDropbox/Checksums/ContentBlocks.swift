import FerryCrypto
import FerryHTTP
import NIOCore
import Synchronization

/// The SHA-256 digests of a file's blocks of 4 MiB: those that were needed for parts are not computed again for the whole.
///
/// See <https://www.dropbox.com/developers/reference/content-hash>.
final class ContentBlocks: Sendable {
    /// Bytes of each block but the last.
    private static let size: Int64 = 4 << 20

    /// The digests by the numbers of their blocks.
    private let digests = Mutex<[Int64: [UInt8]]>([:])

    /// Returns the content hash of a part, and keeps the digests of its blocks.
    ///
    /// - Parameters:
    ///   - body: The part, all of it or what is left of it.
    ///   - offset: The part's offset in the file. Where no block begins there, nothing is kept.
    /// - Returns: Lower-case hexadecimal.
    /// - Throws: Errors of reading.
    func hash(of body: HTTPRequestBody, at offset: Int64) async throws -> String {
        let found = try await Self.digests(of: body)
        if offset % Self.size == 0 {
            digests.withLock { digests in
                for (index, digest) in found.enumerated() { digests[offset / Self.size + Int64(index)] = digest }
            }
        }
        return Self.hash(of: found)
    }

    /// Returns the content hash of the file.
    ///
    /// - Parameters:
    ///   - size: Bytes of the file.
    ///   - body: A closure that returns the bytes in a range, for blocks that another process has sent.
    /// - Returns: Lower-case hexadecimal.
    /// - Throws: Errors of reading.
    func hash(size: Int64, reading body: (Range<Int64>) -> HTTPRequestBody) async throws -> String {
        let kept = digests.withLock { $0 }
        var all: [[UInt8]] = []
        for start in stride(from: 0, to: size, by: Int(Self.size)) {
            if let digest = kept[start / Self.size] {
                all.append(digest)
            } else {
                all += try await Self.digests(of: body(start..<min(start + Self.size, size)))
            }
        }
        return Self.hash(of: all)
    }

    private static func hash(of digests: [[UInt8]]) -> String {
        var whole = RunningHash(.sha256)
        for digest in digests { digest.withUnsafeBytes { whole.update($0) } }
        return whole.finalize().hexadecimal
    }

    private static func digests(of body: HTTPRequestBody) async throws -> [[UInt8]] {
        let source = try await body.makeSource()
        var digests: [[UInt8]] = []
        var block = RunningHash(.sha256)
        var count = 0
        while var chunk = try await source() {
            while let piece = chunk.readSlice(length: min(chunk.readableBytes, Int(size) - count)),
                piece.readableBytes > 0
            {
                piece.withUnsafeReadableBytes { block.update($0) }
                count += piece.readableBytes
                guard count == size else { continue }
                digests.append(block.finalize())
                block = RunningHash(.sha256)
                count = 0
            }
        }
        if count > 0 { digests.append(block.finalize()) }
        return digests
    }
}
