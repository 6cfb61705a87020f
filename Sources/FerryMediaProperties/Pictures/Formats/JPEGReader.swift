/// Reads the segments in front of a JPEG's pixels (ITU-T T.81, Annex B); only those that say something are fetched.
enum JPEGReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        var profile: [(number: UInt8, part: PartOfBytes)] = []
        var components = 0
        var offset: Int64 = 2
        while let head = try ignoringDamage({ try file.bytes(at: offset, 4) }), head[0] == 0xFF {
            if head[1] == 0xFF || head[1] == 0x01 || (0xD0...0xD7).contains(head[1]) {
                offset += head[1] == 0xFF ? 1 : 2
                continue
            }
            let length = head[2..<4].number(.big)
            // The pixels begin, or the file ends.
            if head[1] == 0xDA || head[1] == 0xD9 || length < 2 { break }
            guard let segment = try ignoringDamage({ try file.part(offset + 4, length - 2) }) else { break }
            switch head[1] {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: components = try readFrame(segment, &facts)
            case 0xE0: try readJFIF(segment, &facts)
            case 0xE1: try readApplication1(segment, &facts)
            case 0xE2: if profile.count < 255, let part = try profilePart(segment) { profile.append(part) }
            case 0xED: try readPhotoshop(segment, &facts)
            case 0xFE: facts.texts["comment"] = try segment.all(upTo: Texts.limit).text
            default: break
            }
            offset += 2 + length
        }
        try readProfile(profile, &facts)
        facts.colorModel = [1: "Gray", 3: "RGB", 4: "CMYK"][components]
        return facts
    }

    private static func starts(_ segment: PartOfBytes, with name: String) throws -> Bool {
        let name = Array(name.utf8)
        return segment.count >= name.count ? try segment.bytes(at: 0, name.count) == name : false
    }

    /// §B.2.2: the size, and what pixels are made of.
    private static func readFrame(_ segment: PartOfBytes, _ facts: inout PictureFacts) throws -> Int {
        guard let head = try ignoringDamage({ try segment.bytes(at: 0, 6) }) else { return 0 }
        facts.depth = Int64(head[0])
        facts.size = (head[3..<5].number(.big), head[1..<3].number(.big))
        return Int(head[5])
    }

    /// JFIF 1.02: how many dots an inch or a centimetre has.
    private static func readJFIF(_ segment: PartOfBytes, _ facts: inout PictureFacts) throws {
        guard try starts(segment, with: "JFIF\0"), segment.count >= 12 else { return }
        let head = try segment.bytes(at: 7, 5)
        let (x, y) = (Double(head[1..<3].number(.big)), Double(head[3..<5].number(.big)))
        guard x > 0, y > 0 else { return }
        if head[0] == 1 { facts.resolution = (x, y) }
        if head[0] == 2 { facts.resolution = (x * 2.54, y * 2.54) }
    }

    private static func readApplication1(_ segment: PartOfBytes, _ facts: inout PictureFacts) throws {
        let adobe = "http://ns.adobe.com/xap/1.0/\0"
        if try starts(segment, with: "Exif\0") {
            if segment.count > 6 { try facts.readExif(segment.part(6, segment.count - 6)) }
        } else if try starts(segment, with: adobe) {
            try facts.readXMP(segment.part(Int64(adobe.utf8.count), segment.count - Int64(adobe.utf8.count)))
        }
    }

    /// ICC.1:2022, Annex B.4: a profile may be in several segments, which are numbered.
    private static func profilePart(_ segment: PartOfBytes) throws -> (number: UInt8, part: PartOfBytes)? {
        guard try starts(segment, with: "ICC_PROFILE\0"), segment.count > 14 else { return nil }
        return (try segment.bytes(at: 12, 1)[0], try segment.part(14, segment.count - 14))
    }

    private static func readProfile(
        _ parts: [(number: UInt8, part: PartOfBytes)],
        _ facts: inout PictureFacts
    ) throws {
        var profile = PiecedBytes()
        for part in parts.sorted(by: { $0.number < $1.number }) { profile.append(part.part) }
        if profile.count > 0 { try facts.readProfile(profile) }
    }

    private static func readPhotoshop(_ segment: PartOfBytes, _ facts: inout PictureFacts) throws {
        let name = "Photoshop 3.0\0"
        guard try starts(segment, with: name) else { return }
        facts.iptc = IPTCFacts(photoshop: Array(try segment.all(upTo: 64 << 10).dropFirst(name.utf8.count)))
    }
}
