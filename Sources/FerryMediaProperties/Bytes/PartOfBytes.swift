/// Bytes in memory.
struct MemoryBytes: RandomBytes {
    let all: [UInt8]

    init(_ all: [UInt8]) {
        self.all = all
    }

    var count: Int64 { Int64(all.count) }

    func bytes(at offset: Int64, _ count: Int) throws -> [UInt8] {
        try check(offset, count)
        return Array(all[Int(offset)..<(Int(offset) + count)])
    }
}

/// A part of other bytes.
struct PartOfBytes: RandomBytes {
    let base: any RandomBytes
    let start: Int64
    let count: Int64

    func bytes(at offset: Int64, _ count: Int) throws -> [UInt8] {
        try check(offset, count)
        return try base.bytes(at: start + offset, count)
    }
}

/// Parts one after the other, as a colour profile is in a JPEG's segments.
struct PiecedBytes: RandomBytes {
    private(set) var pieces: [PartOfBytes] = []
    private(set) var count: Int64 = 0

    mutating func append(_ piece: PartOfBytes) {
        pieces.append(piece)
        count += piece.count
    }

    func bytes(at offset: Int64, _ count: Int) throws -> [UInt8] {
        try check(offset, count)
        var result: [UInt8] = []
        var skip = offset
        for piece in pieces where result.count < count {
            if skip >= piece.count {
                skip -= piece.count
                continue
            }
            let part = min(Int(piece.count - skip), count - result.count)
            result += try piece.bytes(at: skip, part)
            skip = 0
        }
        return result
    }
}
