import FerryMediaWire

/// Parts of a file, and what to fetch next.
///
/// Parts that are read in a row are fetched in larger and larger portions; those read here and there in small ones. So
/// a header costs little, and a whole file few messages.
struct BlockCache {
    /// A part of the file to fetch.
    struct Portion: Hashable {
        var offset: Int64
        var length: Int
    }

    /// Bytes in a block.
    static let blockSize = 64 << 10
    /// How many blocks are kept: 16 MiB.
    static let blockLimit = 256

    private struct Block {
        var bytes: [UInt8]
        var lastUse: UInt64
    }

    /// Where the file ends: as the library said at first, then where bytes were missing.
    private var end: Int64
    private var blocks: [Int64: Block] = [:]
    private var uses: UInt64 = 0
    private var rowEnd: Int64 = 0
    private var rowBlocks = 0
    private var fetched: Int64 = 0
    private let fetchLimit: Int64

    /// Makes an empty cache.
    ///
    /// - Parameter size: The size of the file in bytes.
    init(size: Int64) {
        end = size
        // Some formats are read twice and a half; whoever needs far more goes round in a circle.
        fetchLimit = (size > .max / 8 ? size : size * 4) + 64 << 20
    }

    /// Copies what is there.
    ///
    /// - Parameters:
    ///   - offset: From here on.
    ///   - target: Where the bytes go.
    /// - Returns: How many, at most to the end of a block; `0` at the end of the file; `nil` if they must be fetched.
    mutating func copy(from offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int? {
        guard offset < end, !target.isEmpty else { return 0 }
        let index = offset / Int64(Self.blockSize)
        guard let slot = blocks.index(forKey: index) else { return nil }
        uses += 1
        blocks.values[slot].lastUse = uses
        let start = Int(offset - index * Int64(Self.blockSize))
        let count = blocks.values[slot].bytes.withUnsafeBytes { bytes in
            let count = min(target.count, bytes.count - start)
            if count > 0 { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])) }
            return count
        }
        return max(0, count)
    }

    /// Returns what to fetch for a byte that isn't there.
    ///
    /// - Parameters:
    ///   - offset: The byte's.
    ///   - wanted: How many bytes from there the reader wants.
    /// - Returns: Whole blocks, as far as the file goes; `nil` if more was fetched already than any decoder needs.
    mutating func portion(for offset: Int64, wanted: Int) -> Portion? {
        let start = offset / Int64(Self.blockSize) * Int64(Self.blockSize)
        rowBlocks = start == rowEnd ? rowBlocks * 2 : 1
        // From the start of the file 64, 64, 128 KiB and so on: a header that needs three of them costs 256.
        if fetched == start { rowBlocks = max(1, Int(start) / Self.blockSize) }
        let most = WireFormat.longestRead / Self.blockSize
        let needed = (Int(offset - start) + min(wanted, WireFormat.longestRead) + Self.blockSize - 1) / Self.blockSize
        rowBlocks = min(most, max(rowBlocks, needed))
        var count = 1
        while count < rowBlocks, blocks[start / Int64(Self.blockSize) + Int64(count)] == nil { count += 1 }
        let length = Int(min(end - start, Int64(count * Self.blockSize)))
        fetched += Int64(length)
        guard fetched <= fetchLimit else { return nil }
        rowEnd = start + Int64(length)
        return Portion(offset: start, length: length)
    }

    /// Keeps what was fetched.
    ///
    /// - Parameters:
    ///   - bytes: At most as many as asked for; fewer, and the file ends there.
    ///   - portion: The portion that was asked for.
    mutating func store(_ bytes: [UInt8], of portion: Portion) {
        if bytes.count < portion.length { end = min(end, portion.offset + Int64(bytes.count)) }
        var start = 0
        var index = portion.offset / Int64(Self.blockSize)
        uses += 1
        while start < bytes.count {
            let next = min(bytes.count, start + Self.blockSize)
            blocks[index] = Block(bytes: Array(bytes[start..<next]), lastUse: uses)
            start = next
            index += 1
        }
        makeRoom()
    }

    private mutating func makeRoom() {
        guard blocks.count > Self.blockLimit else { return }
        // A quarter at a time, so that sorting is rare.
        let oldest = blocks.sorted { $0.value.lastUse < $1.value.lastUse }
            .prefix(blocks.count - Self.blockLimit * 3 / 4)
        for (index, _) in oldest { blocks[index] = nil }
    }
}
