import FerryCore
import FerryTestKit
import Foundation
import Testing

@Suite("A query's normal form")
struct FileQueryNormalFormTests {
    @Test(
        "has negations at comparisons only, nothing nested in its like, and no constants",
        arguments: [
            ("NOT NOT name = 'a'", "name == 'a'"),
            ("NOT name = 'a'", "name != 'a'"),
            ("NOT name !=[c] 'a'", "name ==[c] 'a'"),
            ("NOT fileSize > 1", "NOT fileSize > 1"),
            ("NOT fileSize = NULL", "fileSize != NULL"),
            ("NOT (name = 'a' AND NOT fileSize > 1)", "name != 'a' OR fileSize > 1"),
            ("NOT (name = 'a' OR name = 'b')", "name != 'a' AND name != 'b'"),
            ("id='a' AND (id='b' AND (id='c' AND id='d'))", "id == 'a' AND id == 'b' AND id == 'c' AND id == 'd'"),
            ("id='a' AND NOT (id='b' OR id='c')", "id == 'a' AND id != 'b' AND id != 'c'"),
            ("id='a' AND TRUEPREDICATE", "id == 'a'"),
            ("id='a' AND FALSEPREDICATE", "FALSEPREDICATE"),
            ("id='a' OR NOT FALSEPREDICATE", "TRUEPREDICATE"),
            ("id='a' OR FALSEPREDICATE", "id == 'a'"),
            ("id='a' AND (id='b' OR TRUEPREDICATE)", "id == 'a'"),
            ("id IN {} OR id = 'a'", "id == 'a'"),
            ("fileSize BETWEEN {1, 9}", "fileSize BETWEEN {1, 9}"),
        ]
    )
    func normalized(text: String, normal: String) throws {
        #expect(try FileQuery(parsing: text).normalized.description == normal)
    }
}

@Suite("A query is divided")
struct FileQueryPlanTests {
    @Test(
        "so that the server does what it can",
        arguments: [
            ("name BEGINSWITH[c] 'a' AND fileSize > 10", "name BEGINSWITH[c] 'a'", "fileSize > 10"),
            ("name = 'a'", "name == 'a'", "TRUEPREDICATE"),
            ("fileSize > 1", "TRUEPREDICATE", "fileSize > 1"),
            ("name = 'a' OR name = 'b'", "name == 'a' OR name == 'b'", "TRUEPREDICATE"),
            ("name = 'a' OR fileSize > 1", "TRUEPREDICATE", "name == 'a' OR fileSize > 1"),
            ("NOT (name = 'a' OR fileSize > 1)", "name != 'a'", "NOT fileSize > 1"),
            ("FALSEPREDICATE", "FALSEPREDICATE", "TRUEPREDICATE"),
            ("TRUEPREDICATE", "TRUEPREDICATE", "TRUEPREDICATE"),
        ]
    )
    func plan(text: String, server: String, ferry: String) throws {
        let query = try FileQuery(parsing: text)
        #expect(query.explain { $0.attribute == .name } == "server: \(server)\nferry:  \(ferry)")
    }

    @Test("without OR and NOT for a server that knows neither")
    func withoutOrAndNot() throws {
        let query = try FileQuery(parsing: "(name = 'a' OR name = 'b') AND NOT name LIKE 'c*' AND name != 'd'")
        let parts = query.split(allowsOr: false, allowsNot: false) { _ in true }
        #expect(parts.pushed.description == "name != 'd'")
        #expect(parts.remainder.description == "(name == 'a' OR name == 'b') AND NOT name LIKE 'c*'")
    }

    @Test("soundly, whatever the query and the items are")
    func soundness() throws {
        var random = RandomQueries(seed: 42)
        for _ in 0..<1_500 {
            let text = random.query(depth: 4)
            let query = try FileQuery(parsing: text)
            let read = try FileQuery(parsing: query.description)
            #expect(read == query)
            #expect(read.hashValue == query.hashValue)
            let pushable = Set(FileQuery.Operation.allCases.filter { _ in Bool.random(using: &random.generator) })
            let allowsOr = Bool.random(using: &random.generator)
            let allowsNot = Bool.random(using: &random.generator)
            let (pushed, remainder) = query.split(allowsOr: allowsOr, allowsNot: allowsNot) {
                pushable.contains($0.operation)
            }
            let normal = query.normalized
            #expect(normal.normalized == normal)
            for _ in 0..<20 {
                let file = random.file()
                let isMatch = query.matches(file)
                #expect(normal.matches(file) == isMatch, "\(text) \(file)")
                #expect((pushed.matches(file) && remainder.matches(file)) == isMatch, "\(text) \(file)")
                #expect(!isMatch || pushed.matches(file), "\(text) \(file)")
            }
        }
    }
}

/// Queries and items in which every part of the language occurs, and which often match.
private struct RandomQueries {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    mutating func query(depth: Int) -> String {
        switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &generator) {
        case 0, 1: condition()
        case 2: "NOT (\(query(depth: depth - 1)))"
        case 3: "(\(query(depth: depth - 1)) OR \(query(depth: depth - 1)))"
        case 4: "(\(query(depth: depth - 1))) AND (\(query(depth: depth - 1))) AND \(condition())"
        default: "(\(query(depth: depth - 1)) OR \(query(depth: depth - 1)) OR \(condition()))"
        }
    }

    private mutating func condition() -> String {
        let options = pick(["", "", "[c]", "[d]", "[cd]"])
        let text = pick(["'a'", "'B'", "'ab'", "'\u{e9}'", "'*a'", "''"])
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return pick(["TRUEPREDICATE", "FALSEPREDICATE", "id = NULL", "fileSize != NULL"])
        case 1: return "fileSize \(pick(["=", "!=", "<", "<=", ">", ">="])) \(pick(["1", "2.5", "-1", "3"]))"
        case 2: return "fileSize BETWEEN {\(pick(["0", "2"])), \(pick(["1", "3.5"]))}"
        case 3: return "modifiedDate \(pick(["=", "!=", "<", ">="])) '2001-01-0\(pick(["1", "2", "3"]))'"
        case 4: return "type \(pick(["=", "!="])) '\(pick(["file", "directory"]))'"
        case 5: return "isDirectory = \(pick(["TRUE", "FALSE"]))"
        case 6: return "\(pick(["name", "id"])) IN\(options) {'a', \(text)}"
        default:
            let operation = pick(["=", "!=", "<", ">", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
            return "\(pick(["name", "id", "extras.x"])) \(operation)\(options) \(text)"
        }
    }

    mutating func file() -> FileObject {
        let texts = ["a", "A", "ab", "ba", "b", "\u{e9}", "e\u{301}a", "*a", ""]
        var file = FileObject(name: pick(texts), in: "/", type: pick([.file, .directory, .symlink]))
        file.size = pick([nil, 0, 1, 2, 3])
        file.id = pick([nil] + texts)
        file.modifiedDate = pick([nil, 0, 86400, 200_000]).map { Date(timeIntervalSinceReferenceDate: $0) }
        file.extras[FileObjectExtras.Key<String>("x")] = pick([nil] + texts)
        return file
    }
}
