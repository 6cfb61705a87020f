import FerryMediaWire

/// The properties that a camera wrote into a picture (EXIF 2.32, §4.6).
struct ExifFacts {
    var width: Int64?
    var height: Int64?
    var orientation: Int64?
    /// Dots per inch.
    var resolution: (x: Double, y: Double)?
    var maker: String?
    var model: String?
    var lens: String?
    var artist: String?
    var copyright: String?
    var description: String?
    var title: String?
    var keywords: [String] = []
    var taken: CivilDate?
    var location: (latitude: Double, longitude: Double, altitude: Double?)?
    var area: String?
    var colorSpace: String?
    var focalLength: PropertyEntryValue?
    var whiteBalance: String?
    var fNumber: PropertyEntryValue?
    var exposureProgram: String?
    var exposureTime: PropertyEntryValue?
    var isoSpeed: Int64?

    init() {}

    /// Reads what is in a TIFF structure.
    ///
    /// - Parameter bytes: The structure, from its byte order on.
    /// - Throws: ``DamagedFile`` for what is none; what reading throws.
    init(_ bytes: any RandomBytes) throws {
        let file = try TIFFLayout(bytes)
        try self.init(TIFFDirectory(at: file.first, in: file), in: file)
    }

    /// Reads what is in a picture's main directory, and those it points to.
    init(_ main: TIFFDirectory, in file: TIFFLayout) throws {
        let exif = try file.directory(of: main[0x8769])
        try readMain(main)
        try readCapture(exif)
        try readDate(main, exif)
        try readPosition(file.directory(of: main[0x8825]))
    }

    private mutating func readMain(_ main: TIFFDirectory) throws {
        maker = try main[0x10F]?.text
        model = try main[0x110]?.text
        description = try main[0x10E]?.text
        orientation = try main[0x112]?.integer.flatMap { (1...8).contains($0) ? $0 : nil }
        resolution = try Self.resolution(main)
        title = try main[0x9C9B]?.wideText
        artist = try main[0x13B]?.text ?? main[0x9C9D]?.wideText
        keywords = try main[0x9C9E]?.wideText?.split(separator: ";").compactMap { Texts.trimmed($0) } ?? []
        copyright = try Self.copyright(main[0x8298])
    }

    private mutating func readCapture(_ exif: TIFFDirectory) throws {
        width = try exif[0xA002]?.integer
        height = try exif[0xA003]?.integer
        lens = try exif[0xA434]?.text ?? Self.lens(exif[0xA432])
        exposureTime = try exif[0x829A]?.fraction
        fNumber = try exif[0x829D]?.fraction
        focalLength = try exif[0x920A]?.fraction
        exposureProgram = try exif[0x8822]?.integer.flatMap { Self.programs[$0] }
        whiteBalance = try exif[0xA403]?.integer.flatMap { [0: "auto", 1: "manual"][$0] }
        // 16 bits were too few: where they are used up, the number is in another field.
        let speed = try exif[0x8827]?.integer
        isoSpeed = try speed == 65535 ? exif[0x8833]?.integer ?? exif[0x8832]?.integer ?? speed : speed
        switch try exif[0xA001]?.integer {
        case 1: colorSpace = "sRGB"
        case 2: colorSpace = "Adobe RGB"
        default: break
        }
    }

    private mutating func readDate(_ main: TIFFDirectory, _ exif: TIFFDirectory) throws {
        let dates = [
            (exif[0x9003], exif[0x9291], exif[0x9011]), (exif[0x9004], exif[0x9292], exif[0x9012]),
            (main[0x132], exif[0x9290], exif[0x9010]),
        ]
        for (date, fraction, zone) in dates {
            guard let text = try date?.text else { continue }
            taken = try CivilDate(exif: text, fraction: fraction?.text, zone: zone?.text)
            if taken != nil { return }
        }
    }

