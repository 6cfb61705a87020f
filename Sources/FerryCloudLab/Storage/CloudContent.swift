import NIOCore

/// The bytes of a file, in memory: pieces that copies share.
struct CloudContent: Sendable {
    /// The size of the blocks in which arriving bytes are gathered.
    private static let blockSize = 1 << 20

    private(set) var pieces: [ByteBuffer] = []
    /// The number of bytes.
    private(set) var count: Int64 = 0

    init() {}

    init(_ bytes: some Sequence<UInt8>) { append(ByteBuffer(bytes: bytes)) }

    /// Adds bytes at the end.
    ///
    /// - Parameter bytes: The bytes.
    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        count += Int64(bytes.readableBytes)
        while bytes.readableBytes > 0 {
            if let last = pieces.indices.last, pieces[last].readableBytes < Self.blockSize {
                let free = Self.blockSize - pieces[last].readableBytes
                guard var part = bytes.readSlice(length: min(free, bytes.readableBytes)) else { return }
                pieces[last].writeBuffer(&part)
            } else {
                pieces.append(ByteBuffer())
            }
        }
    }

    /// Adds the bytes of another content at the end, without copying them.
    ///
    /// - Parameter content: The other content.
    mutating func append(_ content: CloudContent) {
        pieces.append(contentsOf: content.pieces)
        count += content.count
    }

    /// Returns a part of the bytes.
    ///
    /// - Parameter range: Offsets of bytes; what lies beyond the end is left out.
    /// - Returns: The part; it shares the bytes.
    func part(_ range: Range<Int64>) -> CloudContent {
        var part = CloudContent()
        var start: Int64 = 0
        for piece in pieces {
            let end = start + Int64(piece.readableBytes)
            let wanted = range.clamped(to: start..<end)
            let first = piece.readerIndex + Int(wanted.lowerBound - start)
            if !wanted.isEmpty, let slice = piece.getSlice(at: first, length: wanted.count) {
                part.pieces.append(slice)
                part.count += Int64(wanted.count)
            }
            if end >= range.upperBound { break }
            start = end
        }
        return part
    }

    /// All bytes in one array.
    var bytes: [UInt8] { pieces.flatMap { $0.readableBytesView } }
}
