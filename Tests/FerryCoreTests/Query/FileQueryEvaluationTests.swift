import FerryCore
import FerryTestKit
import Foundation
import Testing

@Suite("A query matches")
struct FileQueryEvaluationTests {
    private static let report: FileObject = {
        var file = FileObject(
            name: "Report 2026.PDF",
            in: "/home/mail",
            type: .file,
            size: 10_000,
            modifiedDate: Date(timeIntervalSinceReferenceDate: 788_918_400),  // 2026-01-01T00:00:00Z
            permissions: 0o644,
            id: "abc",
            contentType: "application/pdf"
        )
        file.extras[.owner] = "eve"
        file.extras[.isReadOnly] = false
        file.extras[.linkCount] = 2
        file.extras[.checksums] = [.sha256: "00ff"]
        file.extras[FileObjectExtras.Key<Bool>("favorite")] = true
        file.extras[FileObjectExtras.Key<Double>("rating")] = 4.5
        return file
    }()

    @Test(
        "what its comparisons ask for",
        arguments: [
            ("name == 'Report 2026.PDF'", true), ("name == 'report 2026.pdf'", false),
            ("name ==[c] 'report 2026.pdf'", true), ("name != 'x'", true), ("name !=[c] 'REPORT 2026.pdf'", false),
            ("name < 'S'", true), ("name > 'S'", false), ("name <[c] 'reports'", true), ("name >= 'Report'", true),
            ("name <= 'Report 2026.PDF'", true), ("name BETWEEN {'R', 'S'}", true), ("name BETWEEN {'S', 'T'}", false),
            ("name IN {'a', 'Report 2026.PDF'}", true), ("name IN {'a', 'b'}", false), ("name IN {}", false),
            ("name IN[c] {'a', 'report 2026.pdf'}", true),
            ("name CONTAINS 'port'", true), ("name CONTAINS 'PORT'", false), ("name CONTAINS[c] 'PORT'", true),
            ("name CONTAINS[cd] 'pört'", true), ("name CONTAINS[c] 'pört'", false), ("name CONTAINS ''", true),
            ("name CONTAINS[c] 'report 2026.pdf and more'", false),
            ("name BEGINSWITH 'Rep'", true), ("name BEGINSWITH 'rep'", false), ("name BEGINSWITH[c] 'rep'", true),
            ("name ENDSWITH '.PDF'", true), ("name ENDSWITH '.pdf'", false), ("name ENDSWITH[c] '.pdf'", true),
            ("name LIKE 'Report*'", true), ("name LIKE '*2026*'", true), ("name LIKE 'Report ????.PDF'", true),
            ("name LIKE 'Report ???.PDF'", false), ("name LIKE 'report*'", false), ("name LIKE[c] 'report*.pdf'", true),
            ("name LIKE 'Report'", false), ("name LIKE ''", false), ("name LIKE '**'", true),
            ("name MATCHES 'Report [0-9]+\\.PDF'", true), ("name MATCHES 'Report'", false),
            ("name MATCHES[c] 'report.*'", true), ("name MATCHES 'R|Report 2026.PDF'", true),
            ("fileSize = 10000", true), ("fileSize = 10000.0", true), ("fileSize = 10000.5", false),
            ("fileSize != 10000.5", true), ("fileSize > 9999.5", true), ("fileSize > 10000.5", false),
            ("fileSize >= 10000", true), ("fileSize > 10000", false), ("fileSize < 10000", false),
            ("fileSize <= 10000", true), ("fileSize < 1e30", true), ("fileSize > 1e30", false),
            ("fileSize > -1e30", true), ("fileSize < -1e30", false),
            ("fileSize > 9223372036854775807", false), ("fileSize >= -9223372036854775808", true),
            ("fileSize BETWEEN {1, 10000}", true), ("fileSize BETWEEN {10001, 1}", false),
            ("fileSize IN {1, 10000}", true), ("fileSize IN {1, 2.5}", false), ("10000 <= fileSize", true),
            ("modifiedDate = '2026-01-01'", true), ("modifiedDate > '2026-01-01'", false),
            ("modifiedDate >= '2026-01-01 01:00+01:00'", true), ("modifiedDate < '2026-01-01T00:00:00.001Z'", true),
            ("modifiedDate BETWEEN {'2025-12-31', '2026-01-02'}", true), ("modifiedDate IN {'2026-01-01'}", true),
            ("type = 'file'", true), ("type != 'directory'", true), ("type IN {'directory', 'symlink'}", false),
            ("isDirectory = NO", true), ("isRegularFile = TRUE", true), ("isSymbolicLink != FALSE", false),
            ("isHidden = TRUE", false), ("isReadOnly = FALSE", true), ("isWritable = TRUE", true),
            ("path = '/home/mail/Report 2026.PDF'", true), ("folder = '/home/mail'", true),
            ("pathExtension = 'PDF'", true), ("pathExtension ==[c] 'pdf'", true), ("id = 'abc'", true),
            ("permissions = 0o644", true), ("contentType BEGINSWITH 'application/'", true), ("owner = 'eve'", true),
            ("linkCount > 1", true), ("sha256 = '00ff'", true), ("md5 = '00ff'", false),
            ("extras.favorite = TRUE", true), ("extras.rating > 4", true), ("extras.rating BETWEEN {1, 4}", false),
            ("extras.rating = 'x'", false), ("extras.owner LIKE 'e*'", true),
            ("NOT name = 'x'", true), ("NOT (name = 'x' OR fileSize = 10000)", false),
            ("name = 'x' OR fileSize = 10000", true), ("name = 'x' AND fileSize = 10000", false),
            ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("NOT FALSEPREDICATE", true),
        ]
    )
    func comparisons(text: String, isMatch: Bool) throws {
        let query = try FileQuery(parsing: text)
        #expect(query.matches(Self.report) == isMatch)
        #expect(query.normalized.matches(Self.report) == isMatch)
        #expect(FileQuery.not(query).matches(Self.report) == !isMatch)
    }

