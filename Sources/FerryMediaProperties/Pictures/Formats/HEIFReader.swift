/// Reads the items of a HEIC or AVIF file (ISO 23008-12, ISO 14496-12 §8.11).
enum HEIFReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        facts.colorModel = "RGB"
        guard let meta = try MediaBox.all(in: file, until: "meta")["meta"] else { throw DamagedFile("it has no items") }
        let boxes = try meta.children(from: 4)
        let primary = try boxes["pitm"].map { try Int64($0.content.number(at: 4, size: $0.version == 0 ? 2 : 4, .big)) }
        if let primary, let properties = boxes["iprp"] {
            for property in try self.properties(of: primary, in: properties) {
                _ = try ignoringDamage { try read(property, &facts) }
            }
        }
        let items = try ignoringDamage { try self.items(boxes) } ?? []
        for item in items.prefix(4) {
            guard let bytes = try ignoringDamage({ try item.bytes(in: file, data: boxes["idat"]) }) else { continue }
            if item.isXMP { try facts.readXMP(bytes) }
            if item.isExif { _ = try ignoringDamage { try readExif(bytes, &facts) } }
        }
        // The camera's word on this is for programs that don't turn the picture as the file says.
        facts.orientation = facts.orientation ?? 1
        return facts
    }

    /// ISO 23008-12, Annex A.2.1: how far the TIFF structure is behind the four bytes that say so.
    private static func readExif(_ bytes: any RandomBytes, _ facts: inout PictureFacts) throws {
        let start = try 4 + bytes.u32(at: 0)
        guard start < bytes.count else { return }
        try facts.readExif(PartOfBytes(base: bytes, start: start, count: bytes.count - start))
    }

    // MARK: Properties

    /// The properties of an item, in their order.
    private static func properties(of item: Int64, in box: MediaBox) throws -> [MediaBox] {
        let children = try box.children()
        let all = try children["ipco"]?.children() ?? []
        for association in children where association.kind == "ipma" {
            let (version, flags) = (try association.version, try association.flags)
            let (idSize, indexSize) = (version < 1 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
            let table = try association.content.all(upTo: 256 << 10)
            var offset = 8
            for _ in 0..<(try association.content.u32(at: 4)) {
                guard offset + idSize < table.count else { break }
                let id = table[offset..<(offset + idSize)].number(.big)
                let count = Int(table[offset + idSize])
                offset += idSize + 1
                guard offset + count * indexSize <= table.count else { break }
                if id == item {
                    return (0..<count).compactMap { number in
                        let start = offset + number * indexSize
                        let index = table[start..<(start + indexSize)].number(.big) & (indexSize == 1 ? 0x7F : 0x7FFF)
                        return index > 0 && index <= all.count ? all[Int(index) - 1] : nil
                    }
                }
                offset += count * indexSize
            }
        }
        return []
    }

    private static func read(_ property: MediaBox, _ facts: inout PictureFacts) throws {
        let content = property.content
        switch property.kind {
        case "ispe": facts.size = (try content.u32(at: 4), try content.u32(at: 8))
        case "pixi":
            let count = try content.byte(at: 4)
            if count > 0 { facts.depth = Int64(try content.byte(at: 5)) }
            if count == 1 { facts.colorModel = "Gray" }
        case "irot": facts.orientation = [1, 8, 3, 6][try content.byte(at: 0) & 3]
        case "av1C" where facts.depth == nil:
            let bits = try content.byte(at: 2)
            facts.depth = bits & 0x40 == 0 ? 8 : bits & 0x20 == 0 ? 10 : 12
        case "hvcC" where facts.depth == nil: facts.depth = Int64(try content.byte(at: 17) & 7) + 8
        case "colr":
            switch try content.code(at: 0) {
            case "prof", "rICC": try facts.readProfile(content.part(4, content.count - 4))
            case "nclx":
                // ITU-T H.273: primaries and transfer of sRGB; the primaries of Display P3, of BT.2020.
                switch (try content.u16(at: 4), try content.u16(at: 6)) {
                case (1, 13): facts.colorSpace = "sRGB"
                case (12, 13): facts.colorSpace = "Display P3"
                case (9, _): facts.colorSpace = "BT.2020"
                default: break
                }
            default: break
            }
        default: break
        }
    }

    // MARK: Items

    private struct Item {
        var id: Int64
        var isExif = false
        var isXMP = false
        var isInData = false
        var extents: [(offset: Int64, length: Int64)] = []

        func bytes(in file: any RandomBytes, data: MediaBox?) throws -> PiecedBytes {
            var pieces = PiecedBytes()
            for extent in extents {
                if isInData {
                    guard let data else { throw DamagedFile.ends }
                    pieces.append(try data.content.part(extent.offset, extent.length))
                } else {
                    pieces.append(try file.part(extent.offset, extent.length))
                }
            }
            return pieces
        }
    }

    /// The items that say something about the picture.
    private static func items(_ boxes: [MediaBox]) throws -> [Item] {
        guard let list = boxes["iinf"], let places = boxes["iloc"] else { return [] }
        var items: [Int64: Item] = [:]
        for entry in try list.children(from: list.version == 0 ? 6 : 8) where entry.kind == "infe" {
            let version = try entry.version
            guard version >= 2 else { continue }
            let wide: Int64 = version == 2 ? 2 : 4
            var item = Item(id: try entry.content.number(at: 4, size: Int(wide), .big))
            let kind = try entry.content.code(at: 4 + wide + 2)
            item.isExif = kind == "Exif"
            if kind == "mime" {
                let names = try entry.content.part(4 + wide + 6, entry.content.count - 10 - wide).all(upTo: 256)
                item.isXMP =
                    names.split(separator: 0, omittingEmptySubsequences: false).dropFirst().first?.text
                    == "application/rdf+xml"
            }
            if item.isExif || item.isXMP { items[item.id] = item }
        }
        try locate(&items, places)
        return items.values.sorted { $0.id < $1.id }
    }

    /// §8.11.3: where the items' bytes are.
    private static func locate(_ items: inout [Int64: Item], _ box: MediaBox) throws {
        let version = try box.version
        guard version <= 2 else { return }
        let table = MemoryBytes(try box.content.all(upTo: 1 << 20))
        var offset: Int64 = 4
        func next(_ size: Int) throws -> Int64 {
            defer { offset += Int64(size) }
            return size == 0 ? 0 : try table.number(at: offset, size: size, .big)
        }
        let sizes = Int(try next(2))
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else { return }
        for _ in 0..<(try next(version < 2 ? 2 : 4)) {
            let id = try next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try next(2) & 15
            _ = try next(2)
            let base = try next(baseSize)
            var extents: [(Int64, Int64)] = []
            let count = try next(2)
            // Nothing that we read is in more pieces, and they may take no bytes at all.
            guard count <= 64 else { throw DamagedFile("an item is in too many pieces") }
            for _ in 0..<count {
                _ = try next(indexSize)
                let (start, isOver) = base.addingReportingOverflow(try next(offsetSize))
                extents.append((isOver ? .max : start, try next(lengthSize)))
            }
            guard method <= 1 else { continue }
            items[id]?.isInData = method == 1
            items[id]?.extents = extents
        }
    }
}
