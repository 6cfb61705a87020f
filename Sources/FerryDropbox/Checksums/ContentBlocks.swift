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

    /// A block, or its beginning.
    private struct Block {
        let digest: [UInt8]
        /// The offset in the file behind its last byte.
        let end: Int64
    }

    private struct State {
        /// The blocks by their numbers.
        var blocks: [Int64: Block] = [:]
        /// The hash of the block in which the last part has ended, and where that was.
        var open: (end: Int64, hash: RunningHash)?
    }

    private let state = Mutex(State())

    /// Returns the content hash of a part, and keeps the digests of the file's blocks in it.
    ///
    /// A part that begins neither with a block nor where the last one has ended adds nothing to what is kept.
    ///
    /// - Parameters:
    ///   - body: The part, all of it or what is left of it.
    ///   - offset: The part's offset in the file.
    /// - Returns: Lower-case hexadecimal.
    /// - Throws: Errors of reading.
    func hash(of body: HTTPRequestBody, at offset: Int64) async throws -> String {
        let source = try await body.makeSource()
        let isAligned = offset % Self.size == 0
        // The blocks of the part are those of the file if it begins with one.
        var part = isAligned ? nil : DropboxContentHash()
        var block = isAligned ? RunningHash(.sha256) : hash(openAt: offset)
        var position = offset
        var found: [Int64: Block] = [:]
        while var chunk = try await source() {
            chunk.withUnsafeReadableBytes { part?.update($0) }
            while let piece = chunk.readSlice(
                length: min(chunk.readableBytes, Int(Self.size - position % Self.size))
            ), piece.readableBytes > 0 {
                piece.withUnsafeReadableBytes { block?.update($0) }
                position += Int64(piece.readableBytes)
                guard position % Self.size == 0 else { continue }
                if let block { found[position / Self.size - 1] = Block(digest: block.finalize(), end: position) }
                block = RunningHash(.sha256)
            }
        }
        let isOpen = position % Self.size != 0
        if isOpen, let block { found[position / Self.size] = Block(digest: block.finalize(), end: position) }
        state.withLock { [found, block] state in
            state.blocks.merge(found) { $1 }
            if isOpen, let block { state.open = (position, block) }
        }
        return part?.finalize() ?? Self.hash(of: found.sorted { $0.key < $1.key }.map(\.value.digest))
    }

    private func hash(openAt offset: Int64) -> RunningHash? {
        state.withLock { $0.open.flatMap { $0.end == offset ? $0.hash : nil } }
    }

    /// Returns the content hash of the file.
    ///
    /// - Parameters:
    ///   - size: Bytes of the file.
    ///   - body: A closure that returns the bytes in a range, for blocks that another process has sent.
    /// - Returns: Lower-case hexadecimal; `nil` if blocks are missing that can't be read.
    /// - Throws: Errors of reading.
    func hash(size: Int64, reading body: ((Range<Int64>) -> HTTPRequestBody)? = nil) async throws -> String? {
        let kept = state.withLock(\.blocks)
        var all: [[UInt8]] = []
        for start in stride(from: 0, to: size, by: Int(Self.size)) {
            let end = min(start + Self.size, size)
            if let block = kept[start / Self.size], block.end == end {
                all.append(block.digest)
            } else if let body {
                all.append(try await Self.digest(of: body(start..<end)))
            } else {
                return nil
            }
        }
        return Self.hash(of: all)
    }

    private static func hash(of digests: [[UInt8]]) -> String {
        var whole = RunningHash(.sha256)
        for digest in digests { digest.withUnsafeBytes { whole.update($0) } }
        return whole.finalize().hexadecimal
    }

    private static func digest(of block: HTTPRequestBody) async throws -> [UInt8] {
        let source = try await block.makeSource()
        var hash = RunningHash(.sha256)
        while let chunk = try await source() { chunk.withUnsafeReadableBytes { hash.update($0) } }
        return hash.finalize()
    }
}