    @Test(
        "nothing that is unknown, except by != and = NULL",
        arguments: [
            ("fileSize = 0", false), ("fileSize > 0", false), ("fileSize < 10", false), ("fileSize != 0", true),
            ("fileSize = NULL", true), ("fileSize != NULL", false), ("fileSize BETWEEN {0, 9}", false),
            ("fileSize IN {0}", false), ("NOT fileSize > 0", true), ("modifiedDate < '2030-01-01'", false),
            ("modifiedDate = NULL", true), ("id = ''", false), ("id != 'a'", true), ("id CONTAINS ''", false),
            ("id LIKE '*'", false), ("id MATCHES '.*'", false), ("isReadOnly = FALSE", false),
            ("isReadOnly != FALSE", true), ("isReadOnly = NULL", true), ("extras.rating = NULL", true),
            ("extras.rating != 1", true), ("extras.rating < 1", false), ("name = NULL", false), ("type = NULL", false),
            ("sha256 = NULL", true), ("owner !=[c] NULL", false),
        ]
    )
    func unknown(text: String, isMatch: Bool) throws {
        let folder = FileObject(name: "a", in: "/", type: .directory)
        #expect(try FileQuery(parsing: text).matches(folder) == isMatch)
    }

    @Test(
        "text as Foundation compares it with the options given, byte by byte without",
        arguments: [
            ("== 'caf\u{e9}'", "caf\u{e9}", true), ("== 'caf\u{e9}'", "cafe\u{301}", false),
            ("==[c] 'CAF\u{c9}'", "cafe\u{301}", true), ("==[d] 'cafe'", "caf\u{e9}", true),
            ("==[d] 'CAFE'", "caf\u{e9}", false), ("==[cd] 'CAFE'", "caf\u{e9}", true),
            ("==[d] 'caf\u{e9}'", "cafe", true), ("CONTAINS 'e'", "caf\u{e9}", false),
            ("CONTAINS[d] 'fe'", "caf\u{e9}", true), ("CONTAINS[cd] 'ca\u{301}f'", "CAFE", true),
            ("CONTAINS[c] 'K'", "\u{212A}elvin", true), ("CONTAINS[c] '\u{212A}'", "kelvin", true),
            ("CONTAINS[c] 's'", "\u{17F}", true), ("BEGINSWITH[c] '\u{17F}'", "Site", true),
            ("==[c] 'STRASSE'", "stra\u{DF}e", true), ("BEGINSWITH[c] 'STRA\u{DF}'", "strasse", true),
            ("ENDSWITH[c] '\u{D6}L'", "\u{F6}l", true), ("ENDSWITH[d] 'ol'", "\u{F6}l", true),
            ("CONTAINS[c] '\u{E9}'", "e", false), ("LIKE '???'", "a\u{301}\u{1F468}\u{200D}\u{1F469}b", true),
            ("LIKE[cd] 'CAF?'", "caf\u{e9}", true), ("LIKE[cd] '*FE'", "caf\u{e9}", true),
            ("LIKE 'caf\u{e9}'", "cafe\u{301}", false), ("LIKE[c] 'caf\u{c9}'", "cafe\u{301}", true),
            (#"LIKE 'a\*'"#, "a*", true), (#"LIKE 'a\*'"#, "ab", false), (#"LIKE 'a\?b\\'"#, #"a?b\"#, true),
            ("LIKE 'a?b'", "a\r\nb", true), ("LIKE '*a*b*c*'", "xxaxxbxxcxx", true), ("LIKE 'a*a'", "a", false),
            ("LIKE[c] '\u{212A}*'", "key", true), ("MATCHES[d] 'cafe'", "caf\u{e9}", true),
            ("MATCHES[c] '\u{e4}+'", "\u{c4}\u{e4}", true), ("MATCHES 'a.b'", "a\nb", false),
            ("MATCHES '(?s)a.b'", "a\nb", true), ("MATCHES 'a$'", "a\n", false), ("MATCHES ''", "", true),
            ("<[c] 'b'", "A", true), ("<[c] '\u{c4}'", "z", false), (">[cd] 'a'", "\u{c4}", false),
        ]
    )
    func text(condition: String, name: String, isMatch: Bool) throws {
        #expect(
            try FileQuery(parsing: "name \(condition)").matches(FileObject(name: name, in: "/", type: .file)) == isMatch
        )
    }

