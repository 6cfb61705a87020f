/// The properties in a colour profile (ICC.1:2022, §7).
struct ColorProfile {
    /// How colours are given: `RGB`, `CMYK`, `Gray`, `Lab`.
    let space: String?
    /// The name.
    let name: String?

    /// Reads a profile.
    ///
    /// - Parameter bytes: All of it, of which only the list of its tags and the name are read.
    /// - Throws: ``DamagedFile`` for what is none; what reading throws.
    init(_ bytes: any RandomBytes) throws {
        let head = try bytes.bytes(at: 0, 132)
        guard FourLetters(head[36..<40]) == "acsp" else { throw DamagedFile("it is no colour profile") }
        space = Self.spaces[FourLetters(head[16..<20])]
        var name: String?
        for index in 0..<min(head[128..<132].number(.big), 200) {
            let entry = try bytes.bytes(at: 132 + index * 12, 12)
            guard FourLetters(entry) == "desc" else { continue }
            let tag = try bytes.part(entry[4..<8].number(.big), entry[8..<12].number(.big))
            name = try Self.description(tag)
        }
        self.name = name
    }

    private static func description(_ tag: PartOfBytes) throws -> String? {
        switch try tag.code(at: 0) {
        case "desc":
            let count = try tag.u32(at: 8)
            return try tag.bytes(at: 12, Int(min(count, tag.count - 12, Int64(Texts.limit)))).text
        case "mluc":
            // In several languages; English if it is among them.
            let count = try tag.u32(at: 8)
            var first: (length: Int64, offset: Int64)?
            for index in 0..<min(count, 100) {
                let record = try tag.bytes(at: 16 + index * 12, 12)
                let place = (record[4..<8].number(.big), record[8..<12].number(.big))
                if record[0] == 0x65, record[1] == 0x6E {
                    first = place
                    break
                }
                first = first ?? place
            }
            guard let first else { return nil }
            return try tag.bytes(at: first.offset, Int(min(first.length, Int64(Texts.limit)))).utf16(.big)
        default: return nil
        }
    }

    private static let spaces: [FourLetters: String] = [
        "RGB ": "RGB", "GRAY": "Gray", "CMYK": "CMYK", "Lab ": "Lab", "XYZ ": "XYZ", "YCbr": "YCbCr",
    ]
}
