import FerryCore
import FerryCrypto
import Foundation
import NIOCore

/// Changes a large file in place into another one, of which only the blocks that differ are sent.
///
/// Blocks are compared by checksums that the storage works out: first large ones, then the small ones within those that
/// differ. In the end the whole file's checksum is compared, so that neither a source that changes meanwhile nor anything
/// else leaves a wrong file unnoticed.
struct BlockUpdate: Sendable {
    /// Bytes from which on it is worth asking for checksums.
    static let leastSize: Int64 = 1 << 20

    /// Bytes of a large block, at least.
    private static let largeBlock: Int64 = 1 << 20

    /// Large blocks of a file, at most: larger files have larger ones.
    private static let mostBlocks: Int64 = 2048

    /// Bytes of a small block, at least.
    private static let smallBlock: Int64 = 16 << 10

    /// Small blocks that are compared, at most: in larger ones they are larger.
    private static let mostSmallBlocks: Int64 = 8192

    /// Large blocks that differ within which small ones are compared; more are sent as they are.
    private static let mostCompared = 64

    let copier: FileCopier
    let storage: any FileProviderBlockUpdating & FileProviderChecksums
    /// The original.
    let item: FileObject
    let place: ItemPath

    /// Does it.
    ///
    /// - Returns: `false` if that can't be done here, and nothing was changed.
    /// - Throws: ``DamagedCopyError`` if the file is not what it should be then; why it can't be done.
    func run() async throws -> Bool {
        guard let size = item.size, let existing = try await existingSize(), existing >= Self.leastSize else {
            return false
        }
        let common = min(size, existing)
        var block = Self.largeBlock
        while common / block > Self.mostBlocks { block *= 2 }
        guard let there = try await storage.blockChecksums(path: place, ranges: [0..<common], blockSize: block) else {
            return false
        }
        let (own, whole) = try await checksums(of: 0..<size, block: block, commonEnd: common)
        guard own.count == there.count else { throw SourceChangedError(path: item.path) }
        var differing: [Range<Int64>] = []
        for (index, (mine, theirs)) in zip(own, there).enumerated() where mine != theirs {
            let start = Int64(index) * block
            differing.append(start..<min(start + block, common))
        }
        if !differing.isEmpty, differing.count <= Self.mostCompared {
            guard let narrowed = try await narrowed(differing) else { return false }
            differing = narrowed
        }
        if size > common { differing.append(common..<size) }
        let ranges = Self.joined(differing)
        copier.bytes?.skip(size - ranges.reduce(0) { $0 + Int64($1.count) })
        let options = WriteOptions(overwrite: true, modifiedDate: item.modifiedDate)
        let edits = SourceEdits(update: self, ranges: ranges)
        try await storage.updateBlocks(path: place, edits: edits, length: size, options: options)
        if try await storage.checksum(.sha256, path: place) == whole { return true }
        // The whole of it replaces this now. If that breaks off, the next run finds another length, whatever the date is.
        let none = SourceEdits(update: self, ranges: [])
        try await storage.updateBlocks(
            path: place,
            edits: none,
            length: size + 1,
            options: WriteOptions(overwrite: true)
        )
        throw DamagedCopyError(path: place, again: .anything)
    }

    /// The size of the file that is there; `nil` if there is none that could be changed.
    private func existingSize() async throws -> Int64? {
        guard let item = try await storage.attributesIfExists(path: place), item.isRegularFile else { return nil }
        return item.size
    }

    // MARK: Comparing

