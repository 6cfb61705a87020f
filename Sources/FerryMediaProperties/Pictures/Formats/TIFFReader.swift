/// Reads the first picture's directory of a TIFF file (TIFF 6.0, and BigTIFF).
enum TIFFReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        let layout = try TIFFLayout(file)
        let main = try TIFFDirectory(at: layout.first, in: layout)
        var facts = PictureFacts()
        facts.exif = try ExifFacts(main, in: layout)
        if let width = try main[0x100]?.integer, let height = try main[0x101]?.integer { facts.size = (width, height) }
        facts.depth = try main[0x102]?.integer ?? 1
        facts.colorModel = try main[0x106]?.integer.flatMap { models[$0] }
        if let profile = main[0x8773] { try facts.readProfile(profile.bytes) }
        if let packet = main[0x2BC] { try facts.readXMP(packet.bytes) }
        if let sets = main[0x83BB] { facts.iptc = IPTCFacts(try sets.bytes.all(upTo: 64 << 10)) }
        return facts
    }

    /// The colour models of photometric interpretations.
    private static let models: [Int64: String] = [
        0: "Gray", 1: "Gray", 2: "RGB", 3: "RGB", 5: "CMYK", 6: "RGB", 8: "Lab",
    ]
}