    @Test("in the fast way what it matches in Foundation's")
    func fastWay() throws {
        let alphabet = Array("aAbBkKsS.^`'_ 1[{@~\u{e9}\u{c9}\u{212A}\u{17F}\u{DF}e\u{301}")
        let options: [(String, String.CompareOptions)] = [
            ("[c]", .caseInsensitive), ("[d]", .diacriticInsensitive),
            ("[cd]", [.caseInsensitive, .diacriticInsensitive]),
        ]
        var random = SeededGenerator(seed: 1)
        func text(_ lengths: ClosedRange<Int>) -> String {
            let count = Int.random(in: lengths, using: &random)
            return String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
        }
        for round in 0..<3_000 {
            let (suffix, compareOptions) = options[round % 3]
            let (name, needle) = (text(1...5), text(1...2))
            func check(_ operation: String, _ expected: Bool) throws {
                let query = try FileQuery(format: "name \(operation)\(suffix) %@", needle)
                #expect(query.matches(FileObject(name: name, in: "/", type: .file)) == expected, "\(name) \(query)")
            }
            let order = name.compare(needle, options: compareOptions)
            try check("==", order == .orderedSame)
            try check("<", order == .orderedAscending)
            try check(">=", order != .orderedAscending)
            try check("CONTAINS", name.range(of: needle, options: compareOptions) != nil)
            try check("BEGINSWITH", name.range(of: needle, options: compareOptions.union(.anchored)) != nil)
            try check(
                "ENDSWITH",
                name.range(of: needle, options: compareOptions.union([.anchored, .backwards])) != nil
            )
        }
    }

    @Test("nothing by a hostile regular expression, but ends soon", .timeLimit(.minutes(30)))
    func hostilePattern() throws {
        let query = try FileQuery(parsing: "name MATCHES '(a+)+$'")
        let file = FileObject(name: String(repeating: "a", count: 200) + "b", in: "/", type: .file)
        #expect(!query.matches(file))
        let wild = try FileQuery(parsing: "name LIKE '\(String(repeating: "*a", count: 100))b'")
        #expect(!wild.matches(FileObject(name: String(repeating: "a", count: 5_000), in: "/", type: .file)))
    }

    @Test("strings that Foundation made")
    func bridgedStrings() throws {
        let name = NSString(string: "Straße.TXT").replacingOccurrences(of: "ß", with: "ss")
        let file = FileObject(name: name, in: "/", type: .file)
        #expect(try FileQuery(parsing: "name ENDSWITH[c] '.txt' AND name CONTAINS 'ss'").matches(file))
    }
}
