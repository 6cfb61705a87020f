import Foundation
import Testing

@Suite("ls")
struct ListTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("lists names as a person sorts them, and hidden ones only with -a")
    func names() async throws {
        for name in ["a10", "a2", "B", ".hidden"] { try sandbox.make(name) }
        #expect(try await sandbox.ferry("ls").output == "a2\na10\nB\n")
        #expect(try await sandbox.ferry("ls", "-a").output == ".hidden\na2\na10\nB\n")
    }

    @Test(
        "sorts by what is asked for",
        arguments: [
            (["--sort", "size"], "b.x\na.z\nc.y\n"), (["--sort", "size", "--reverse"], "c.y\na.z\nb.x\n"),
            (["--sort", "extension"], "b.x\nc.y\na.z\n"), (["--sort", "name"], "a.z\nb.x\nc.y\n"),
            (["--sort", "modified"], "c.y\na.z\nb.x\n"),
        ]
    )
    func sorting(_ options: [String], _ expected: String) async throws {
        try sandbox.make("a.z", "22")
        try sandbox.make("b.x", "1")
        try sandbox.make("c.y", "333")
        let script = "touch -d 2020-01-01 c.y; touch -d 2021-01-01 a.z; ferry ls \(options.joined(separator: " "))"
        #expect(try await sandbox.bash(script).output == expected)
    }

    @Test("the long form aligns sizes, and shows what links point to")
    func long() async throws {
        try sandbox.make("note.txt", String(repeating: "x", count: 1234))
        try sandbox.make("run", "#!")
        try sandbox.makeLink("link", to: "note.txt")
        let script = "touch -h -d '2026-01-31 09:30' *; chmod 644 note.txt; chmod 4755 run; ferry ls -l"
        #expect(
            try await sandbox.bash(script).output == """
                lrwxrwxrwx    -  2026-01-31 09:30  link -> note.txt
                -rw-r--r-- 1234  2026-01-31 09:30  note.txt
                -rwsr-xr-x    2  2026-01-31 09:30  run

                """
        )
        let human = try await sandbox.bash("ferry ls -l --human note.txt")
        #expect(human.output == "-rw-r--r-- 1.3K  2026-01-31 09:30  note.txt\n")
    }

    @Test("-R lists folder after folder with a header each, and leaves hidden folders out")
    func recursive() async throws {
        for name in ["b/deep/x", "b/y", "a", ".git/config"] { try sandbox.make(name) }
        #expect(try await sandbox.ferry("ls", "-R").output == ".:\na\nb\n\n./b:\ndeep\ny\n\n./b/deep:\nx\n")
        #expect(try await sandbox.ferry("ls", "-R", "b/").output == "b/:\ndeep\ny\n\nb/deep:\nx\n")
        #expect(try await sandbox.ferry("ls", "-R", "-a", "--json").lines.count == 7)
        #expect(try await sandbox.ferry("ls", "-R", "--json").lines.count == 5)
    }

    @Test("a file is listed itself, and a link to a folder shows the folder")
    func files() async throws {
        try sandbox.make("d/x")
        try sandbox.makeLink("l", to: "d")
        try sandbox.makeLink("broken", to: "nowhere")
        #expect(try await sandbox.ferry("ls", "d/x").output == "d/x\n")
        #expect(try await sandbox.ferry("ls", "l").output == "x\n")
        #expect(try await sandbox.ferry("ls", "l/").output == "x\n")
        #expect(try await sandbox.ferry("ls", "broken").output == "broken\n")
        #expect(try await sandbox.ferry("ls", "d/x", "d").output == "d/x\n\nd:\nx\n")
    }

    @Test("JSON has the agreed keys in order, and dates in UTC")
    func json() async throws {
        try sandbox.make("a\"b.txt", "hello")
        try sandbox.makeLink("l", to: "a")
        let script = "touch -d '2026-01-31 09:30:00.25 UTC' a*; ferry ls --json --sort natural"
        let outcome = try await sandbox.bash(script)
        let first = try #require(outcome.lines.first)
        let start = #"{"path":"\#(sandbox.path)/a\"b.txt","name":"a\"b.txt","type":"file","size":5,"#
        #expect(first.hasPrefix(start + #""modified":"2026-01-31T09:30:00.25Z","created":""#), "\(first)")
        let known = ["path", "name", "type", "size", "modified", "created", "id", "eTag", "contentType"]
        for object in try outcome.objects { #expect(Set(object.keys).isSubset(of: known)) }
        let link = try outcome.objects[1]
        #expect(link["type"] as? String == "symlink")
        #expect(link["size"] == nil)
    }

    @Test("an unreadable folder is reported, and the others are listed")
    func unreadable() async throws {
        for name in ["a/x", "b/y", "c/z"] { try sandbox.make(name) }
        let script = """
            chmod 755 . ..; chmod 0 b
            if [ $(id -u) = 0 ]; then setpriv --reuid 65534 --clear-groups "$FERRY" ls -R .; else ferry ls -R .; fi
            code=$?; chmod 755 b; exit $code
            """
        let outcome = try await sandbox.bash(script)
        #expect(outcome.output == ".:\na\nb\nc\n\n./a:\nx\n\n./c:\nz\n")
        #expect(outcome.errors == "ferry: ./b: you are not allowed to read it, check its permissions\n")
        #expect(outcome.code == 1)
    }

    @Test("a storage in memory is empty at first")
    func memory() async throws {
        let outcome = try await sandbox.ferry("ls", "memory:")
        #expect(outcome.output == "" && outcome.errors == "" && outcome.code == 0)
    }

    @Test("tree draws what is there")
    func tree() async throws {
        for name in ["b/deep/x", "b/y", "a", ".h"] { try sandbox.make(name) }
        try sandbox.makeLink("l", to: "b")
        #expect(
            try await sandbox.ferry("tree").output == """
                .
                ├── a
                ├── b
                │   ├── deep
                │   │   └── x
                │   └── y
                └── l -> b

                2 folders, 4 files

                """
        )
        #expect(try await sandbox.ferry("tree", "-L", "1", "b").output == "b\n├── deep\n└── y\n\n1 folder, 1 file\n")
    }

    @Test("stat shows all that is known, of a link the link")
    func stat() async throws {
        try sandbox.make("a", "12345")
        try sandbox.makeLink("l", to: "a")
        let text = try await sandbox.ferry("stat", "a").output
        #expect(text.contains("path  \(sandbox.path)/a\n") && text.contains("size  5 bytes\n"))
        let object = try #require(try await sandbox.ferry("stat", "--json", "l").objects.first)
        #expect(object["type"] as? String == "symlink")
        #expect(object["linkDestination"] as? String == "a")
    }

    @Test("du counts bytes folder by folder, df knows the room")
    func usage() async throws {
        try sandbox.make("a/b/x", "123")
        try sandbox.make("a/y", "12345")
        #expect(try await sandbox.ferry("du", "a").output == "3\ta/b\n8\ta\n")
        #expect(try await sandbox.ferry("du", "-s").output == "8\t.\n")
        let object = try #require(try await sandbox.ferry("du", "-s", "--json", "a").objects.first)
        #expect(object["size"] as? Int == 8 && object["type"] as? String == "directory")
        let room = try #require(try await sandbox.ferry("df", "--json").objects.first)
        #expect(try #require(room["total"] as? Int) > 0)
        #expect(try await sandbox.ferry("df").lines.count == 2)
    }
}
