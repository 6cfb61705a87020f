import FerryCore
import Foundation

/// A file that is written in parts, and has no name yet.
struct MemoryPartialWrite {
    var content: Data
    var written = RangeSet<Int64>()
}

extension MemoryTree {
    /// What the next file in parts is called.
    mutating func newPartialWriteID() -> String { "w\(nextRevision())" }

    mutating func begin(_ write: PartialWrite, options: WriteOptions) throws {
        guard let id = write.values["id"] else { throw PartialWriteLostError(path: write.path) }
        let existing = try checkWrite(write.path, options: options).existing
        let old = try existing.map { try node($0).content.count } ?? 0
        try requireRoom(for: write.length - Int64(old), path: write.path)
        partialWrites[id] = MemoryPartialWrite(content: Data(count: Int(write.length)))
    }

    mutating func writePart(_ bytes: Data, at offset: Int64, of write: PartialWrite) throws {
        let end = offset + Int64(bytes.count)
        guard let id = write.values["id"], partialWrites[id] != nil else {
            throw PartialWriteLostError(path: write.path)
        }
        guard offset >= 0, end <= write.length else {
            throw URLError.wrongLength(expected: write.length, received: end)
        }
        partialWrites[id]?.content.replaceSubrange(Int(offset)..<Int(end), with: bytes)
        partialWrites[id]?.written.insert(contentsOf: offset..<end)
    }

    func partialWrite(_ write: PartialWrite) throws -> MemoryPartialWrite {
        guard let partial = write.values["id"].flatMap({ partialWrites[$0] }) else {
            throw PartialWriteLostError(path: write.path)
        }
        return partial
    }

    mutating func finish(_ write: PartialWrite, options: WriteOptions, now: Date) throws -> FileObject {
        let partial = try partialWrite(write)
        let written = partial.written.ranges.reduce(0) { $0 + Int64($1.count) }
        guard written == write.length else { throw URLError.wrongLength(expected: write.length, received: written) }
        let file = try self.write(partial.content, to: write.path, options: options, now: now)
        discard(write)
        return file
    }

    mutating func discard(_ write: PartialWrite) {
        if let id = write.values["id"] { partialWrites[id] = nil }
    }
}
