import Foundation

/// Office documents with what readers of properties look at, as LibreOffice, Word, Excel and PowerPoint write it.
enum OfficeFiles {
    static let names = ["a.docx", "a.xlsx", "a.pptx", "a.odt", "a.ods", "a.odp"]

    static func write(to folder: MediaFolder) async throws {
        try await folder.run("python3", ["-c", script])
    }

    private static let script = #"""
        import zipfile

        core = '''<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <dc:title>A &amp; B: Größe</dc:title><dc:subject>Sizes</dc:subject><dc:creator>Ann</dc:creator>
        <cp:keywords>big, small</cp:keywords><dc:description>Notes</dc:description>
        <cp:lastModifiedBy>Bo</cp:lastModifiedBy><cp:revision>2</cp:revision>
        <dcterms:created xsi:type="dcterms:W3CDTF">2024-05-01T10:30:00Z</dcterms:created>
        <dcterms:modified xsi:type="dcterms:W3CDTF">2024-05-02T11:00:00Z</dcterms:modified></cp:coreProperties>'''
        app = '''<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">
        <Template>Normal</Template><Pages>12</Pages><Words>3456</Words><Application>Ferry Office</Application>
        <Slides>3</Slides><Company>Ferry Ltd</Company></Properties>'''
        types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'

        def opened(name, main, parts):
            with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("[Content_Types].xml", types)
                file.writestr("docProps/core.xml", core)
                file.writestr("docProps/app.xml", app)
                file.writestr(*main)
                for part in parts:
                    file.writestr(part, "<a/>")

        opened("a.docx", ("word/document.xml", "<a/>"), [])
        book = '''<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets>
        <sheet name="One" sheetId="1"/><sheet name="Two" sheetId="2"/></sheets></workbook>'''
        opened("a.xlsx", ("xl/workbook.xml", book), ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"])
        slides = ["ppt/slides/slide%d.xml" % number for number in range(1, 4)]
        opened("a.pptx", ("ppt/presentation.xml", "<a/>"), slides + ["ppt/slides/_rels/slide1.xml.rels"])

        def odf(name, kind, statistic, content):
            meta = '''<?xml version="1.0" encoding="UTF-8"?>
        <office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">
        <office:meta><dc:title>A &amp; B: Größe</dc:title><dc:subject>Sizes</dc:subject>
        <dc:description>Notes</dc:description><meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bo</dc:creator>
        <meta:keyword>big</meta:keyword><meta:keyword>small</meta:keyword>
        <meta:creation-date>2024-05-01T10:30:00.123456789</meta:creation-date><dc:date>2024-05-02T11:00:00</dc:date>
        <meta:generator>Ferry Office/1.0</meta:generator><meta:document-statistic %s/></office:meta>
        </office:document-meta>''' % statistic
            with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("mimetype", "application/vnd.oasis.opendocument." + kind, zipfile.ZIP_STORED)
                file.writestr("content.xml", content)
                file.writestr("meta.xml", meta)
                file.writestr("META-INF/manifest.xml", "<a/>")

        odf("a.odt", "text", 'meta:page-count="7" meta:word-count="999"', "<a/>")
        odf("a.ods", "spreadsheet", 'meta:table-count="4"', "<a/>")
        pages = '''<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
          xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0">%s</office:document-content>'''
        odf("a.odp", "presentation", 'meta:object-count="9"', pages % ('<draw:page draw:name="p"/>' * 5))
        """#
}
