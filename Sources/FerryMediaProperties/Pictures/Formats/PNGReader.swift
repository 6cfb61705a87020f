/// Reads a PNG's chunks (PNG, third edition); those of pixels are passed over.
enum PNGReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        let head = try file.bytes(at: 16, 10)
        facts.size = (head[0..<4].number(.big), head[4..<8].number(.big))
        facts.depth = Int64(head[8])
        facts.colorModel = [0: "Gray", 2: "RGB", 3: "RGB", 4: "Gray", 6: "RGB"][head[9]]
        // A palette's colours have eight bits, however few its numbers have.
        if head[9] == 3 { facts.depth = 8 }
        var offset: Int64 = 8
        var pixelChunks = 0
        // Where there are too many chunks to look behind the pixels, what came before them is what there is.
        _ = try ignoringDamage {
            while pixelChunks < 32 {
                let chunk = try file.bytes(at: offset, 8)
                let length = chunk[0..<4].number(.big)
                let kind = FourLetters(chunk[4..<8])
                if kind == "IEND" { break }
                let data = try file.part(offset + 8, length)
                if kind == "IDAT" {
                    pixelChunks += 1
                } else {
                    _ = try ignoringDamage { try read(kind, data, &facts) }
                }
                offset += 12 + length
            }
        }
        return facts
    }

    private static func read(_ kind: FourLetters, _ data: PartOfBytes, _ facts: inout PictureFacts) throws {
        switch kind {
        case "pHYs":
            let numbers = try data.bytes(at: 0, 9)
            let (x, y) = (Double(numbers[0..<4].number(.big)), Double(numbers[4..<8].number(.big)))
            if numbers[8] == 1, x > 0, y > 0 { facts.resolution = (dots(x), dots(y)) }
        case "sRGB": facts.colorSpace = "sRGB"
        case "iCCP":
            let all = try data.all(upTo: 4 << 20)
            guard let end = all.firstIndex(of: 0), end + 2 <= all.count else { return }
            let profile = try Inflating.zlib(Array(all[(end + 2)...]), upTo: 1 << 20)
            try facts.readProfile(MemoryBytes(profile))
        case "eXIf": try facts.readExif(data)
        case "tEXt", "zTXt", "iTXt":
            guard let (key, text) = try text(kind, data) else { return }
            try keep(key, text, &facts)
        default: break
        }
    }

    /// Metres to inches; 300 dpi can't be written exactly, and is meant nevertheless.
    private static func dots(_ perMetre: Double) -> Double {
        let dots = perMetre * 0.0254
        return abs(dots - dots.rounded()) < 0.02 ? dots.rounded() : dots
    }

    /// §11.3.3: a keyword, and a text that may be compressed.
    private static func text(_ kind: FourLetters, _ data: PartOfBytes) throws -> (String, [UInt8])? {
        let all = try data.all(upTo: 512 << 10)
        guard let end = all.firstIndex(of: 0), end > 0, end < 80 else { return nil }
        let key = Texts.latin1(Array(all[..<end]))
        var rest = Array(all[(end + 1)...])
        switch kind {
        case "tEXt": return (key, rest)
        case "zTXt":
            guard rest.first == 0 else { return nil }
            return (key, try Inflating.zlib(Array(rest.dropFirst()), upTo: 1 << 20))
        default:
            guard rest.count >= 2 else { return nil }
            let isCompressed = rest[0] == 1
            rest.removeFirst(2)
            // A language, and the keyword in it.
            for _ in 0..<2 {
                guard let end = rest.firstIndex(of: 0) else { return nil }
                rest.removeSubrange(...end)
            }
            return (key, isCompressed ? try Inflating.zlib(rest, upTo: 1 << 20) : rest)
        }
    }

    private static func keep(_ key: String, _ text: [UInt8], _ facts: inout PictureFacts) throws {
        switch key {
        case "XML:com.adobe.xmp": try facts.readXMP(MemoryBytes(text))
        case "Raw profile type exif", "Raw profile type APP1":
            guard let exif = hexadecimal(text), exif.starts(with: Array("Exif\0\0".utf8)) else { return }
            try facts.readExif(MemoryBytes(Array(exif.dropFirst(6))))
        case "Title": facts.texts["title"] = text.text
        case "Author": facts.texts["artist"] = text.text
        case "Copyright": facts.texts["copyright"] = text.text
        case "Comment", "Description": facts.texts["comment"] = facts.texts["comment"] ?? text.text
        case "Creation Time":
            facts.date = text.text.flatMap { CivilDate(iso: $0) ?? CivilDate(exif: $0) }
        default: break
        }
    }

    /// ImageMagick's way: a name, a length, and the bytes in hexadecimal digits, a line each.
    private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard lines.count > 2 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for letter in lines.dropFirst(2).joined() {
            guard let digit = Character(Unicode.Scalar(letter)).hexDigitValue else { continue }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return bytes
    }
}
