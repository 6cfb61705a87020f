import FerryMediaWire

/// The facts found in a picture's file, wherever they were.
struct PictureFacts {
    /// Pixels, as they are stored.
    var size: (width: Int64, height: Int64)?
    /// Dots per inch, as the format itself has them.
    var resolution: (x: Double, y: Double)?
    /// How it is to be turned, where the format itself says so.
    var orientation: Int64?
    /// The colour model of the pixels: `RGB`, `CMYK`, `Gray`.
    var colorModel: String?
    /// The name of the colour space, where the format itself says it.
    var colorSpace: String?
    /// Bits for each channel.
    var depth: Int64?
    var profile: ColorProfile?
    var exif = ExifFacts()
    var xmp = XMPFacts()
    var iptc = IPTCFacts()
    /// Texts of the format itself, by the names of properties.
    var texts: [String: String] = [:]
    /// When it was made, by the format's own words.
    var date: CivilDate?

    /// The properties, in the order in which to show them.
    var properties: PropertyList {
        var list = PropertyList()
        if let size, size.width > 0, size.height > 0 {
            list.add("dimensions", .size(Double(size.width), Double(size.height)))
        }
        list.add("resolution", (exif.resolution ?? resolution).map { .size($0.x, $0.y) })
        list.add("orientation", integer: orientation ?? exif.orientation)
        list.add("title", text: xmp.title ?? iptc.title ?? exif.title ?? texts["title"])
        list.add("deviceMaker", text: exif.maker ?? xmp.maker)
        list.add("deviceModel", text: exif.model ?? xmp.model)
        list.add("lens", text: exif.lens ?? xmp.lens)
        list.add("artist", text: exif.artist ?? xmp.artist ?? iptc.artist ?? texts["artist"])
        list.add("copyright", text: exif.copyright ?? xmp.copyright ?? iptc.copyright ?? texts["copyright"])
        list.add("dateTaken", date: exif.taken ?? xmp.taken ?? date)
        let location = exif.location ?? xmp.location
        list.add(
            "location",
            location.map { .location(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude) }
        )
        list.add("area", text: exif.area ?? xmp.area ?? iptc.area)
        list.add("colorSpace", text: exif.colorSpace ?? colorSpace ?? profile?.space ?? colorModel)
        list.add("colorDepth", integer: depth)
        list.add("colorProfile", text: profile?.name)
        list.add("focalLength", exif.focalLength)
        list.add("whiteBalance", exif.whiteBalance.map { .word($0) })
        list.add("fNumber", exif.fNumber)
        list.add("exposureProgram", exif.exposureProgram.map { .word($0) })
        list.add("exposureTime", exif.exposureTime)
        list.add("isoSpeed", integer: exif.isoSpeed)
        list.add("keywords", texts: keywords)
        list.add("comment", text: exif.description ?? texts["comment"])
        return list
    }

    private var keywords: [String] {
        [xmp.keywords, iptc.keywords, exif.keywords].first { !$0.isEmpty } ?? []
    }

    // MARK: Blocks that several formats embed in the same way

    /// Reads EXIF that a format embeds; damage in it keeps nothing else from being read.
    mutating func readExif(_ bytes: any RandomBytes) throws {
        exif = try ignoringDamage { try ExifFacts(bytes) } ?? exif
    }

    /// Reads XMP that a format embeds.
    mutating func readXMP(_ bytes: any RandomBytes) throws {
        xmp = try ignoringDamage { try XMPFacts(bytes.all(upTo: 128 << 10)) } ?? xmp
    }

    /// Reads a colour profile that a format embeds.
    mutating func readProfile(_ bytes: any RandomBytes) throws {
        profile = try ignoringDamage { try ColorProfile(bytes) } ?? profile
    }
}

/// Returns what something gives, or `nil` if the file is damaged there; errors of reading are thrown on.
func ignoringDamage<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
        return try body()
    } catch is DamagedFile {
        return nil
    }
}
