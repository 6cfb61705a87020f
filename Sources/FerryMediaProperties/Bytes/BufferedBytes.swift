/// A file's bytes, read in few and small pieces: the beginning at once, then pages as they are needed, and never more in
/// all than a limit.
///
/// Not `Sendable`: one reader at a time has it.
final class BufferedBytes: RandomBytes {
    /// Most headers are within it.
    static let first = 64 << 10
    static let page = 4 << 10
    private static let pages = 64

    let count: Int64
    private let source: any PropertySource
    private var beginning: [UInt8]?
    private var kept: [Int64: [UInt8]] = [:]
    private var order: [Int64] = []
    /// Bytes that may still be read.
    private(set) var allowance: Int

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - limit: How many are read in all before it is an error.
    init(_ source: any PropertySource, limit: Int) {
        self.source = source
        count = max(0, source.size)
        allowance = limit
    }

    func bytes(at offset: Int64, _ count: Int) throws -> [UInt8] {
        try check(offset, count)
        if count == 0 { return [] }
        let end = offset + Int64(count)
        if end <= Int64(Self.first) {
            let beginning = try start()
            guard end <= beginning.count else { throw DamagedFile.ends }
            return Array(beginning[Int(offset)..<Int(end)])
        }
        let page = Int64(Self.page)
        if count > Self.page {
            return try fetch(offset, count)
        }
        let index = offset / page
        let inside = Int(offset - index * page)
        let head = try kept(index)
        if inside + count <= head.count { return Array(head[inside..<(inside + count)]) }
        guard inside <= head.count else { throw DamagedFile.ends }
        let tail = try kept(index + 1)
        let rest = inside + count - head.count
        guard rest <= tail.count, head.count == Self.page else { throw DamagedFile.ends }
        return Array(head[inside...]) + tail[..<rest]
    }

    private func start() throws -> [UInt8] {
        if let beginning { return beginning }
        let bytes = try fetch(0, Int(min(count, Int64(Self.first))))
        beginning = bytes
        return bytes
    }

    private func kept(_ index: Int64) throws -> [UInt8] {
        let page = Int64(Self.page)
        if index < Int64(Self.first) / page {
            let beginning = try start()
            let lower = min(Int(index * page), beginning.count)
            return Array(beginning[lower..<min(lower + Self.page, beginning.count)])
        }
        if let bytes = kept[index] { return bytes }
        let bytes = try fetch(index * page, Int(min(page, max(0, count - index * page))))
        if order.count >= Self.pages { kept[order.removeFirst()] = nil }
        kept[index] = bytes
        order.append(index)
        return bytes
    }

    private func fetch(_ offset: Int64, _ count: Int) throws -> [UInt8] {
        guard count <= allowance else { throw DamagedFile("it says too much about itself") }
        allowance -= count
        let bytes = try source.read(at: offset, count: count)
        guard bytes.count == count else { throw DamagedFile.ends }
        return bytes
    }
}
