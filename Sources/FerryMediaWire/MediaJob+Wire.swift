extension MediaJob {
    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .thumbnail(try ThumbnailJob(from: &reader))
        case 2:
            self = .properties(
                PropertiesJob(extensionHint: try reader.text(), size: try reader.fileSize())
            )
        case let other: throw WireError("no such job: \(other)")
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .thumbnail(let job):
            writer.write(UInt8(1))
            job.write(to: &writer)
        case .properties(let job):
            writer.write(UInt8(2))
            writer.write(job.extensionHint)
            writer.write(job.size)
        }
    }
}

extension ThumbnailJob {
    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            extensionHint: try reader.text(),
            size: try reader.fileSize(),
            width: Int(try reader.number(UInt32.self)),
            height: Int(try reader.number(UInt32.self)),
            mode: try reader.choice(),
            enlarges: try reader.flag(),
            format: try reader.choice(),
            quality: Int(try reader.number(UInt8.self)),
            page: Int(try reader.number(UInt32.self)),
            position: try reader.optional { reader throws(WireError) in try reader.double() }
        )
        guard (1...16_384).contains(width), (1...16_384).contains(height) else {
            throw WireError("a picture of \(width) × \(height)")
        }
        guard (1...100).contains(quality) else { throw WireError("a quality of \(quality)") }
        guard (1...Int(Int32.max)).contains(page) else { throw WireError("the page \(page)") }
        guard position.map({ (0...1).contains($0) }) ?? true else { throw WireError("a position outside of the video") }
    }

    func write(to writer: inout WireWriter) {
        writer.write(extensionHint)
        writer.write(size)
        writer.write(UInt32(clamping: width))
        writer.write(UInt32(clamping: height))
        writer.write(mode.rawValue)
        writer.write(enlarges)
        writer.write(format.rawValue)
        writer.write(UInt8(clamping: quality))
        writer.write(UInt32(clamping: page))
        writer.write(position) { $0.write($1) }
    }
}

extension WireReader {
    fileprivate mutating func fileSize() throws(WireError) -> Int64 {
        let size: Int64 = try number()
        guard size >= 0 else { throw WireError("a file of \(size) bytes") }
        return size
    }
}