    /// Returns the small blocks that differ; `nil` if the storage doesn't tell their checksums.
    private func narrowed(_ ranges: [Range<Int64>]) async throws -> [Range<Int64>]? {
        var block = Self.smallBlock
        while ranges.reduce(0, { $0 + Int64($1.count) }) / block > Self.mostSmallBlocks { block *= 2 }
        guard let there = try await storage.blockChecksums(path: place, ranges: ranges, blockSize: block) else {
            return nil
        }
        var rest = there[...]
        var differing: [Range<Int64>] = []
        for range in ranges {
            let own = try await checksums(of: range, block: block, commonEnd: range.upperBound).blocks
            guard rest.count >= own.count else { return nil }
            for (index, mine) in own.enumerated() where mine != rest.removeFirst() {
                let start = range.lowerBound + Int64(index) * block
                differing.append(start..<min(start + block, range.upperBound))
            }
        }
        return differing
    }

    /// Reads a part of the original.
    ///
    /// - Parameters:
    ///   - range: The part.
    ///   - block: Bytes of a block.
    ///   - end: Where the blocks end.
    /// - Returns: The first 32 digits of each block's SHA-256, and the SHA-256 of all of it.
    /// - Throws: ``SourceChangedError`` if there is less, or more, than that.
    private func checksums(
        of range: Range<Int64>,
        block: Int64,
        commonEnd end: Int64
    ) async throws -> (blocks: [String], whole: String) {
        var blocks: [String] = []
        var (hash, whole) = (RunningHash(.sha256), RunningHash(.sha256))
        var offset = range.lowerBound
        for try await var chunk in try await content(range) {
            try await copier.control?.pass()
            chunk.withUnsafeReadableBytes { whole.update($0) }
            while offset < end, chunk.readableBytes > 0 {
                let blockEnd = min(end, range.lowerBound + ((offset - range.lowerBound) / block + 1) * block)
                guard let piece = chunk.readSlice(length: min(chunk.readableBytes, Int(blockEnd - offset))) else {
                    break
                }
                piece.withUnsafeReadableBytes { hash.update($0) }
                offset += Int64(piece.readableBytes)
                guard offset == blockEnd else { continue }
                blocks.append(String(hash.finalize().hexadecimal.prefix(32)))
                hash = RunningHash(.sha256)
            }
            offset += Int64(chunk.readableBytes)
        }
        guard offset == range.upperBound else { throw SourceChangedError(path: item.path) }
        return (blocks, whole.finalize().hexadecimal)
    }

    fileprivate func content(_ range: Range<Int64>) async throws -> FileContentStream {
        try await copier.source.storage.contentStream(path: item.path, range: .bytes(range))
    }

    /// Ranges in order, those that touch as one.
    private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        ranges.reduce(into: []) { joined, range in
            guard let last = joined.last, last.upperBound == range.lowerBound else { return joined.append(range) }
            joined[joined.count - 1] = last.lowerBound..<range.upperBound
        }
    }
}

/// Parts of the original, as they are read.
private struct SourceEdits: AsyncSequence, Sendable {
    typealias Element = FileEdit

    let update: BlockUpdate
    let ranges: [Range<Int64>]

    struct AsyncIterator: AsyncIteratorProtocol {
        let update: BlockUpdate
        var ranges: ArraySlice<Range<Int64>>
        var current: (chunks: FileContentStream.AsyncIterator, offset: Int64, end: Int64)?

        mutating func next() async throws -> FileEdit? {
            while true {
                if current == nil {
                    guard let range = ranges.popFirst() else { return nil }
                    let content = try await update.content(range)
                    current = (content.makeAsyncIterator(), range.lowerBound, range.upperBound)
                }
                guard case (var chunks, var offset, let end)? = current else { return nil }
                guard let chunk = try await chunks.next() else {
                    guard offset == end else { throw SourceChangedError(path: update.item.path) }
                    current = nil
                    continue
                }
                let copier = update.copier
                try await copier.control?.pass()
                try await copier.pacing?.pass(chunk.readableBytes)
                copier.bytes?.add(Int64(chunk.readableBytes))
                let edit = FileEdit(offset: offset, bytes: chunk)
                offset += Int64(chunk.readableBytes)
                guard offset <= end else { throw SourceChangedError(path: update.item.path) }
                current = (chunks, offset, end)
                return edit
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(update: update, ranges: ranges[...]) }
}
