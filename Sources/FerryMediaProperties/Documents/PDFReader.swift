import CPoppler
import FerryMediaWire

/// Reads what a PDF says about itself, by poppler.
enum PDFReader {
    static func read(_ source: any PropertySource) throws -> PropertyList {
        let input = try PDFInput(source)
        guard let stream = input.stream() else { throw DamagedFile("there is no memory for reading it") }
        defer { ferry_poppler_unref(stream) }
        var problem: UnsafeMutablePointer<GError>?
        let document = poppler_document_new_from_stream(stream, goffset(source.size), nil, nil, &problem)
        defer { if let problem { g_error_free(problem) } }
        if let error = input.error { throw error }
        guard let document else {
            guard let problem, Int(problem.pointee.code) == Int(ferry_poppler_error_encrypted()) else {
                throw DamagedFile("it is no PDF that can be read")
            }
            return try locked(source)
        }
        defer { ferry_poppler_unref(UnsafeMutableRawPointer(document)) }
        let list = try properties(document)
        if let error = input.error { throw error }
        return list
    }

    /// All that is known of one that opens with a password only.
    private static func locked(_ source: any PropertySource) throws -> PropertyList {
        var list = PropertyList()
        let head = try source.read(at: 0, count: Int(min(source.size, 16)))
        if head.starts(with: "%PDF-".utf8) {
            list.add("version", text: head.dropFirst(5).prefix { $0 == 0x2E || (0x30...0x39).contains($0) }.text)
        }
        list.add("isEncrypted", .boolean(true))
        return list
    }

    private static func properties(_ document: OpaquePointer) throws -> PropertyList {
        var list = PropertyList()
        let xmp = try XMPFacts(Array((taken(poppler_document_get_metadata(document), upTo: 128 << 10) ?? "").utf8))
        list.add("title", text: taken(poppler_document_get_title(document)) ?? xmp.title)
        list.add("author", text: taken(poppler_document_get_author(document)) ?? xmp.artist)
        list.add("subject", text: taken(poppler_document_get_subject(document)))
        let words = taken(poppler_document_get_keywords(document))?.split { $0 == "," || $0 == ";" || $0.isNewline }
        list.add("keywords", texts: words?.map { String($0) } ?? xmp.keywords)
        list.add("creator", text: taken(poppler_document_get_creator(document)))
        list.add("producer", text: taken(poppler_document_get_producer(document)))
        var (major, minor): (guint, guint) = (0, 0)
        poppler_document_get_pdf_version(document, &major, &minor)
        if major > 0 { list.add("version", text: "\(major).\(minor)") }
        let pages = poppler_document_get_n_pages(document)
        list.add("pages", integer: pages)
        list.add("pageSize", pages > 0 ? pageSize(document) : nil)
        list.add("dateCreated", date: date(poppler_document_get_creation_date_time(document)))
        list.add("dateModified", date: date(poppler_document_get_modification_date_time(document)))
        list.add("permissions", permissions(poppler_document_get_permissions(document).rawValue))
        return list
    }

    /// A string that was made for us.
    private static func taken(_ text: UnsafeMutablePointer<CChar>?, upTo limit: Int = Texts.limit) -> String? {
        guard let text else { return nil }
        defer { g_free(text) }
        let bytes = UnsafeRawBufferPointer(start: text, count: Texts.length(text, upTo: limit))
        return Texts.trimmed(String(decoding: bytes, as: UTF8.self))
    }

    private static func pageSize(_ document: OpaquePointer) -> PropertyEntryValue? {
        guard let page = poppler_document_get_page(document, 0) else { return nil }
        defer { ferry_poppler_unref(UnsafeMutableRawPointer(page)) }
        var (width, height) = (0.0, 0.0)
        poppler_page_get_size(page, &width, &height)
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        // Sides are differences of numbers that have two or three decimals.
        return .size((width * 1000).rounded() / 1000, (height * 1000).rounded() / 1000)
    }

    private static func date(_ date: OpaquePointer?) -> CivilDate? {
        guard let date else { return nil }
        defer { g_date_time_unref(date) }
        let seconds = Double(g_date_time_to_unix(date))
        return CivilDate(seconds: seconds, offset: Int(g_date_time_get_utc_offset(date) / 1_000_000))
    }

    /// Returns what may be done with it; everything where nobody forbids it.
    private static func permissions(_ bits: UInt32) -> PropertyEntryValue {
        let words = [
            "print", "modify", "copy", "annotate", "fillForms", "extractForAccessibility", "assemble",
            "printInHighResolution",
        ]
        return .list(words.indices.filter { bits & 1 << $0 != 0 }.map { .word(words[$0]) })
    }
}
