import FerryCore
import Foundation
import Testing

@Suite("A query of Spotlight")
struct SpotlightQueryTests {
    private static let now = Date(rfcString: "2026-03-18T12:00:00Z") ?? .distantPast

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }

    private func query(_ text: String) throws -> FileQuery {
        try FileQuery(fromSpotlight: text, now: Self.now, calendar: Self.calendar)
    }

    @Test(
        "is read as the query that means the same",
        arguments: [
            (#"kMDItemFSName == "*.jpg"cd"#, "name LIKE[cd] '*.jpg'"),
            (#"kMDItemFSName == "report.pdf""#, "name == 'report.pdf'"),
            (#"kMDItemFSName = 'a\*b?*'c"#, #"name LIKE[c] 'a\\*b\\?*'"#),
            (#"kMDItemDisplayName != "*draft*"cd"#, "NOT name LIKE[cd] '*draft*'"),
            ("kMDItemFSSize > 1000 && !(kMDItemFSInvisible == 1)", "fileSize > 1000 AND NOT isHidden == TRUE"),
            ("InRange(kMDItemFSSize, 1, 2) || kMDItemFSSize == 5", "fileSize >= 1 AND fileSize <= 2 OR fileSize == 5"),
            ("InRange(kMDItemFSSize,-10,20)", "fileSize >= -10 AND fileSize <= 20"),
            ("kMDItemContentTypeTree == 'public.image'", "contentType BEGINSWITH 'image/'"),
            ("kMDItemContentType == 'com.adobe.pdf'", "contentType == 'application/pdf'"),
            ("kMDItemContentType == 'image/png'", "contentType == 'image/png'"),
            ("kMDItemContentTypeTree != 'public.folder'", "NOT isDirectory == TRUE"),
            ("kMDItemFSContentChangeDate >= $time.now(-3600)", "modifiedDate >= '2026-03-18T11:00:00Z'"),
            ("kMDItemContentModificationDate > $time.today", "modifiedDate > '2026-03-18'"),
            ("kMDItemFSCreationDate < $time.this_week(-1)", "creationDate < '2026-03-09'"),
            ("kMDItemFSCreationDate < $time.this_month", "creationDate < '2026-03-01'"),
            ("kMDItemFSCreationDate < $time.this_year(1)", "creationDate < '2027-01-01'"),
            ("kMDItemLastUsedDate < $time.yesterday", "accessedDate < '2026-03-17'"),
            ("kMDItemFSCreationDate == $time.iso(2020-02-29T10:00:00Z)", "creationDate == '2020-02-29T10:00:00Z'"),
            (
                "kMDItemFSName LIKE[c] '*.txt' AND kMDItemFSSize BETWEEN {1, 9}",
                "name LIKE[c] '*.txt' AND fileSize BETWEEN {1, 9}"
            ),
            (
                "(kMDItemFSName CONTAINS '5%') OR kMDItemPath BEGINSWITH '/a'",
                "name CONTAINS '5%' OR path BEGINSWITH '/a'"
            ),
        ]
    )
    func reads(text: String, meaning: String) throws {
        #expect(try query(text).description == FileQuery(parsing: meaning).description)
    }

    @Test("compares with whole words after w")
    func words() throws {
        let query = try query(#"kMDItemFSName == "tax*"cw"#)
        #expect(query.matches(FileObject(path: "/The Taxes 2026.pdf", type: .file)))
        #expect(!query.matches(FileObject(path: "/syntax.pdf", type: .file)))
    }

    @Test(
        "that asks for more than files tell is refused, with the place",
        arguments: [
            ("kMDItemTextContent == 'x'", "kMDItemTextContent"), ("kMDItemFSName == 'x'q", "can't follow"),
            ("kMDItemFSName == 'x", "no end"), ("kMDItemFSSize > $time.soon", "$time.soon"),
            ("kMDItemContentType == 'public.opera'", "public.opera"), ("InRange(kMDItemFSSize, 1)", "two values"),
        ]
    )
    func refuses(text: String, words: String) throws {
        let error = try #require(throws: CocoaError.self) { try query(text) }
        #expect(error.code == .formatting)
        #expect(error.localizedDescription.contains(words))
        #expect(error.queryColumn != nil)
    }
}
