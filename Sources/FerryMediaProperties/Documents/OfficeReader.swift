import FerryMediaWire

/// Reads the properties of office documents that are ZIP files: those of Office Open XML (ISO 29500) and OpenDocument.
struct OfficeReader {
    /// No file of properties is longer.
    private static let limit = 1 << 20
    /// No document's slides are counted further.
    private static let contentLimit = 64 << 20

    private let directory: ZIPDirectory
    private let contents: ZIPReader.Contents

    init(_ directory: ZIPDirectory, _ contents: ZIPReader.Contents) {
        self.directory = directory
        self.contents = contents
    }

    /// The document's properties; `nil` for a ZIP file that is no document.
    func read() throws -> PropertyList? {
        let known = contents.known
        if ["word/document.xml", "xl/workbook.xml", "ppt/presentation.xml"].contains(where: { known[$0] != nil }) {
            return try readOpenXML()
        }
        guard let type = try mediaType() else { return nil }
        if type.hasPrefix("application/epub+zip") { return try readBook() }
        guard type.hasPrefix("application/vnd.oasis.opendocument.") else { return nil }
        return try readOpenDocument(type)
    }

    private func mediaType() throws -> String? {
        guard let entry = contents.known["mimetype"] else { return nil }
        return try ignoringDamage { try directory.contents(of: entry, upTo: 256) }?.text
    }

    /// The texts of a file's elements; none if it isn't there, or can't be read.
    private func facts(_ name: String) throws -> DocumentFacts {
        guard let entry = contents.known[name] else { return DocumentFacts() }
        let bytes = try ignoringDamage { try directory.contents(of: entry, upTo: Self.limit) }
        return try XMLReader.read(bytes ?? [], DocumentFacts())
    }

    // MARK: Office Open XML

    private func readOpenXML() throws -> PropertyList {
        let core = try facts("docProps/core.xml")
        let app = try facts("docProps/app.xml")
        var list = PropertyList()
        list.add("title", text: core["title"])
        list.add("author", text: core["creator"])
        list.add("lastAuthor", text: core["lastModifiedBy"])
        list.add("subject", text: core["subject"])
        list.add("keywords", texts: Self.keywords(core["keywords"]))
        list.add("comment", text: core["description"])
        list.add("company", text: app["Company"])
        list.add("creator", text: app["Application"])
        if contents.known["word/document.xml"] != nil {
            list.add("pages", integer: app["Pages"].flatMap { Int64($0) })
            list.add("words", integer: app["Words"].flatMap { Int64($0) })
        } else if contents.known["xl/workbook.xml"] != nil {
            list.add("sheets", integer: try count("sheet", in: "xl/workbook.xml"))
        } else {
            list.add("slides", integer: contents.slides)
        }
        list.add("dateCreated", date: core["created"].flatMap { CivilDate(iso: $0) })
        list.add("dateModified", date: core["modified"].flatMap { CivilDate(iso: $0) })
        return list
    }

    /// They are in one text, and nothing says what is between them.
    private static func keywords(_ text: String?) -> [String] {
        guard let text else { return [] }
        return text.split { $0 == "," || $0 == ";" || $0.isNewline }.map { String($0) }
    }

    // MARK: EPUB

    /// EPUB 3.3, §5.5: its facts are Dublin Core's, in the package that its container names first.
    private func readBook() throws -> PropertyList? {
        guard let entry = contents.known["META-INF/container.xml"] else { return nil }
        let bytes = try ignoringDamage { try directory.contents(of: entry, upTo: Self.limit) }
        guard let package = try XMLReader.read(bytes ?? [], BookContainer()).package else { return nil }
        let facts = try facts(package)
        var list = PropertyList()
        list.add("title", text: facts["title"])
        list.add("author", text: facts["creator"])
        list.add("subject", text: facts["subject"])
        list.add("comment", text: facts["description"])
        list.add("company", text: facts["publisher"])
        list.add("dateCreated", date: facts["date"].flatMap { CivilDate(iso: $0) })
        return list
    }

    // MARK: OpenDocument

    private func readOpenDocument(_ type: String) throws -> PropertyList {
        let meta = try facts("meta.xml")
        var list = PropertyList()
        list.add("title", text: meta["title"])
        list.add("author", text: meta["initial-creator"] ?? meta["creator"])
        list.add("lastAuthor", text: meta["creator"])
        list.add("subject", text: meta["subject"])
        list.add("keywords", texts: meta.keywords)
        list.add("comment", text: meta["description"])
        list.add("creator", text: meta["generator"])
        if type.contains(".presentation") {
            list.add("slides", integer: try count("page", in: "content.xml"))
        } else if type.contains(".spreadsheet") {
            list.add("sheets", integer: meta.statistics["table-count"])
        } else {
            list.add("pages", integer: meta.statistics["page-count"])
            list.add("words", integer: meta.statistics["word-count"])
        }
        list.add("dateCreated", date: meta["creation-date"].flatMap { CivilDate(iso: $0) })
        list.add("dateModified", date: meta["date"].flatMap { CivilDate(iso: $0) })
        // §3.16 of its packages: the manifest is in the clear, and everything else may not be.
        if meta.isEmpty, contents.known["META-INF/manifest.xml"] != nil,
            try count("encryption-data", in: "META-INF/manifest.xml") ?? 0 > 0
        {
            list.add("isEncrypted", .boolean(true))
        }
        return list
    }

    /// How many elements of a name a file has; `nil` if not all of it can be read.
    private func count(_ name: String, in file: String) throws -> Int64? {
        guard let entry = contents.known[file], entry.size <= Self.contentLimit else { return nil }
        var reader = try XMLReader(ElementCount(name: name))
        var isGood = true
        let read: Void? = try ignoringDamage {
            try directory.unpack(entry, upTo: Self.contentLimit) { bytes in
                isGood = reader.read(bytes)
                return isGood
            }
        }
        return read != nil && isGood ? reader.visitor?.count : nil
    }
}

/// Finds which file describes an electronic book.
private struct BookContainer: XMLVisitor {
    private(set) var package: String?
    var isDone: Bool { package != nil }

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        if name.local == "rootfile" { package = package ?? attributes[XMLName("full-path")] }
    }

    func end(_ name: XMLName, text: String) {}
}

/// Counts elements of a name, in any namespace.
private struct ElementCount: XMLVisitor {
    let name: String
    var count: Int64 = 0
    let isDone = false

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        if name.local == self.name { count += 1 }
    }

    func end(_ name: XMLName, text: String) {}
}

/// The texts of a document's properties, by the names of their elements.
struct DocumentFacts: XMLVisitor {
    private var texts: [String: String] = [:]
    private(set) var keywords: [String] = []
    private(set) var statistics: [String: Int64] = [:]
    let isDone = false

    var isEmpty: Bool { texts.isEmpty && keywords.isEmpty && statistics.isEmpty }

    subscript(name: String) -> String? { texts[name] }

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        guard name.local == "document-statistic" else { return }
        for (name, text) in attributes { statistics[name.local] = Int64(text) }
    }

    mutating func end(_ name: XMLName, text: String) {
        guard !text.isEmpty, texts.count < 1000 else { return }
        if name.local == "keyword", keywords.count < 1000 { keywords.append(text) }
        texts[name.local] = texts[name.local] ?? text
    }
}