    private mutating func readPosition(_ gps: TIFFDirectory) throws {
        area = try Self.area(gps[0x1C])
        guard let latitude = try Self.degrees(gps[2], gps[1], negative: "S", 90),
            let longitude = try Self.degrees(gps[4], gps[3], negative: "W", 180)
        else { return }
        let altitude = try gps[6]?.number.map { try gps[5]?.integer == 1 ? -$0 : $0 }
        location = (latitude, longitude, altitude)
    }

    // MARK: Single fields

    static func resolution(_ main: TIFFDirectory) throws -> (x: Double, y: Double)? {
        guard let x = try main[0x11A]?.number, let y = try main[0x11B]?.number, x > 0, y > 0 else { return nil }
        switch try main[0x128]?.integer ?? 2 {
        case 2: return (x, y)
        case 3: return (x * 2.54, y * 2.54)
        default: return nil
        }
    }

    /// The photographer's rights, and, behind a NUL, the editor's.
    private static func copyright(_ field: TIFFField?) throws -> String? {
        guard let field, [1, 2, 7].contains(field.type) else { return nil }
        let all = try field.bytes.bytes(at: 0, min(field.length, Texts.limit))
        let parts = all.split(separator: 0).compactMap { $0.text }
        return parts.isEmpty ? nil : parts.prefix(2).joined(separator: ", ")
    }

    /// A lens by its shortest and longest focal length, and how far it opens at both.
    private static func lens(_ field: TIFFField?) throws -> String? {
        guard let field, field.type == 5 else { return nil }
        let numbers = try field.fractions(upTo: 2).map { Double($0.numerator) / Double($0.denominator) }
        guard numbers.count == 2, numbers[0] > 0, numbers[1] >= numbers[0] else { return nil }
        let (short, long) = (plain(numbers[0]), plain(numbers[1]))
        return short == long ? "\(short) mm" : "\(short)–\(long) mm"
    }

    private static func plain(_ number: Double) -> String {
        let tenths = (number * 10).rounded()
        guard tenths < 1e9 else { return "?" }
        return tenths.truncatingRemainder(dividingBy: 10) == 0 ? "\(Int(tenths) / 10)" : "\(tenths / 10)"
    }

    /// Degrees, minutes, seconds, and a letter that says to which side.
    private static func degrees(
        _ field: TIFFField?,
        _ side: TIFFField?,
        negative: String,
        _ maximum: Double
    ) throws -> Double? {
        guard let parts = try field?.fractions(upTo: 3), !parts.isEmpty, field?.length ?? 0 >= 8 else { return nil }
        var degrees = 0.0
        var unit = 1.0
        for part in parts {
            degrees += Double(part.numerator) / Double(part.denominator) / unit
            unit *= 60
        }
        guard degrees.isFinite, degrees >= 0, degrees <= maximum else { return nil }
        // A tenth of a millimetre is enough, and spares people digits that nobody measured.
        degrees = (degrees * 1e9).rounded() / 1e9
        return try side?.text?.uppercased().hasPrefix(negative) == true ? -degrees : degrees
    }

    /// A text behind eight bytes that name its encoding.
    private static func area(_ field: TIFFField?) throws -> String? {
        guard let field, field.length > 8 else { return nil }
        let all = try field.bytes.bytes(at: 0, min(field.length, Texts.limit))
        let (name, words) = (all[..<8], all[8...])
        if name.starts(with: Array("UNICODE".utf8)) {
            if words.starts(with: [0xFE, 0xFF]) { return words.dropFirst(2).utf16(.big) }
            if words.starts(with: [0xFF, 0xFE]) { return words.dropFirst(2).utf16(.little) }
            return words.utf16(field.file.order)
        }
        return name.starts(with: Array("ASCII".utf8)) || name.allSatisfy { $0 == 0 } ? words.text : nil
    }

    private static let programs: [Int64: String] = [
        1: "manual", 2: "normal", 3: "aperturePriority", 4: "shutterPriority", 5: "creative", 6: "action",
        7: "portrait", 8: "landscape", 9: "bulb",
    ]
}
