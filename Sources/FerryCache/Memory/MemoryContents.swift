import NIOCore

/// Contents that are kept in memory, where there is no disk: all bytes, or some.
struct MemoryContents: Sendable {
    let length: Int64?
    /// In order, without overlap.
    private(set) var pieces: [(start: Int64, bytes: ByteBuffer)] = []

    init(length: Int64?) {
        self.length = length
    }

    private init(length: Int64?, pieces: [(start: Int64, bytes: ByteBuffer)]) {
        self.length = length
        self.pieces = pieces
    }

    /// The same with the length that showed at the end.
    func with(length: Int64) -> MemoryContents { MemoryContents(length: length, pieces: pieces) }

    var cost: Int { pieces.reduce(128) { $0 + 64 + $1.bytes.readableBytes } }

    /// The kept ranges, in order.
    var ranges: [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        for piece in pieces { ranges.append(joining: piece.start..<(piece.start + Int64(piece.bytes.readableBytes))) }
        return ranges
    }

    /// Adds what is missing of some bytes.
    mutating func add(_ bytes: ByteBuffer, at offset: Int64) {
        let range = offset..<(offset + Int64(bytes.readableBytes))
        for gap in ranges.gaps(in: range) {
            let start = bytes.readerIndex + Int(gap.lowerBound - offset)
            guard let slice = bytes.getSlice(at: start, length: gap.count) else { continue }
            let place = pieces.firstIndex { $0.start > gap.lowerBound } ?? pieces.count
            // A copy: the slice would hold all that the buffer has.
            pieces.insert((gap.lowerBound, ByteBuffer(bytes: slice.readableBytesView)), at: place)
        }
    }

    /// Bytes of a range; `nil` if some are missing.
    func read(_ range: Range<Int64>) -> ByteBuffer? {
        var result = ByteBuffer()
        var position = range.lowerBound
        for piece in pieces where position < range.upperBound {
            let end = piece.start + Int64(piece.bytes.readableBytes)
            guard end > position else { continue }
            guard piece.start <= position else { return nil }
            let count = Int(min(end, range.upperBound) - position)
            let start = piece.bytes.readerIndex + Int(position - piece.start)
            guard var slice = piece.bytes.getSlice(at: start, length: count) else { return nil }
            if count == range.count { return slice }
            result.writeBuffer(&slice)
            position += Int64(count)
        }
        return position == range.upperBound ? result : nil
    }
}
