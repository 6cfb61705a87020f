/// A box of a file in the ISO base media format (ISO 14496-12, §4.2).
struct MediaBox {
    let kind: FourLetters
    let content: PartOfBytes

    /// The version in front of a full box's content.
    var version: Int { get throws { try content.byte(at: 0) } }

    /// The flags in front of a full box's content.
    var flags: Int64 { get throws { try content.number(at: 1, size: 3, .big) } }

    /// The boxes in it, before which some bytes come.
    func children(from start: Int64 = 0) throws -> [MediaBox] {
        try Self.all(in: content, from: start)
    }

    /// The boxes in some bytes; one that announces more than there is ends with them.
    static func all(in bytes: any RandomBytes, from start: Int64 = 0, until last: FourLetters? = nil) throws
        -> [MediaBox]
    {
        var boxes: [MediaBox] = []
        var offset = start
        while bytes.count - offset >= 8, boxes.count < 10_000 {
            let head = try bytes.bytes(at: offset, 8)
            var length = head[0..<4].number(.big)
            var skip: Int64 = 8
            if length == 1 {
                guard bytes.count - offset >= 16 else { break }
                length = try bytes.number(at: offset + 8, size: 8, .big)
                skip = 16
            } else if length == 0 {
                length = bytes.count - offset
            }
            guard length >= skip else { break }
            let count = min(length, bytes.count - offset)
            let box = MediaBox(
                kind: FourLetters(head[4..<8]),
                content: PartOfBytes(base: bytes, start: offset + skip, count: count - skip)
            )
            boxes.append(box)
            if box.kind == last { break }
            offset += count
        }
        return boxes
    }
}

extension [MediaBox] {
    subscript(kind: FourLetters) -> MediaBox? { first { $0.kind == kind } }
}
