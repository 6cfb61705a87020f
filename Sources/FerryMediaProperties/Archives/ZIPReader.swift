import FerryMediaWire

/// Reads what a ZIP file says about itself, and the office documents that are ones.
enum ZIPReader {
    /// The findings in a ZIP file, besides counts.
    struct Contents {
        var size: Int64 = 0
        var isEncrypted = false
        var slides: Int64 = 0
        /// The files that say something about documents.
        var known: [String: ZIPDirectory.Entry] = [:]

        private static let names: Set<String> = [
            "mimetype", "meta.xml", "content.xml", "docProps/core.xml", "docProps/app.xml", "word/document.xml",
            "xl/workbook.xml", "ppt/presentation.xml", "META-INF/container.xml", "META-INF/manifest.xml",
        ]

        mutating func take(_ entry: ZIPDirectory.Entry) {
            let (sum, isOver) = size.addingReportingOverflow(entry.size)
            size = isOver ? .max : sum
            isEncrypted = isEncrypted || entry.isEncrypted
            // An electronic book's facts are in a file that may be called as its maker likes.
            let isPackage = entry.name.hasSuffix(".opf") && known.count < 40
            if isPackage || Self.names.contains(entry.name) { known[entry.name] = known[entry.name] ?? entry }
            if Self.isSlide(entry.name) { slides += 1 }
        }

        private static func isSlide(_ name: String) -> Bool {
            guard name.hasPrefix("ppt/slides/slide"), name.hasSuffix(".xml") else { return false }
            return name.dropFirst(16).dropLast(4).allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    static func read(_ file: any RandomBytes) throws -> PropertyList {
        let directory = try ZIPDirectory(file)
        var contents = Contents()
        let count = try directory.forEach { contents.take($0) }
        if let list = try OfficeReader(directory, contents).read() { return list }
        var list = PropertyList()
        list.add("entryCount", integer: count ?? directory.entryCount)
        // A sum of some of the files would be wrong.
        if count != nil { list.add("uncompressedSize", integer: contents.size) }
        list.add("comment", text: directory.comment)
        if contents.isEncrypted { list.add("isEncrypted", .boolean(true)) }
        return list
    }
}
