/// Bytes that can be read from anywhere, such as a file's, or one part of it.
protocol RandomBytes {
    /// How many there are.
    var count: Int64 { get }

    /// Reads some.
    ///
    /// - Parameters:
    ///   - offset: Where the first is.
    ///   - count: How many.
    /// - Returns: So many, and never fewer.
    /// - Throws: ``DamagedFile`` where there are fewer; what reading throws.
    func bytes(at offset: Int64, _ count: Int) throws -> [UInt8]
}

/// A file that is not what it says it is.
package struct DamagedFile: Error, CustomStringConvertible {
    /// The damage, in words.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    static let ends = DamagedFile("it ends early")
}

/// Which byte of a number comes first.
enum ByteOrder {
    case little, big
}

extension RandomBytes {
    /// Makes sure that there are so many.
    func check(_ offset: Int64, _ count: Int) throws {
        guard offset >= 0, count >= 0, offset <= self.count, Int64(count) <= self.count - offset else {
            throw DamagedFile.ends
        }
    }

    /// A number of up to eight bytes; the highest bit of eight is ignored, as no offset has it.
    func number(at offset: Int64, size: Int, _ order: ByteOrder) throws -> Int64 {
        try bytes(at: offset, size).number(order)
    }

    func byte(at offset: Int64) throws -> Int { Int(try bytes(at: offset, 1)[0]) }
    func u16(at offset: Int64, _ order: ByteOrder = .big) throws -> Int { Int(try number(at: offset, size: 2, order)) }
    func u32(at offset: Int64, _ order: ByteOrder = .big) throws -> Int64 { try number(at: offset, size: 4, order) }

    /// Four letters.
    func code(at offset: Int64) throws -> FourLetters { FourLetters(try bytes(at: offset, 4)) }

    /// All bytes, but no more than a limit.
    func all(upTo limit: Int) throws -> [UInt8] { try bytes(at: 0, Int(min(count, Int64(limit)))) }

    /// A part of it.
    func part(_ offset: Int64, _ count: Int64) throws -> PartOfBytes {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            throw DamagedFile.ends
        }
        return PartOfBytes(base: self, start: offset, count: count)
    }
}

extension Collection<UInt8> {
    /// They as one number.
    func number(_ order: ByteOrder) -> Int64 {
        var number: UInt64 = 0
        switch order {
        case .big: for byte in self { number = number << 8 | UInt64(byte) }
        case .little: for byte in self.reversed() { number = number << 8 | UInt64(byte) }
        }
        return Int64(number & UInt64(Int64.max))
    }

    /// They as UTF-8 if they are, else as Latin-1; up to the first NUL, without space around it, or `nil`.
    var text: String? {
        let bytes = Array(prefix { $0 != 0 }.prefix(Texts.limit))
        return Texts.trimmed(String(validating: bytes, as: UTF8.self) ?? Texts.cutUTF8(bytes) ?? Texts.latin1(bytes))
    }

    /// They as UTF-16, up to the first NUL, without space around it, or `nil`.
    func utf16(_ order: ByteOrder) -> String? {
        var units: [UInt16] = []
        var iterator = makeIterator()
        while units.count < Texts.limit, let first = iterator.next(), let second = iterator.next() {
            let unit = order == .big ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
            if unit == 0 { break }
            units.append(unit)
        }
        return Texts.trimmed(String(decoding: units, as: UTF16.self))
    }
}

/// Four bytes that name a box, a chunk, or a tag.
struct FourLetters: Hashable, ExpressibleByStringLiteral {
    let code: UInt32

    init(_ bytes: some Collection<UInt8>) {
        code = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    init(stringLiteral value: String) {
        self.init(value.utf8)
    }
}

/// How texts of files are read.
enum Texts {
    /// No text of a file is longer than so many bytes.
    static let limit = 8192

    /// Without white space and NULs around it; `nil` if nothing is left.
    static func trimmed(_ text: some StringProtocol) -> String? {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace || character == "\0" }
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return String(text[first...last])
    }

    /// How many bytes a C string has, up to a limit.
    static func length(_ text: UnsafePointer<CChar>, upTo limit: Int) -> Int {
        (0..<limit).first { text[$0] == 0 } ?? limit
    }

    static func latin1(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }

    /// Returns what was UTF-8 before its last letter was cut in the middle.
    static func cutUTF8(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= limit else { return nil }
        for cut in 1...3 {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}

/// The source of a file's bytes.
package protocol PropertySource {
    /// The size of the file in bytes.
    var size: Int64 { get }

    /// Reads some.
    ///
    /// - Parameters:
    ///   - offset: Where the first is; at most the size.
    ///   - count: How many.
    /// - Returns: As many as asked, fewer only where the file ends.
    /// - Throws: Whatever keeps it from being read.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}
