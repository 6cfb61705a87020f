import FerryCore
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@Suite("Patterns of what to leave out mean what they mean to git")
struct GlobPatternTests {
    /// A pattern, what it is about, and what it isn't; a folder ends in `/`.
    static let cases: [(pattern: String, about: [String], notAbout: [String])] = [
        ("*.o", ["a.o", "x/y/a.o", ".o", "a.o/"], ["a.oo", "a.o/x", "o"]),
        ("/*.o", ["a.o"], ["x/a.o"]),
        ("build/", ["build/", "x/build/"], ["build", "builds/"]),
        ("/build", ["build", "build/"], ["x/build"]),
        ("doc/*.txt", ["doc/a.txt"], ["doc/x/a.txt", "x/doc/a.txt"]),
        ("doc/**/*.txt", ["doc/a.txt", "doc/x/a.txt", "doc/x/y/a.txt"], ["a.txt", "x/doc/a.txt"]),
        ("**/foo", ["foo", "a/foo", "a/b/foo/"], ["foobar"]),
        ("**/foo/bar", ["foo/bar", "a/foo/bar"], ["foo/x/bar"]),
        ("abc/**", ["abc/x", "abc/x/y"], ["abc/", "xabc/x"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/x/bc"]),
        ("a?c", ["abc", "aéc"], ["ac", "abbc", "a/c"]),
        ("a*c*e", ["ace", "abcde", "accee"], ["acd"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
        ("[!a-c]x", ["dx", "éx"], ["ax"]),
        ("[]x]", ["]", "x"], ["[", "y"]),
        ("[ab", [], ["[ab", "a", "b"]),
        ("a\\", [], ["a\\", "a"]),
        ("[[:space:]]x", [" x", "\tx"], ["ax", "x"]),
        ("[[:upper:][:digit:]_]x", ["Ax", "1x", "_x"], ["ax", ":x", " x"]),
        ("[![:alnum:]]x", ["-x", " x"], ["ax", "Zx", "0x"]),
        ("[[:alpha:]-z]x", ["ax", "-x"], ["1x", "_x"]),
        ("[[:xdigit:]]", ["0", "a", "F"], ["g", "x"]),
        ("[[:punct:]]", ["!", "[", "~", ":"], ["a", " "]),
        ("[[:no:]]x", [], ["ax", "nx", ":x", "[x"]),
        ("[[:alpha]x", ["ax", ":x", "[x"], ["bx"]),
        ("[:alpha:]", ["a", ":"], ["b", "z"]),
        ("[a-[:digit:]]x", ["d]x", ":]x"], ["ax", "1x"]),
        ("[a/b]", ["a", "b"], ["x/a", "a/b"]),
        ("[\\]]x", ["]x"], ["\\x"]),
        ("[--0]x", ["-x", ".x", "0x"], ["1x"]),
        ("[z-a]", ["z"], ["a", "m", "-"]),
        ("x[a-]", ["xa", "x-"], ["xb"]),
        ("\\*", ["*"], ["x"]),
        ("\\!important", ["!important"], ["important"]),
        ("\\#x", ["#x"], ["x"]),
        ("with space ", ["with space"], ["with space "]),
        ("with space\\ ", ["with space "], ["with space"]),
        ("é", ["é"], ["e\u{301}"]),
        ("!x", ["x"], ["y"]),
        ("*", ["a", "x/a", ".a"], []),
    ]

    @Test("each line is about what git says", arguments: cases)
    func matching(_ example: (pattern: String, about: [String], notAbout: [String])) throws {
        let pattern = try #require(GlobPattern(example.pattern))
        for (texts, expected) in [(example.about, true), (example.notAbout, false)] {
            for text in texts {
                let path = try ItemPath(parsing: text)
                #expect(pattern.matches(path, isFolder: text.hasSuffix("/")) == expected, "\(text)")
            }
        }
    }

    @Test(
        "and git says so",
        .enabled("git has to be there") {
            try await TestProgram.run("git", ["--version"]).ending.isSuccess
        }
    )
    func git() async throws {
        try await withTemporaryFolder { folder in
            func git(_ arguments: [String], input: String = "") async throws -> String {
                try await TestProgram.run("git", ["-C", folder.path] + arguments, input: Data(input.utf8)).output
            }
            _ = try await git(["init", "-q"])
            for (pattern, about, notAbout) in Self.cases where !pattern.hasPrefix("!") {
                try Data("\(pattern)\n".utf8).write(to: folder.appending(path: ".gitignore"))
                // It takes bytes for characters, what begins with a colon for something else, and a folder for one only
                // if it is there.
                let names = (about + notAbout).filter {
                    $0.allSatisfy(\.isASCII) && !$0.hasSuffix("/") && !$0.hasPrefix(":")
                }
                let said = try await git(
                    ["check-ignore", "--no-index", "-z", "--stdin"],
                    input: names.map { $0 + "\0" }.joined()
                )
                let glob = try #require(GlobPattern(pattern))
                // Items below a folder that is left out are left out, too; a transfer doesn't enter it.
                let ours = try names.filter { name in
                    var (path, isFolder) = (try ItemPath(parsing: name), false)
                    while !path.isRoot {
                        if glob.matches(path, isFolder: isFolder) { return true }
                        (path, isFolder) = (path.parent, true)
                    }
                    return false
                }
                #expect(Set(said.split(separator: "\0").map(String.init)) == Set(ours), "\(pattern)")
            }
        }
    }

    @Test("empty lines and comments are none")
    func nothing() {
        #expect(
            TransferFilter.patterns(in: "# what we don't want\n\n  \n*.o\r\n!a.o\n").map(\.text) == ["*.o", "!a.o"]
        )
        #expect(GlobPattern("/") == nil)
    }

    @Test("a pattern that could be tried in too many ways is still quick")
    func bounded() throws {
        let pattern = try #require(GlobPattern("**/" + String(repeating: "a*", count: 40) + "/**/" + "b"))
        let path = ItemPath.root.appending(String(repeating: "a", count: 200)).appending("c")
        #expect(!pattern.matches(path, isFolder: false))
    }

    @Test("the last pattern that is about an item decides, and only files have a size and a date")
    func filter() throws {
        var filter = TransferFilter(patterns: TransferFilter.patterns(in: "*.log\n!keep.log"))
        filter.minimumSize = 10
        filter.changedBefore = Date(timeIntervalSince1970: 1_000)
        func includes(_ name: String, _ type: FileObject.Kind, _ size: Int64?, _ time: Double?) -> Bool {
            var item = FileObject(name: name, in: .root, type: type, size: size)
            item.modifiedDate = time.map { Date(timeIntervalSince1970: $0) }
            return filter.includes(item, at: item.path)
        }
        #expect(includes("a", .file, 10, 999))
        #expect(!includes("a", .file, 9, 999))
        #expect(!includes("a", .file, 10, 1_000))
        #expect(includes("a", .file, nil, nil), "nobody knows")
        #expect(includes("a", .directory, nil, 5_000))
        #expect(!includes("a.log", .file, 10, 999))
        #expect(!includes("a.log", .directory, nil, nil))
        #expect(includes("keep.log", .file, 10, 999))
        filter.query = try FileQuery(parsing: "name BEGINSWITH 'k'")
        #expect(includes("keep.log", .file, 10, 999))
        #expect(!includes("a", .file, 10, 999))
        #expect(includes("a", .directory, nil, nil))
    }

    @Test("with names of what alone is meant, all else stays out; folders that are meant are so with all below them")
    func including() throws {
        let filter = TransferFilter(
            patterns: TransferFilter.patterns(in: "*.tmp"),
            includes: TransferFilter.patterns(in: "*.jpg\n/docs/\n!/docs/old/")
        )
        func includes(_ text: String) throws -> Bool {
            let path = try ItemPath(parsing: text)
            return filter.includes(FileObject(path: path, type: text.hasSuffix("/") ? .directory : .file), at: path)
        }
        #expect(try includes("/a.jpg") && includes("/x/y/a.jpg") && includes("/docs/a") && includes("/docs/x/y"))
        #expect(try includes("/anything/"), "folders are entered")
        #expect(
            try !includes("/a.png") && !includes("/docs/old/a") && !includes("/docs/a.tmp") && !includes("/x/docs/a")
        )
        #expect(try includes("/docs/old/a.jpg"), "what is about the file itself decides")
    }

    @Test("patterns come from files, with a mark at their beginning or without")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "ignore")
            try Data("\u{FEFF}# no logs\r\n*.log\r\n!keep.log\r\n".utf8).write(to: file)
            #expect(try TransferFilter.patterns(inFile: file).map(\.text) == ["*.log", "!keep.log"])
            #expect(throws: CocoaError.self) { try TransferFilter.patterns(inFile: folder.appending(path: "none")) }
        }
    }

    @Test("files are as old or as young as was asked for")
    func ages() {
        var filter = TransferFilter()
        let now = Date(timeIntervalSince1970: 10_000)
        filter.limitAge(minimum: .seconds(100), maximum: .seconds(1_000), now: now)
        func includes(_ age: Double) -> Bool {
            var item = FileObject(path: "/a", type: .file)
            item.modifiedDate = now.addingTimeInterval(-age)
            return filter.includes(item, at: "/a")
        }
        #expect(includes(101) && includes(1_000) && !includes(100) && !includes(99) && !includes(1_001))
    }
}
