extension MediaResult {
    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1:
            self = .thumbnail(
                ThumbnailResult(
                    data: try reader.data(),
                    width: Int(try reader.number(UInt32.self)),
                    height: Int(try reader.number(UInt32.self)),
                    format: try reader.choice()
                )
            )
        case 2:
            self = .properties(
                try reader.array { reader throws(WireError) in
                    PropertyEntry(try reader.text(), try PropertyEntryValue(from: &reader))
                }
            )
        case let other: throw WireError("no such result: \(other)")
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .thumbnail(let result):
            writer.write(UInt8(1))
            writer.write(result.data)
            writer.write(UInt32(clamping: result.width))
            writer.write(UInt32(clamping: result.height))
            writer.write(result.format.rawValue)
        case .properties(let entries):
            writer.write(UInt8(2))
            writer.write(entries) { writer, entry in
                writer.write(entry.key)
                entry.value.write(to: &writer)
            }
        }
    }

    /// About as many bytes as it takes.
    var roughSize: Int {
        switch self {
        case .thumbnail(let result): result.data.count + 32
        case .properties(let entries): entries.count * 64
        }
    }
}

extension PropertyEntryValue {
    init(from reader: inout WireReader) throws(WireError) {
        try self.init(from: &reader, isInList: false)
    }

    private init(from reader: inout WireReader, isInList: Bool) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .text(try reader.text())
        case 2: self = .word(try reader.text())
        case 3: self = .integer(try reader.number())
        case 4: self = .number(try reader.double())
        case 5: self = .fraction(try reader.number(), try reader.number())
        case 6: self = .boolean(try reader.flag())
        case 7:
            self = .date(
                seconds: try reader.double(),
                offset: try reader.optional { reader throws(WireError) in try reader.number() }
            )
        case 8: self = .duration(try reader.double())
        case 9: self = .size(try reader.double(), try reader.double())
        case 10:
            self = .location(
                latitude: try reader.double(),
                longitude: try reader.double(),
                altitude: try reader.optional { reader throws(WireError) in try reader.double() }
            )
        case 11 where !isInList:
            self = .list(
                try reader.array { reader throws(WireError) in
                    try PropertyEntryValue(from: &reader, isInList: true)
                }
            )
        case let other: throw WireError("no such value: \(other)")
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .text(let text):
            writer.write(UInt8(1))
            writer.write(text)
        case .word(let word):
            writer.write(UInt8(2))
            writer.write(word)
        case .integer(let number):
            writer.write(UInt8(3))
            writer.write(number)
        case .number(let number):
            writer.write(UInt8(4))
            writer.write(number)
        case .fraction(let numerator, let denominator):
            writer.write(UInt8(5))
            writer.write(numerator)
            writer.write(denominator)
        case .boolean(let answer):
            writer.write(UInt8(6))
            writer.write(answer)
        case .date(let seconds, let offset):
            writer.write(UInt8(7))
            writer.write(seconds)
            writer.write(offset) { $0.write($1) }
        case .duration(let seconds):
            writer.write(UInt8(8))
            writer.write(seconds)
        case .size(let width, let height):
            writer.write(UInt8(9))
            writer.write(width)
            writer.write(height)
        case .location(let latitude, let longitude, let altitude):
            writer.write(UInt8(10))
            writer.write(latitude)
            writer.write(longitude)
            writer.write(altitude) { $0.write($1) }
        case .list(let values):
            writer.write(UInt8(11))
            writer.write(values) { writer, value in value.write(to: &writer) }
        }
    }
}
