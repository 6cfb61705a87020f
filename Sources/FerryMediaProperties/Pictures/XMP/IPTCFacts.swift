/// The properties that an editor wrote into a picture (IPTC IIM 4.2).
struct IPTCFacts {
    var title: String?
    var artist: String?
    var copyright: String?
    var keywords: [String] = []
    private var place: String?
    private var city: String?
    private var state: String?
    private var country: String?

    /// The name of the place.
    var area: String? {
        let parts = [place, city, state, country].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    init() {}

    /// Reads data sets up to the first that is none.
    init(_ bytes: [UInt8]) {
        var index = 0
        while index + 5 <= bytes.count, bytes[index] == 0x1C {
            let length = Int(bytes[(index + 3)..<(index + 5)].number(.big))
            // Lengths with the highest bit set are those of data longer than 32 KiB.
            guard length < 0x8000, index + 5 + length <= bytes.count else { return }
            let text = bytes[(index + 5)..<(index + 5 + length)].text
            if bytes[index + 1] == 2 { keep(text, as: bytes[index + 2]) }
            index += 5 + length
        }
    }

    /// Reads Photoshop's resources, in one of which the data sets are.
    init(photoshop bytes: [UInt8]) {
        var index = 0
        while index + 12 <= bytes.count, FourLetters(bytes[index...]) == "8BIM" {
            let kind = bytes[(index + 4)..<(index + 6)].number(.big)
            // A name with its length in front, an even number of bytes in all.
            let name = (Int(bytes[index + 6]) + 2) & ~1
            let start = index + 6 + name + 4
            guard start <= bytes.count else { break }
            let length = Int(bytes[(start - 4)..<start].number(.big))
            guard length <= bytes.count - start else { break }
            if kind == 0x0404 {
                self.init(Array(bytes[start..<(start + length)]))
                return
            }
            index = start + (length + 1) & ~1
        }
        self.init()
    }

    private mutating func keep(_ text: String?, as dataSet: UInt8) {
        guard let text else { return }
        switch dataSet {
        case 5: title = title ?? text
        case 25: if keywords.count < 1000 { keywords.append(text) }
        case 80: artist = artist ?? text
        case 116: copyright = copyright ?? text
        case 90: city = city ?? text
        case 92: place = place ?? text
        case 95: state = state ?? text
        case 101: country = country ?? text
        default: break
        }
    }
}
