import FerryCore
import Foundation

/// A file that is written in parts, and has no name yet.
struct MemoryPartialWrite {
    /// The pieces that were written, in the order in which they were, and where: only written bytes take space.
    private var pieces: [(offset: Int64, bytes: Data)] = []
    private(set) var written = RangeSet<Int64>()

    mutating func write(_ bytes: Data, at offset: Int64) {
        pieces.append((offset, bytes))
        written.insert(contentsOf: offset..<offset + Int64(bytes.count))
    }

    /// The whole, once all of it was written.
    ///
    /// - Parameter length: Bytes in all.
    /// - Returns: The content.
    /// - Throws: `URLError.wrongLength(expected:received:)` if something is missing.
    func content(ofLength length: Int64) throws -> Data {
        let total = written.ranges.reduce(0) { $0 + Int64($1.count) }
        guard total == length else { throw URLError.wrongLength(expected: length, received: total) }
        var content = Data(count: Int(length))
        for (offset, bytes) in pieces { content.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes) }
        return content
    }
}

extension MemoryTree {
    /// Returns what the next file in parts is called.
    mutating func newPartialWriteID() -> String { "w\(nextRevision())" }

    mutating func begin(_ write: PartialWrite, options: WriteOptions) throws {
        guard let id = write.values["id"] else { throw PartialWriteLostError(path: write.path) }
        guard write.length >= 0 else { throw URLError.wrongLength(expected: write.length, received: 0) }
        let existing = try checkWrite(write.path, options: options).existing
        let old = try existing.map { try node($0).content.count } ?? 0
        try requireRoom(for: write.length - Int64(old), path: write.path)
        partialWrites[id] = MemoryPartialWrite()
    }

    mutating func writePart(_ bytes: Data, at offset: Int64, of write: PartialWrite) throws {
        guard let id = write.values["id"], partialWrites[id] != nil else {
            throw PartialWriteLostError(path: write.path)
        }
        guard offset >= 0, Int64(bytes.count) <= write.length - offset else {
            throw URLError.wrongLength(expected: write.length, received: offset)
        }
        partialWrites[id]?.write(bytes, at: offset)
    }

    func partialWrite(_ write: PartialWrite) throws -> MemoryPartialWrite {
        guard let partial = write.values["id"].flatMap({ partialWrites[$0] }) else {
            throw PartialWriteLostError(path: write.path)
        }
        return partial
    }

    mutating func finish(_ write: PartialWrite, options: WriteOptions, now: Date) throws -> FileObject {
        let partial = try partialWrite(write)
        let file = try self.write(
            try partial.content(ofLength: write.length),
            to: write.path,
            options: options,
            now: now
        )
        discard(write)
        return file
    }

    mutating func discard(_ write: PartialWrite) {
        if let id = write.values["id"] { partialWrites[id] = nil }
    }
}
