import Foundation
import Testing

@Suite("find")
struct FindTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("prints what it finds below the location, as the location was written")
    func finds() async throws {
        for name in ["d/a.txt", "d/e/b.txt", "d/c.png", "d/.h/d.txt"] { try sandbox.make(name, "12345") }
        let predicate = "name LIKE '*.txt' AND fileSize > 4"
        let found = try await sandbox.ferry("find", "d", predicate)
        #expect(Set(found.lines) == ["d/a.txt", "d/e/b.txt", "d/.h/d.txt"])
        #expect(Set(try await sandbox.ferry("find", "d/", predicate).lines) == Set(found.lines))
        let all = try await sandbox.ferry("find", ".", "TRUEPREDICATE").lines
        #expect(all.contains("./d") && all.contains("./d/e/b.txt") && all.count == 7)
        let objects = try await sandbox.ferry("find", "--json", "d", "name == 'b.txt'").objects
        #expect(objects.map { $0["path"] as? String } == [sandbox.path + "/d/e/b.txt"])
        #expect(try await sandbox.ferry("find", "d", "name == 'none'").code == 0)
    }

    @Test("--explain says who does what, and searches nothing")
    func explains() async throws {
        let outcome = try await sandbox.ferry("find", ".", "name CONTAINS[c] 'a' AND fileSize > 10", "--explain")
        #expect(outcome.output == "server: TRUEPREDICATE\nferry:  name CONTAINS[c] 'a' AND fileSize > 10\n")
    }

    @Test("a malformed predicate is wrong usage, shown with a caret below the place")
    func malformed() async throws {
        let outcome = try await sandbox.ferry("find", ".", "name CONTAIN 'x'")
        #expect(outcome.code == 64)
        #expect(outcome.output == "")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("ferry: "))
        #expect(Array(lines.dropFirst()) == ["  name CONTAIN 'x'", "       ^"])
    }

    @Test("a file is no folder to search in")
    func file() async throws {
        try sandbox.make("a")
        let outcome = try await sandbox.ferry("find", "a", "TRUEPREDICATE")
        #expect(outcome.errors == "ferry: a: not a folder, name the folder that holds it\n")
        #expect(outcome.code == 1)
    }
}
