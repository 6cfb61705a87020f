import NIOCore

/// Bytes of a content that follow each other, in the chunks in which they came: large ones are not copied.
struct ChunkRun {
    /// Smaller chunks are copied: each may be a little of a large buffer, all of which it would keep.
    private static let leastShared = 64 << 10

    /// The offset of the first byte.
    let start: Int64
    /// Bytes in all.
    private(set) var length: Int64 = 0
    private(set) var chunks: [ByteBuffer] = []
    /// Indicates whether the last chunk is a copy, to which more can be added.
    private var isLastOwn = false

    init(start: Int64 = 0) {
        self.start = start
    }

    var isEmpty: Bool { length == 0 }
    var end: Int64 { start + length }
    var range: Range<Int64> { start..<end }

    /// Adds a chunk.
    ///
    /// - Parameters:
    ///   - chunk: Its bytes follow the last ones.
    ///   - capacity: Bytes that all chunks can have at most.
    mutating func append(_ chunk: ByteBuffer, atMost capacity: Int) {
        defer { length += Int64(chunk.readableBytes) }
        guard chunk.readableBytes < Self.leastShared else {
            chunks.append(chunk)
            isLastOwn = false
            return
        }
        if !isLastOwn {
            chunks.append(ByteBufferAllocator().buffer(capacity: capacity - Int(length)))
            isLastOwn = true
        }
        chunks[chunks.count - 1].writeImmutableBuffer(chunk)
    }

    /// The bytes of a range, which is in this one, and their offsets.
    func chunks(in range: Range<Int64>) -> [(offset: Int64, bytes: ByteBuffer)] {
        var found: [(offset: Int64, bytes: ByteBuffer)] = []
        var position = start
        for chunk in chunks {
            let here = (position..<position + Int64(chunk.readableBytes))
            let wanted = here.clamped(to: range)
            let skipped = Int(wanted.lowerBound - position)
            if !wanted.isEmpty, let bytes = chunk.getSlice(at: chunk.readerIndex + skipped, length: wanted.count) {
                found.append((wanted.lowerBound, bytes))
            }
            position = here.upperBound
        }
        return found
    }
}
