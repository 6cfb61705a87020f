/// The properties that programs wrote into a file (XMP, ISO 16684-1).
struct XMPFacts {
    private(set) var texts: [XMLName: [String]] = [:]

    init() {}

    /// Reads a packet.
    ///
    /// - Parameter bytes: The packet, of which what comes before an error is good.
    /// - Throws: ``DamagedFile`` when there is no memory for it.
    init(_ bytes: [UInt8]) throws {
        self = try XMLReader.read(bytes, XMPVisitor()).facts
    }

    fileprivate mutating func add(_ text: String, to name: XMLName) {
        guard let text = Texts.trimmed(text), texts.count < 1000, texts[name, default: []].count < 1000 else { return }
        texts[name, default: []].append(text)
    }

    private func first(_ local: String, _ namespace: String) -> String? { texts[XMLName(local, in: namespace)]?.first }
    private func all(_ local: String, _ namespace: String) -> [String] { texts[XMLName(local, in: namespace)] ?? [] }

    var title: String? { first("title", Spaces.dc) }
    var artist: String? {
        let all = all("creator", Spaces.dc)
        return all.isEmpty ? first("Artist", Spaces.tiff) : all.joined(separator: ", ")
    }
    var copyright: String? { first("rights", Spaces.dc) }
    var keywords: [String] { all("subject", Spaces.dc) }
    var maker: String? { first("Make", Spaces.tiff) }
    var model: String? { first("Model", Spaces.tiff) }
    var lens: String? { first("LensModel", Spaces.exifEX) ?? first("Lens", Spaces.aux) }

    var taken: CivilDate? {
        let dates = [("DateTimeOriginal", Spaces.exif), ("DateCreated", Spaces.photoshop), ("CreateDate", Spaces.xmp)]
        return dates.lazy.compactMap { first($0, $1).flatMap { CivilDate(iso: $0) } }.first
    }

    /// The name of the place.
    var area: String? {
        let parts = [
            first("Location", Spaces.iptc), first("City", Spaces.photoshop), first("State", Spaces.photoshop),
            first("Country", Spaces.photoshop),
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    var location: (latitude: Double, longitude: Double, altitude: Double?)? {
        guard let latitude = first("GPSLatitude", Spaces.exif).flatMap({ Self.degrees($0, "N", "S", 90) }),
            let longitude = first("GPSLongitude", Spaces.exif).flatMap({ Self.degrees($0, "E", "W", 180) })
        else { return nil }
        let altitude = first("GPSAltitude", Spaces.exif).flatMap { Self.fraction($0) }
        let isBelow = first("GPSAltitudeRef", Spaces.exif) == "1"
        return (latitude, longitude, altitude.map { isBelow ? -$0 : $0 })
    }

    /// `48,51.4933N` or `48,51,29.6N`.
    private static func degrees(_ text: String, _ plus: Character, _ minus: Character, _ maximum: Double) -> Double? {
        guard let side = text.last, side == plus || side == minus else { return nil }
        let parts = text.dropLast().split(separator: ",").map { Double($0) ?? .nan }
        guard (2...3).contains(parts.count) else { return nil }
        let sum = parts[0] + parts[1] / 60 + (parts.count > 2 ? parts[2] / 3600 : 0)
        let degrees = (sum * 1e9).rounded() / 1e9
        guard degrees >= 0, degrees <= maximum else { return nil }
        return side == minus ? -degrees : degrees
    }

    private static func fraction(_ text: String) -> Double? {
        let parts = text.split(separator: "/").map { Double($0) ?? .nan }
        let number = parts.count == 2 ? parts[0] / parts[1] : parts.count == 1 ? parts[0] : .nan
        return number.isFinite ? number : nil
    }

    fileprivate enum Spaces {
        static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        static let dc = "http://purl.org/dc/elements/1.1/"
        static let tiff = "http://ns.adobe.com/tiff/1.0/"
        static let exif = "http://ns.adobe.com/exif/1.0/"
        static let exifEX = "http://cipa.jp/exif/1.0/"
        static let aux = "http://ns.adobe.com/exif/1.0/aux/"
        static let xmp = "http://ns.adobe.com/xap/1.0/"
        static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
        static let iptc = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    }
}

/// Properties are attributes or children of a description; those with several values have a list in them.
private struct XMPVisitor: XMLVisitor {
    var facts = XMPFacts()
    let isDone = false
    private var path: [XMLName] = []

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        path.append(name)
        guard name == XMLName("Description", in: XMPFacts.Spaces.rdf) else { return }
        for (name, text) in attributes { facts.add(text, to: name) }
    }

    mutating func end(_ name: XMLName, text: String) {
        path.removeLast()
        let rdf = XMPFacts.Spaces.rdf
        if name == XMLName("li", in: rdf) {
            // …/Description/dc:subject/rdf:Bag/rdf:li
            guard path.count >= 3, path[path.count - 3] == XMLName("Description", in: rdf) else { return }
            facts.add(text, to: path[path.count - 2])
        } else if path.last == XMLName("Description", in: rdf) {
            facts.add(text, to: name)
        }
    }
}
