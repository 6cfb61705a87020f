/// The directory at a ZIP file's end (APPNOTE 6.3.10, §4.3).
struct ZIPDirectory {
    /// More of a directory is not read: its files are counted by what its end says.
    static let longest: Int64 = 16 << 20

    /// How many files and folders its end says there are.
    let entryCount: Int64
    /// The comment on the archive.
    let comment: String?
    private let file: any RandomBytes
    private let start: Int64
    private let length: Int64
    /// By how much all offsets are too small, since something was put in front.
    private let shift: Int64

    /// Finds the directory.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``DamagedFile`` where there is none; what reading throws.
    init(_ file: any RandomBytes) throws {
        self.file = file
        let end = try Self.findEnd(file)
        let record = try file.bytes(at: end, 22)
        let words = Int(min(record[20..<22].number(.little), file.count - end - 22))
        comment = try file.bytes(at: end + 22, words).text
        var count = record[10..<12].number(.little)
        var length = record[12..<16].number(.little)
        var start = record[16..<20].number(.little)
        var directoryEnd = end
        if count == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF, let wide = try Self.findWideEnd(file, end)
        {
            let record = try file.bytes(at: wide, 56)
            count = record[32..<40].number(.little)
            length = record[40..<48].number(.little)
            start = record[48..<56].number(.little)
            directoryEnd = wide
        }
        guard length <= directoryEnd, start <= directoryEnd - length else {
            throw DamagedFile("its directory is outside of it")
        }
        shift = directoryEnd - length - start
        entryCount = count
        self.length = length
        self.start = start + shift
    }

    /// §4.3.16: it is behind everything but a comment of up to 65,535 bytes.
    private static func findEnd(_ file: any RandomBytes) throws -> Int64 {
        guard file.count >= 22 else { throw DamagedFile("it is no ZIP file") }
        let signature: [UInt8] = [0x50, 0x4B, 5, 6]
        for wanted in [22, 22 + 0xFFFF] as [Int64] {
            let size = min(wanted, file.count)
            let tail = try file.bytes(at: file.count - size, Int(size))
            for index in stride(from: tail.count - 22, through: 0, by: -1)
            where tail[index] == 0x50 && tail[index..<(index + 4)].elementsEqual(signature) {
                let words = Int(tail[(index + 20)..<(index + 22)].number(.little))
                if index + 22 + words <= tail.count { return file.count - size + Int64(index) }
            }
        }
        throw DamagedFile("it is no ZIP file")
    }

    /// §4.3.14 and §4.3.15: where sizes have 64 bits.
    private static func findWideEnd(_ file: any RandomBytes, _ end: Int64) throws -> Int64? {
        guard end >= 20 else { return nil }
        let locator = try file.bytes(at: end - 20, 20)
        guard locator.starts(with: [0x50, 0x4B, 6, 7]) else { return nil }
        for place in [locator[8..<16].number(.little), end - 20 - 56]
        where place >= 0 && place <= end - 20 - 56 {
            if try file.bytes(at: place, 4) == [0x50, 0x4B, 6, 6] { return place }
        }
        return nil
    }

    /// A file or folder.
    struct Entry {
        let name: String
        let method: Int64
        let isEncrypted: Bool
        let packedSize: Int64
        let size: Int64
        let header: Int64
    }

