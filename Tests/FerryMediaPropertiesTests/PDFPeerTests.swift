import FerryMediaProperties
import FerryMediaWire
import Foundation
import Testing

@Suite("What a PDF says about itself")
struct PDFPeerTests {
    private static let information = """
        /Title <FEFF0047007200F600DF0065> /Author (Ann) /Subject (Sizes) /Keywords (big, small) /Creator (Ferry Writer) \
        /Producer (Ferry PDF) /CreationDate (D:20240501123000+02'00') /ModDate (D:20240502110000Z)
        """

    private static let everything: PropertyEntryValue = .list([
        .word("print"), .word("modify"), .word("copy"), .word("annotate"), .word("fillForms"),
        .word("extractForAccessibility"), .word("assemble"), .word("printInHighResolution"),
    ])

    /// Returns what pdfinfo finds in a file.
    private func pdfinfo(_ name: String, _ folder: MediaFolder) async throws -> [String: String] {
        let lines = String(decoding: try await folder.run("pdfinfo", [name]), as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                return (String(line[..<colon]), value)
            }
        ) { first, _ in first }
    }

    @Test("is what pdfinfo finds")
    func all() async throws {
        try await MediaFolder.with { folder in
            try folder.write(PDFFile.make(information: Self.information, pages: 12), to: "a.pdf")
            let peer = try await pdfinfo("a.pdf", folder)
            let found = try folder.properties("a.pdf")
            #expect(
                found.keys == [
                    "title", "author", "subject", "keywords", "creator", "producer", "version", "pages", "pageSize",
                    "dateCreated", "dateModified", "permissions",
                ]
            )
            #expect(found.text("title") == "Größe")
            #expect(found.text("title") == peer["Title"])
            #expect(found.text("author") == peer["Author"])
            #expect(found.text("subject") == peer["Subject"])
            #expect(found.texts("keywords") == ["big", "small"])
            #expect(peer["Keywords"] == "big, small")
            #expect(found.text("creator") == peer["Creator"])
            #expect(found.text("producer") == peer["Producer"])
            #expect(found.text("version") == peer["PDF version"])
            #expect(found.number("pages") == peer["Pages"].flatMap { Double($0) })
            #expect(found["pageSize"] == .size(595.28, 841.89))
            #expect(peer["Page size"] == "595.28 x 841.89 pts (A4)")
            #expect(found["dateCreated"] == .date(seconds: 1_714_559_400, offset: 7200))
            #expect(found["dateModified"] == .date(seconds: 1_714_647_600, offset: 0))
            #expect(found["permissions"] == Self.everything)
        }
    }

    @Test("is what its XMP says where its older information is missing")
    func xmp() async throws {
        try await MediaFolder.with { folder in
            try folder.write(PDFFile.make(), to: "a.pdf")
            let tags = ["-XMP-dc:Title=Ti", "-XMP-dc:Creator=Bo", "-XMP-dc:Subject=x", "-XMP-dc:Subject=y"]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + ["a.pdf"])
            let found = try folder.properties("a.pdf")
            #expect(found.text("title") == "Ti")
            #expect(found.text("author") == "Bo")
            #expect(found.texts("keywords") == ["x", "y"])
        }
    }

    @Test("is what readers may do, where that is limited", arguments: ["40", "128", "256"])
    func limited(bits: String) async throws {
        try await MediaFolder.with { folder in
            try folder.write(PDFFile.make(information: Self.information), to: "a.pdf")
            let limits = bits == "40" ? ["--print=n", "--modify=n"] : ["--print=low", "--modify=none", "--extract=n"]
            let arguments = ["--allow-weak-crypto", "--encrypt", "", "owner", bits] + limits
            try await folder.run("qpdf", arguments + ["--", "a.pdf", "b.pdf"])
            let peer = try #require(try await pdfinfo("b.pdf", folder)["Encrypted"])
            let found = try folder.properties("b.pdf")
            #expect(found.text("title") == "Größe")
            guard case .list(let words) = found["permissions"] else {
                Issue.record("there are no permissions")
                return
            }
            #expect(words.contains(.word("print")) == peer.contains("print:yes"))
            #expect(words.contains(.word("copy")) == peer.contains("copy:yes"))
            #expect(words.contains(.word("modify")) == peer.contains("change:yes"))
            #expect(words.contains(.word("annotate")) == peer.contains("addNotes:yes"))
            #expect(!words.contains(.word("modify")))
        }
    }

    @Test("is only its version where it opens with a password")
    func locked() async throws {
        try await MediaFolder.with { folder in
            try folder.write(PDFFile.make(information: Self.information), to: "a.pdf")
            try await folder.run("qpdf", ["--encrypt", "user", "owner", "256", "--", "a.pdf", "b.pdf"])
            let found = try folder.properties("b.pdf")
            #expect(found.keys == ["version", "isEncrypted"])
            #expect(found["isEncrypted"] == .boolean(true))
        }
    }

    @Test("is there although its directory is damaged")
    func repaired() async throws {
        let whole = PDFFile.make(information: Self.information, pages: 3)
        let broken = whole.replacing(Data("startxref\n".utf8), with: Data("startxref\n9".utf8))
        let found = Found(try MediaProperties.read(.pdf, from: DataSource(Data(broken))))
        #expect(found.number("pages") == 3)
    }

    @Test("is found in one of a million pages")
    func large() async throws {
        let source = DataSource(PDFFile.make(information: Self.information, pages: 1_000_000))
        let found = Found(try MediaProperties.read(.pdf, from: source))
        #expect(found.number("pages") == 1_000_000)
        #expect(found["pageSize"] == .size(595.28, 841.89))
        #expect(found.text("author") == "Ann")
    }

    @Test("is refused of what is none, or goes round in circles")
    func damaged() throws {
        for text in ["%PDF-1.7\n", "%PDF-1.4\nxref\n0 1\ntrailer\n<< /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF"] {
            let source = DataSource(Data(text.utf8))
            #expect(throws: DamagedFile.self) { try MediaProperties.read(.pdf, from: source) }
        }
        // Pages whose kids are they themselves, with as many as the number is wide.
        let circle = PDFFile.make().replacing(Data("[4 0 R]".utf8), with: Data("[2 0 R]".utf8))
            .replacing(Data("/Count 1".utf8), with: Data("/Count 2147483647".utf8))
        _ = try? MediaProperties.read(.pdf, from: DataSource(Data(circle)))
    }
}
