import FerryCore
import FerryTestKit
import Foundation
import Testing

@Suite("A query's text")
struct FileQueryParserTests {
    @Test(
        "is printed in one way of writing, which reads back as an equal query",
        arguments: [
            ("name = 'a'", "name == 'a'"),
            ("name == \"it's\"", #"name == 'it\'s'"#),
            ("NAME <> 'a'", "name != 'a'"),
            ("size >= 10 && size=<20", "fileSize >= 10 AND fileSize <= 20"),
            ("size => 10 || !(size < 0x1F)", "fileSize >= 10 OR NOT fileSize < 31"),
            ("10 < fileSize", "fileSize > 10"),
            ("10 >= fileSize", "fileSize <= 10"),
            ("fileSize > -1.5", "fileSize > -1.5"),
            ("fileSize > 1.0e3", "fileSize > 1000"),
            ("fileSize = 99999999999999999999", "fileSize == 1e+20"),
            ("fileSize = 0b101", "fileSize == 5"),
            ("permissions = 0o644", "permissions == 420"),
            ("name contains[cd] 'x'", "name CONTAINS[cd] 'x'"),
            ("name CONTAINS [dc] 'x'", "name CONTAINS[cd] 'x'"),
            ("name beginswith[n] 'x'", "name BEGINSWITH 'x'"),
            ("'abc' IN name", "name CONTAINS 'abc'"),
            ("name in {'a', 'b'}", "name IN {'a', 'b'}"),
            ("name IN {}", "name IN {}"),
            ("fileSize between {1, 9}", "fileSize BETWEEN {1, 9}"),
            ("id = nil", "id == NULL"),
            ("id != NULL", "id != NULL"),
            ("isDirectory = yes", "isDirectory == TRUE"),
            ("isDirectory = 0", "isDirectory == FALSE"),
            ("kind = 'Folder'", "type == 'directory'"),
            ("type = 'NSURLFileResourceTypeRegular'", "type == 'file'"),
            ("modified > '2026-01-01'", #"modifiedDate > CAST("2026-01-01T00:00:00Z", "NSDate")"#),
            (
                #"modified > CAST("2026-01-01T01:00:00.25+01:00", "NSDate")"#,
                #"modifiedDate > CAST("2026-01-01T00:00:00.250Z", "NSDate")"#
            ),
            (
                #"creationDate < CAST(761234567.0, "NSDate")"#,
                #"creationDate < CAST("2025-02-14T14:02:47Z", "NSDate")"#
            ),
            ("NSURLContentModificationDateKey = NULL", "modifiedDate == NULL"),
            ("SELF.name = 'a'", "name == 'a'"),
            ("#name = 'a'", "name == 'a'"),
            ("extras.favorite = TRUE", "extras.favorite == TRUE"),
            ("TRUEPREDICATE", "TRUEPREDICATE"),
            ("falsepredicate or name = 'a'", "FALSEPREDICATE OR name == 'a'"),
            ("name='a' AND name='b' OR name='c'", "(name == 'a' AND name == 'b') OR name == 'c'"),
            ("name='a' AND (name='b' AND name='c')", "name == 'a' AND (name == 'b' AND name == 'c')"),
            ("NOT (name='a' OR name='b')", "NOT (name == 'a' OR name == 'b')"),
            ("not not name='a'", "NOT NOT name == 'a'"),
            ("NOT name='a' AND name='b'", "NOT name == 'a' AND name == 'b'"),
            (#"name = '\u00e9\n\t\\\x'"#, #"name == 'é\n\t\\\\x'"#),
            (#"name = '\ud83d\ude00 \ud83d'"#, #"name == '😀 \\ud83d'"#),
            (#"name MATCHES '\d+'"#, #"name MATCHES '\\d+'"#),
            ("name = '%@ 100%'", "name == '%@ 100%'"),
        ]
    )
    func canonicalText(text: String, canonical: String) throws {
        let query = try FileQuery(parsing: text)
        #expect(query.description == canonical)
        #expect(try FileQuery(parsing: canonical) == query)
        let decoded = try JSONDecoder().decode([FileQuery].self, from: JSONEncoder().encode([query]))
        #expect(decoded == [query])
    }

    @Test(
        "that is wrong is refused with the column and what was expected",
        arguments: [
            ("", 1, "it is empty"),
            ("   ", 1, "it is empty"),
            ("name CONTAIN 'a'", 6, "expected an operator such as == or CONTAINS, found 'CONTAIN'"),
            ("name 'a'", 6, "expected an operator such as == or CONTAINS, found 'a'"),
            ("name", 5, "expected an operator such as == or CONTAINS, found the end"),
            ("name =", 7, "expected a key or a value, found the end"),
            ("isDirectory", 12, "expected an operator such as ==, found the end"),
            ("name NOT IN {'a'}", 6, "expected an operator such as == or CONTAINS, found 'NOT'"),
            ("name = 'a' name = 'b'", 12, "expected AND, OR or the end, found 'name'"),
            ("name = 'a' AND", 15, "expected a key or a value, found the end"),
            ("(name = 'a'", 12, "expected AND, OR or ')', found the end"),
            ("name = 'a')", 11, "expected AND, OR or the end, found ')'"),
            ("name = 'a", 8, "the text has no end"),
            ("fileSze > 10", 1, "there is no key 'fileSze'"),
            ("name = 'é' AND nme = 'x'", 16, "there is no key 'nme'"),
            ("name = abc", 8, "there is no key 'abc'"),
            ("name = fileSize", 8, "one side has to be a value"),
            ("1 = 1", 1, "one side has to be a key, such as name"),
            ("fileSize > 'abc'", 12, "'fileSize' is a number, not 'abc'"),
            ("'abc' < fileSize", 1, "'fileSize' is a number, not 'abc'"),
            ("fileSize > 10kB", 12, "'10kB' is not a number"),
            ("fileSize > 10 * 1024", 15, "'*' has no meaning here"),
            ("fileSize > NULL", 12, "NULL can be compared with == and != only"),
            ("fileSize CONTAINS 1", 10, "CONTAINS has no meaning for 'fileSize'"),
            ("fileSize >[c] 10", 11, "[c] and [d] are for text only"),
            ("fileSize IN {1, 'a'}", 17, "'fileSize' is a number, not 'a'"),
            ("fileSize IN {1, NULL}", 17, "a list can't hold NULL"),
            ("fileSize IN {1 2}", 16, "expected ',' or '}', found '2'"),
            ("fileSize IN 1", 13, "IN needs a list, as in {'a', 'b'}"),
            ("fileSize = {1}", 12, "only IN and BETWEEN take a list"),
            ("fileSize BETWEEN {1}", 18, "BETWEEN needs two values, as in {1, 9}"),
            ("name = 5", 8, "'name' is text, not 5"),
            ("name ==[x] 'a'", 9, "expected c, d or cd, found 'x'"),
            ("name ==[l] 'a'", 9, "expected c, d or cd, found 'l'"),
            ("name ==[c 'a'", 11, "expected ']', found 'a'"),
            ("name MATCHES '('", 14, "'(' is not a regular expression"),
            ("name MATCHES 'a)(b'", 14, "'a)(b' is not a regular expression"),
            ("isDirectory > TRUE", 13, "> has no meaning for 'isDirectory'"),
            ("isDirectory = 2", 15, "'isDirectory' is TRUE or FALSE, not 2"),
            ("type = 'fifo'", 8, "'type' is 'file', 'directory', 'symlink' or 'other', not 'fifo'"),
            ("type LIKE 'f*'", 6, "LIKE has no meaning for 'type'"),
            ("modifiedDate > 'yesterday'", 16, "'modifiedDate' is a date, and 'yesterday' is none"),
            ("modifiedDate > '2026-02-30'", 16, "'modifiedDate' is a date, and '2026-02-30' is none"),
            ("modifiedDate > 5", 16, "'modifiedDate' is a date, not 5"),
            ("modifiedDate > NOW()", 16, "functions are not supported"),
            (#"modifiedDate > CAST('x', "NSDate")"#, 21, "'x' is not a date"),
            (#"modifiedDate > CAST('x', "NSNumber")"#, 26, #"expected "NSDate", found '"NSNumber"'"#),
            ("ANY name = 'a'", 1, "'ANY' is about collections, and items have none"),
            ("name = %@", 8, "there is no argument for '%@'"),
            ("name = %z", 8, "'%' begins no placeholder"),
            ("name = $x", 8, "'$' has no meaning here"),
            ("name = “a”", 8, "there is no key '“a”'"),
            ("extras. = 1", 1, "there is no key 'extras.'"),
        ]
    )
    func malformed(text: String, column: Int, message: String) throws {
        let error = try #require(throws: CocoaError.self) { try FileQuery(parsing: text) }
        #expect(error.code == .formatting)
        #expect(error.queryColumn == column)
        #expect(error.localizedDescription == "malformed query: column \(column): \(message)")
    }

    @Test(
        "that is nearly right is refused with what was probably meant",
        arguments: [
            ("fileSze > 10", "did you mean 'fileSize'?"),
            ("name CONTAIN 'a'", "did you mean CONTAINS?"),
            ("name NOT IN {'a'}", "write NOT before the condition: NOT name IN {'a'}"),
            ("isDirectory", "write isDirectory == TRUE"),
            ("name = “a”", "write straight quotes: ' or \""),
            ("fileSize > '10'", "write it without quotes, a size in bytes"),
            ("name = abc", nil),
        ] as [(String, String?)]
    )
    func suggestions(text: String, suggestion: String?) throws {
        let error = try #require(throws: CocoaError.self) { try FileQuery(parsing: text) }
        let given = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        if let suggestion { #expect(given == suggestion) } else { #expect(given?.hasPrefix("keys are name, ") == true) }
    }

    @Test("that is wrong is shown with a caret below the place")
    func diagram() throws {
        let error = try #require(throws: CocoaError.self) { try FileQuery(parsing: "name = 'é' AND\nnme = 'x'") }
        #expect(error.queryDiagram == "name = 'é' AND nme = 'x'\n               ^")
        #expect(CocoaError(.fileNoSuchFile).queryDiagram == nil)
    }

    @Test(
        "that is nested without end is refused, not crashed on",
        arguments: ["(", "NOT ", "!", "(NOT ", "name='a' AND ("]
    )
    func deepNesting(opening: String) throws {
        let text = String(repeating: opening, count: 10_000) + "TRUEPREDICATE"
        let error = try #require(throws: CocoaError.self) { try FileQuery(parsing: text) }
        #expect(error.localizedDescription.contains("more than 100 levels deep"))
    }

    @Test("knows every key by each of its names, and each name once")
    func keys() throws {
        var seen: Set<String> = []
        for (attribute, keys) in FileQuery.Attribute.keys {
            for key in keys {
                #expect(seen.insert(key.lowercased()).inserted, "\(key)")
                #expect(FileQuery.Attribute(key: key) == attribute)
                #expect(try FileQuery(parsing: "\(key.uppercased()) == NULL").description == "\(keys[0]) == NULL")
            }
        }
    }

    @Test("that is long but flat is read")
    func longButFlat() throws {
        let text = Array(repeating: "name == 'a'", count: 10_000).joined(separator: " OR ")
        #expect(try FileQuery(parsing: text).description == text)
    }

    @Test("is refused or read, whatever its bytes are: it never crashes")
    func randomTexts() throws {
        let pieces = [
            "name", "fileSize", "'a'", "\"", "'", "(", ")", "{", "}", ",", "[", "]", "c", "==", "!=", "<", "AND", "OR",
            "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "1", "-", "0x", "1.5e", "%@", "%K", "%", "\\", "é",
            "TRUE", "NULL", "CAST", "#", "$", "\u{0}", "😀", ".", "&&", "|", "extras.",
        ]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...12, using: &random))
                .compactMap { _ in pieces.randomElement(using: &random) }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            do {
                let query = try FileQuery(parsing: text, arguments: text.contains("%") ? ["x"] : [])
                #expect(try FileQuery(parsing: query.description) == query)
            } catch let error as CocoaError {
                #expect(error.queryColumn != nil)
            }
        }
    }
}

@Suite("A query's arguments")
struct FileQueryArgumentTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 788_918_400.125)

    @Test(
        "stand where their placeholders are",
        arguments: [
            ("name = %@", ["it's"], #"name == 'it\'s'"#),
            ("%K = %@", ["name", "a"], "name == 'a'"),
            ("fileSize > %d AND fileSize < %lld", [10, Int64.max], "fileSize > 10 AND fileSize < 9223372036854775807"),
            ("fileSize > %@", [UInt64.max], "fileSize > 1.8446744073709552e+19"),
            ("fileSize > %f", [1.5], "fileSize > 1.5"),
            ("fileSize > %i", [Int8(-3)], "fileSize > -3"),
            ("isHidden = %@", [true], "isHidden == TRUE"),
            ("isHidden = %d", [true], "isHidden == TRUE"),
            ("modified > %@", [date], #"modifiedDate > CAST("2026-01-01T00:00:00.125Z", "NSDate")"#),
            ("name IN %@", [["a", "b"]], "name IN {'a', 'b'}"),
            ("name IN %@", [Set(["b", "a"])], "name IN {'a', 'b'}"),
            ("fileSize BETWEEN %@", [[1, 9]], "fileSize BETWEEN {1, 9}"),
            ("fileSize BETWEEN %@", [1...9], "fileSize BETWEEN {1, 9}"),
            ("fileSize BETWEEN %@", [1..<9], "fileSize BETWEEN {1, 8}"),
            ("fileSize IN %@", [1...9], "fileSize BETWEEN {1, 9}"),
            ("fileSize BETWEEN {%d, %d}", [1, 9], "fileSize BETWEEN {1, 9}"),
            ("id = %@", [String?.none], "id == NULL"),
            ("path = %@", [ItemPath("/a")], "path == '/a'"),
            ("type = %@", [FileObject.Kind.symlink], "type == 'symlink'"),
        ] as [(String, [any FileQueryArgument], String)]
    )
    func placeholders(format: String, arguments: [any FileQueryArgument], text: String) throws {
        #expect(try FileQuery(parsing: format, arguments: arguments).description == text)
    }

    @Test(
        "that don't fit are refused",
        arguments: [
            ("name = 'a'", ["b"], 11, "1 arguments are given, but 0 used"),
            ("fileSize > %d", ["b"], 12, "'%d' needs a number, not text"),
            ("fileSize > %@", ["b"], 12, "'fileSize' is a number, not 'b'"),
            ("fileSize > %@", [Double.nan], 12, "the number is not finite"),
            ("%K = 'a'", [1], 1, "%K needs a key's name, not a number"),
            ("%K = 'a'", ["nme"], 1, "there is no key 'nme'"),
            ("%K = 'a'", ["extras.a b"], 1, "a key has letters, digits, '_' and '.' only"),
            ("name = %@", [["a"]], 8, "only IN and BETWEEN take a list"),
        ] as [(String, [any FileQueryArgument], Int, String)]
    )
    func unfit(format: String, arguments: [any FileQueryArgument], column: Int, message: String) throws {
        let error = try #require(throws: CocoaError.self) { try FileQuery(parsing: format, arguments: arguments) }
        #expect(error.localizedDescription == "malformed query: column \(column): \(message)")
    }

    @Test("can be given one by one")
    func variadic() throws {
        let query = try FileQuery(format: "name CONTAINS[c] %@ AND fileSize > %d", "report", 10_000)
        #expect(query.description == "name CONTAINS[c] 'report' AND fileSize > 10000")
    }
}

@Suite("A query without text")
struct FileQueryCompositionTests {
    private let a = FileQuery(namePrefix: "a")

    @Test("for a plain string asks how names begin, in any case")
    func plainString() {
        #expect(a.description == "name BEGINSWITH[c] 'a'")
    }

    @Test("is put together from others, and reads back as it is")
    func composition() throws {
        let big = FileQuery(try FileQuery.Comparison(.size, .greater, .integer(10)))
        let folder = FileQuery(try FileQuery.Comparison(.type, .equal, .text("dir")))
        let query = FileQuery.or([.and([a, .and([big, .not(folder)])]), .not(.not(big))])
        #expect(
            query.description
                == "(name BEGINSWITH[c] 'a' AND fileSize > 10 AND NOT type == 'directory') OR fileSize > 10"
        )
        #expect(try FileQuery(parsing: query.description) == query)
        #expect(FileQuery.and([]) == .all)
        #expect(FileQuery.or([]) == .none)
        #expect(FileQuery.and([a]) == a)
    }

    @Test("of parts that don't fit is refused")
    func unfit() {
        #expect(throws: CocoaError.self) { try FileQuery.Comparison(.size, .contains, .integer(1)) }
        #expect(throws: CocoaError.self) { try FileQuery.Comparison(.name, .matches, .text("(")) }
        #expect(throws: CocoaError.self) { try FileQuery.Comparison(.extra("a b"), .equal, .text("x")) }
        #expect(throws: CocoaError.self) {
            try FileQuery.Comparison(.checksum(.init(rawValue: "X")), .equal, .text("x"))
        }
    }
}
