import FerryMediaWire

/// A directory of a TIFF file, in which EXIF is written too: fields by their tags.
struct TIFFDirectory {
    /// More fields than any camera writes.
    private static let maximum = 2000
    /// No field that we need is longer.
    private static let longest: Int64 = 4 << 20

    private var fields: [Int: TIFFField] = [:]

    static var empty: TIFFDirectory { TIFFDirectory() }

    private init() {}

    /// Reads a directory; fields that point nowhere are left out.
    ///
    /// - Parameters:
    ///   - offset: Where it is.
    ///   - file: The file that it is in.
    /// - Throws: ``DamagedFile`` for one that isn't there; what reading throws.
    init(at offset: Int64, in file: TIFFLayout) throws {
        let count = try file.bytes.number(at: offset, size: file.countSize, file.order)
        guard count <= Self.maximum else { throw DamagedFile("a directory has too many fields") }
        for index in 0..<count {
            let start = offset + Int64(file.countSize) + index * Int64(file.fieldSize)
            // Fields after the end of a truncated directory are lost, and those before it are good.
            guard let head = try file.readable(start, file.fieldSize) else { break }
            let tag = Int(head[0..<2].number(file.order))
            let type = Int(head[2..<4].number(file.order))
            let values = head[4..<(4 + file.offsetSize)].number(file.order)
            guard let size = TIFFField.sizes[type], values <= Self.longest / Int64(size) else { continue }
            let length = Int(values) * size
            let inside = head[(4 + file.offsetSize)...]
            let place =
                length <= file.offsetSize ? start + 4 + Int64(file.offsetSize) : inside.number(file.order)
            guard place <= file.bytes.count, length <= file.bytes.count - place, fields[tag] == nil else { continue }
            fields[tag] = TIFFField(type: type, place: place, length: length, file: file)
        }
    }

    subscript(tag: Int) -> TIFFField? { fields[tag] }
}

/// How a TIFF file is written: which byte comes first, and how wide offsets are.
struct TIFFLayout {
    let bytes: any RandomBytes
    let order: ByteOrder
    /// Where the first directory is.
    let first: Int64
    /// Indicates whether offsets have 64 bits.
    let isBig: Bool

    /// Reads the header.
    ///
    /// - Throws: ``DamagedFile`` for what is no TIFF; what reading throws.
    init(_ bytes: any RandomBytes) throws {
        let head = try bytes.bytes(at: 0, 8)
        switch (head[0], head[1]) {
        case (0x49, 0x49): order = .little
        case (0x4D, 0x4D): order = .big
        default: throw DamagedFile("it is no TIFF")
        }
        self.bytes = bytes
        switch head[2..<4].number(order) {
        case 42:
            isBig = false
            first = head[4..<8].number(order)
        case 43:
            isBig = true
            guard head[4..<6].number(order) == 8 else { throw DamagedFile("it is no TIFF") }
            first = try bytes.number(at: 8, size: 8, order)
        default: throw DamagedFile("it is no TIFF")
        }
    }

    var countSize: Int { isBig ? 8 : 2 }
    var offsetSize: Int { isBig ? 8 : 4 }
    var fieldSize: Int { isBig ? 20 : 12 }

    /// Some bytes; `nil` where there are not so many.
    func readable(_ offset: Int64, _ count: Int) throws -> [UInt8]? {
        guard offset >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return try bytes.bytes(at: offset, count)
    }

    /// The directory that a field of another points to; an empty one if there is none, or none can be read.
    func directory(of field: TIFFField?) throws -> TIFFDirectory {
        guard let place = try field?.integer else { return .empty }
        do {
            return try TIFFDirectory(at: place, in: self)
        } catch is DamagedFile {
            return .empty
        }
    }
}

/// A field of a TIFF directory, read when it is asked for.
struct TIFFField {
    /// Bytes of each of a type's values (TIFF 6.0, §2, and BigTIFF).
    static let sizes: [Int: Int] = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
    ]

    let type: Int
    let place: Int64
    let length: Int
    let file: TIFFLayout

    /// The bytes as they are.
    var bytes: any RandomBytes { PartOfBytes(base: file.bytes, start: place, count: Int64(length)) }

    /// Words.
    var text: String? {
        get throws {
            guard [1, 2, 6, 7].contains(type) else { return nil }
            return try bytes.bytes(at: 0, min(length, Texts.limit)).text
        }
    }

    /// Words in UTF-16, as Windows writes them.
    var wideText: String? {
        get throws { try bytes.bytes(at: 0, min(length, Texts.limit)).utf16(.little) }
    }

    /// The first whole number.
    var integer: Int64? {
        get throws { try integers(upTo: 1).first }
    }

    /// Whole numbers, of which there may be more than are wanted.
    func integers(upTo count: Int) throws -> [Int64] {
        guard let size = Self.sizes[type], [1, 3, 4, 6, 7, 8, 9, 13, 16, 18].contains(type) else { return [] }
        let count = min(count, length / size)
        let all = try bytes.bytes(at: 0, count * size)
        return (0..<count).map { index in
            let number = all[(index * size)..<((index + 1) * size)].number(file.order)
            switch type {
            case 6: return Int64(Int8(truncatingIfNeeded: number))
            case 8: return Int64(Int16(truncatingIfNeeded: number))
            case 9: return Int64(Int32(truncatingIfNeeded: number))
            default: return number
            }
        }
    }

    /// Fractions, up to the first that is over zero.
    func fractions(upTo count: Int) throws -> [(numerator: Int64, denominator: Int64)] {
        guard type == 5 || type == 10 else { return try integers(upTo: count).map { ($0, 1) } }
        let count = min(count, length / 8)
        let all = try bytes.bytes(at: 0, count * 8)
        var fractions: [(numerator: Int64, denominator: Int64)] = []
        for index in 0..<count {
            func half(_ start: Int) -> Int64 {
                let number = all[start..<(start + 4)].number(file.order)
                return type == 10 ? Int64(Int32(truncatingIfNeeded: number)) : number
            }
            let (numerator, denominator) = (half(index * 8), half(index * 8 + 4))
            if denominator == 0 { break }
            fractions.append(denominator < 0 ? (-numerator, -denominator) : (numerator, denominator))
        }
        return fractions
    }

    /// The first fraction.
    var fraction: PropertyEntryValue? {
        get throws { try fractions(upTo: 1).first.map { .fraction($0.numerator, $0.denominator) } }
    }

    /// The first number.
    var number: Double? {
        get throws { try fractions(upTo: 1).first.map { Double($0.numerator) / Double($0.denominator) } }
    }
}