    /// Goes through all files and folders, up to the first record that is none.
    ///
    /// - Parameter visit: Is called with each.
    /// - Returns: How many there were; `nil` if not all were read.
    /// - Throws: Any error that reading throws.
    func forEach(_ visit: (Entry) throws -> Void) throws -> Int64? {
        guard length <= Self.longest else { return nil }
        var count: Int64 = 0
        var window: [UInt8] = []
        var first = 0
        var fetched: Int64 = 0
        /// Makes sure that so many bytes are there.
        func fill(_ wanted: Int) throws -> Bool {
            if window.count - first >= wanted { return true }
            let missing = wanted - (window.count - first)
            guard Int64(missing) <= length - fetched else { return false }
            let piece = Int(min(Int64(max(missing, 64 << 10)), length - fetched))
            window.removeFirst(first)
            first = 0
            window += try file.bytes(at: start + fetched, piece)
            fetched += Int64(piece)
            return true
        }
        while try fill(46) {
            let head = Array(window[first..<(first + 46)])
            guard head.starts(with: [0x50, 0x4B, 1, 2]) else { return nil }
            let lengths = [28, 30, 32].map { Int(head[$0..<($0 + 2)].number(.little)) }
            let total = 46 + lengths.reduce(0, +)
            guard try fill(total) else { return nil }
            let name = first + 46
            let extra = name + lengths[0]
            let entry = Self.entry(
                head,
                name: window[name..<extra],
                extra: Array(window[extra..<(extra + lengths[1])]),
                shift: shift
            )
            try visit(entry)
            count += 1
            first += total
        }
        return first == window.count && fetched == length ? count : nil
    }

    private static func entry(_ head: [UInt8], name: ArraySlice<UInt8>, extra: [UInt8], shift: Int64) -> Entry {
        var size = head[24..<28].number(.little)
        var packed = head[20..<24].number(.little)
        var header = head[42..<46].number(.little)
        var index = 0
        while index + 4 <= extra.count {
            let end = index + 4 + Int(extra[(index + 2)..<(index + 4)].number(.little))
            guard end <= extra.count else { break }
            if extra[index] == 1, extra[index + 1] == 0 {
                // §4.5.3: those of them, in this order, that 32 bits are too few for.
                var place = index + 4
                func wide(_ number: inout Int64) {
                    guard number == 0xFFFF_FFFF, place + 8 <= end else { return }
                    number = extra[place..<(place + 8)].number(.little)
                    place += 8
                }
                wide(&size)
                wide(&packed)
                wide(&header)
            }
            index = end
        }
        let (place, isOver) = header.addingReportingOverflow(shift)
        return Entry(
            name: String(decoding: name, as: UTF8.self),
            method: head[10..<12].number(.little),
            isEncrypted: head[8] & 1 == 1,
            packedSize: packed,
            size: size,
            header: isOver ? .max : place
        )
    }

    /// Unpacks a file piece by piece.
    ///
    /// - Parameters:
    ///   - entry: Which.
    ///   - limit: How many unpacked bytes are wanted at most.
    ///   - take: Is called with each piece, and says whether more is wanted.
    /// - Throws: ``DamagedFile`` for one that can't be unpacked; what reading throws.
    func unpack(_ entry: Entry, upTo limit: Int, _ take: ([UInt8]) -> Bool) throws {
        guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else {
            throw DamagedFile("it is packed in another way")
        }
        let head = try file.bytes(at: entry.header, 30)
        guard head.starts(with: [0x50, 0x4B, 3, 4]) else { throw DamagedFile("a file isn't where it should be") }
        var offset = entry.header + 30 + head[26..<28].number(.little) + head[28..<30].number(.little)
        guard offset <= file.count, entry.packedSize <= file.count - offset else { throw DamagedFile.ends }
        var rest = entry.packedSize
        var wanted = limit
        var inflating = try Inflating(isRaw: true)
        while rest > 0, wanted > 0, !inflating.isDone {
            let piece = try file.bytes(at: offset, Int(min(rest, 32 << 10)))
            offset += Int64(piece.count)
            rest -= Int64(piece.count)
            let bytes = entry.method == 0 ? Array(piece.prefix(wanted)) : try inflating.unpack(piece, upTo: wanted)
            wanted -= bytes.count
            if !bytes.isEmpty, !take(bytes) { return }
        }
    }

    /// Unpacks a small file.
    ///
    /// - Parameters:
    ///   - entry: Which.
    ///   - limit: How many unpacked bytes are wanted at most.
    /// - Returns: Its contents up to there.
    /// - Throws: ``DamagedFile`` for one that can't be unpacked; what reading throws.
    func contents(of entry: Entry, upTo limit: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        try unpack(entry, upTo: limit) {
            all += $0
            return true
        }
        return all
    }
}
