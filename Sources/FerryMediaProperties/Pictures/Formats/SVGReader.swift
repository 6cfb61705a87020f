/// Reads the outermost element of an SVG (SVG 1.1, §5 and §7), and nothing that it refers to.
enum SVGReader {
    /// Where nothing was found so far, nothing will be.
    private static let limit = 256 << 10

    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        let start = try file.all(upTo: limit)
        let isPacked = start.starts(with: [0x1F, 0x8B])
        let root = try XMLReader.read(isPacked ? Inflating.zlib(start, upTo: limit) : start, SVGRoot())
        guard root.isFound else { throw DamagedFile("it is no SVG") }
        facts.size = root.size
        facts.texts["title"] = root.title
        facts.texts["comment"] = root.description
        return facts
    }
}

private struct SVGRoot: XMLVisitor {
    private(set) var isFound = false
    private(set) var size: (width: Int64, height: Int64)?
    private(set) var title: String?
    private(set) var description: String?
    private(set) var isDone = false
    private var depth = 0

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        depth += 1
        guard depth == 1 else {
            // A title comes before what is drawn.
            isDone = depth == 2 && !["title", "desc", "metadata", "defs", "style", "script"].contains(name.local)
            return
        }
        isFound = name.local == "svg"
        isDone = !isFound
        size = Self.size(attributes)
    }

    mutating func end(_ name: XMLName, text: String) {
        if depth == 2, name.local == "title" { title = title ?? text }
        if depth == 2, name.local == "desc" { description = description ?? text }
        depth -= 1
    }

    /// Its own size; where it has none, that of what it shows.
    private static func size(_ attributes: [XMLName: String]) -> (width: Int64, height: Int64)? {
        let box = attributes[XMLName("viewBox")]?.split { $0 == " " || $0 == "," || $0.isNewline }
            .compactMap { Double($0) }
        let width = attributes[XMLName("width")].flatMap { pixels($0) }
        let height = attributes[XMLName("height")].flatMap { pixels($0) }
        let sides = box.flatMap { $0.count == 4 && $0[2] > 0 && $0[3] > 0 ? ($0[2], $0[3]) : nil }
        // With one side, the other follows from the shape.
        let x = width ?? sides.map { box in height.map { $0 * box.0 / box.1 } ?? box.0 }
        let y = height ?? sides.map { box in width.map { $0 * box.1 / box.0 } ?? box.1 }
        guard let x, let y, x > 0, y > 0, x < 1e9, y < 1e9 else { return nil }
        return (Int64(x.rounded()), Int64(y.rounded()))
    }

    /// CSS 2.1, §4.3.2; a share of what surrounds it says nothing.
    private static func pixels(_ text: String) -> Double? {
        let units: [String: Double] = [
            "": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
        ]
        let number = text.prefix { $0.isASCII && ($0.isNumber || ".+-eE".contains($0)) }
        // `em` begins as an exponent does.
        guard let unit = units[text.dropFirst(number.count).trimmed], let length = Double(number), length.isFinite
        else { return nil }
        return length * unit
    }
}

extension Substring {
    fileprivate var trimmed: String { Texts.trimmed(self) ?? "" }
}
