/// Reads a WebP's chunks (RFC 9649, §2).
enum WebPReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        facts.colorModel = "RGB"
        facts.depth = 8
        var offset: Int64 = 12
        _ = try ignoringDamage {
            while offset + 8 <= file.count {
                let chunk = try file.bytes(at: offset, 8)
                let length = chunk[4..<8].number(.little)
                let data = PartOfBytes(base: file, start: offset + 8, count: min(length, file.count - offset - 8))
                _ = try ignoringDamage { try read(FourLetters(chunk), data, &facts) }
                offset += 8 + (length + 1) & ~1
            }
        }
        return facts
    }

    private static func read(_ kind: FourLetters, _ data: PartOfBytes, _ facts: inout PictureFacts) throws {
        switch kind {
        case "VP8X":
            let head = try data.bytes(at: 4, 6)
            facts.size = (head[0..<3].number(.little) + 1, head[3..<6].number(.little) + 1)
        case "VP8 ":
            let head = try data.bytes(at: 6, 4)
            let size = (head[0..<2].number(.little) & 0x3FFF, head[2..<4].number(.little) & 0x3FFF)
            facts.size = facts.size ?? size
        case "VP8L":
            let bits = try data.bytes(at: 1, 4).number(.little)
            facts.size = facts.size ?? ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "ICCP": try facts.readProfile(data)
        case "XMP ": try facts.readXMP(data)
        case "EXIF":
            // Some programs put JPEG's name of it in front.
            let isNamed = try data.count > 6 && data.bytes(at: 0, 6) == Array("Exif\0\0".utf8)
            try facts.readExif(isNamed ? data.part(6, data.count - 6) : data)
        default: break
        }
    }
}
