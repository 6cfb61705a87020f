import FerryTestServers
import Foundation
import Testing

@Suite("Remotes have names")
struct RemoteTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func add(_ name: String = "work", _ more: [String] = [], password: String = "s3cret") async throws {
        let arguments = [
            "remote", "add", name, "--type", "webdav", "--url", "https://example.org/dav/", "--user", "alice",
        ]
        let outcome = try await sandbox.ferry(arguments + more, password: password)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output == "")
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private var remotesText: String {
        String(decoding: FileManager.default.contents(atPath: sandbox.remotesFile) ?? Data(), as: UTF8.self)
    }

    private var secretsText: String {
        String(decoding: FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data(), as: UTF8.self)
    }

    @Test("a remote is kept in TOML, its password apart; only their owner can read them")
    func added() async throws {
        try sandbox.make("ca.pem", TestAuthority().certificatePEM)
        try await add("work", ["--ca-file", "ca.pem"])
        #expect(try await sandbox.ferry("remote", "list").output == "work  webdav  https://example.org/dav/ (alice)\n")
        let object = try #require(try await sandbox.ferry("remote", "list", "--json").objects.first)
        #expect(object["url"] as? String == "https://example.org/dav/")
        #expect(object["options"] as? [String: String] == ["certificate-authority": sandbox.path + "/ca.pem"])
        #expect(remotesText.contains("[work]") && !remotesText.contains("s3cret"))
        #expect(secretsText.contains("s3cret"))
        #expect(try mode(sandbox.remotesFile) == 0o600)
        #expect(try mode(sandbox.secretsFile) == 0o600)
        let shown = try await sandbox.bash("ferry remote show work; ferry remote show work: --json; ferry remote list")
        #expect(!shown.output.contains("s3cret") && !shown.errors.contains("s3cret"))
        #expect(shown.output.contains("password  stored in ") && shown.output.contains(#""hasPassword":true"#))
    }

    @Test("the password comes from the first line of the standard input")
    func passwordFromInput() async throws {
        let line = "ferry remote add work --type webdav --url https://example.org/ --user alice --password-stdin"
        #expect(try await sandbox.bash(line, input: "first word\r\nsecond\n").code == 0)
        #expect(secretsText.contains(#""first word""#))
        let empty = try await sandbox.bash(line + " --force", input: "\n")
        #expect(empty.errors == "ferry: standard input: there is no password in it, give it as the first line\n")
        #expect(secretsText.contains(#""first word""#))
    }

    @Test("without a terminal nobody is asked: the error says what to do, and nothing is kept")
    func nobodyToAsk() async throws {
        let outcome = try await sandbox.bash(
            "setsid ferry remote add work --type webdav --url https://example.org/ --user alice".replacing(
                "setsid ferry",
                with: "setsid -w \"$FERRY\""
            )
        )
        #expect(
            outcome.errors == """
                ferry: the password of alice at example.org is not known, give it with --password-stdin, or \
                --no-password to be asked later

                """
        )
        #expect(outcome.code == 1)
        #expect(try await sandbox.ferry("remote", "list").output == "")
    }

    @Test(
        "names that could not stand before a colon are refused",
        arguments: ["a:b", "a/b", "memory", "dav", "https", ".x", "~", " a", "a\nb", ""]
    )
    func names(_ name: String) async throws {
        let outcome = try await sandbox.ferry(
            ["remote", "add", "--type", "webdav", "--url", "https://example.org/", "--", name],
            password: "x"
        )
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("ferry: ") && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        #expect(remotesText == "")
    }

    @Test("a remote is replaced only with --force")
    func duplicates() async throws {
        try await add()
        let again = ["remote", "add", "work", "--type", "webdav", "--url", "https://other.example/"]
        let refused = try await sandbox.ferry(again, password: "x")
        #expect(
            refused.errors
                == "ferry: work: there is a remote of this name already, choose another name, or give --force\n"
        )
        #expect(refused.code == 1)
        #expect(try await sandbox.ferry(again + ["--force"], password: "x").code == 0)
        #expect(try await sandbox.ferry("remote", "list").output == "work  webdav  https://other.example/\n")
    }

    @Test(
        "a password in a URL is refused, and shown nowhere",
        arguments: [
            "remote add w --type webdav --url https://alice:s3cret@example.org/",
            "ls davs://alice:s3cret@example.org/x",
            "cp dav://alice:s3cret@example.org/a b", "rm http://alice:s3cret@[::1]:80/a",
        ]
    )
    func passwordInURL(_ arguments: String) async throws {
        let outcome = try await sandbox.bash("ferry \(arguments)")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("a password in a URL can be seen by others, leave it out"))
        #expect(!outcome.errors.contains("s3cret") && !outcome.output.contains("s3cret"))
        #expect(remotesText == "")
    }

    @Test("an option that the storage does not know is refused, not forgotten")
    func unknownOption() async throws {
        let outcome = try await sandbox.bash(
            "ferry remote add w --type webdav --url https://example.org/ --option colour=red=blue"
        )
        #expect(
            outcome.errors.hasPrefix(
                "ferry: colour: a storage of type 'webdav' knows no such option, it knows: authentication, "
            )
        )
        #expect(outcome.code == 1)
        #expect(remotesText == "")
    }

    @Test("a password belongs to its remote: removing or logging out of another at the same place leaves it")
    func remove() async throws {
        try await add("one", password: "f1rst")
        try await add("two", password: "s3cond")
        try await add("three", password: "th1rd")
        #expect(secretsText.contains("f1rst") && secretsText.contains("s3cond"))
        #expect(try await sandbox.ferry("remote", "logout", "three").code == 0)
        #expect(try await sandbox.ferry("remote", "show", "one").output.contains("password  stored in "))
        #expect(try await sandbox.ferry("remote", "remove", "one").code == 0)
        #expect(secretsText.contains("s3cond") && !secretsText.contains("f1rst") && !secretsText.contains("th1rd"))
        #expect(try await sandbox.ferry("remote", "rename", "two", "other").code == 0)
        #expect(try await sandbox.ferry("remote", "show", "other").output.contains("password  stored in "))
        try await add("two", ["--no-password"])
        #expect(try await sandbox.ferry("remote", "show", "two").output.contains("password  not stored"))
        #expect(try await sandbox.ferry("remote", "remove", "two", "other:").code == 0)
        #expect(!secretsText.contains("s3cond"))
        let gone = try await sandbox.ferry("remote", "remove", "two")
        #expect(gone.errors == "ferry: two: there is no remote called 'two', see 'ferry remote list'\n")
        #expect(gone.code == 1)
    }

    @Test("a remote that a person has written keeps its password when its name changes, and takes none to another URL")
    func written() async throws {
        let folder = URL(filePath: sandbox.remotesFile).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = "\u{FEFF}[lab]  \r\ntype = \"webdav\" \r\nurl = \"https://lab.example/\"\r\nuser = \"ann\"\r\n"
        try Data(text.utf8).write(to: URL(filePath: sandbox.remotesFile))
        #expect(try await sandbox.bash("ferry remote login lab --password-stdin", input: "s3cret\n").code == 0)
        #expect(try await sandbox.ferry("remote", "rename", "lab", "desk").code == 0)
        #expect(try await sandbox.ferry("remote", "show", "desk").output.contains("password  stored in "))
        let moved = remotesText.replacing("lab.example", with: "elsewhere.example")
        try Data(moved.utf8).write(to: URL(filePath: sandbox.remotesFile))
        #expect(try await sandbox.ferry("remote", "show", "desk").output.contains("password  not stored"))
    }

    @Test("rename keeps all of it; login and logout change the password alone")
    func renameAndLogin() async throws {
        try sandbox.make("ca.pem", TestAuthority().certificatePEM)
        try await add("one", ["--ca-file", "ca.pem"])
        try await add("three")
        #expect(try await sandbox.ferry("remote", "rename", "one", "two").code == 0)
        #expect(try await sandbox.ferry("remote", "rename", "two", "three").errors.contains("of this name already"))
        let lines = try await sandbox.ferry("remote", "list").lines
        #expect(lines.map { $0.prefix(5) } == ["three", "two  "])
        #expect(try await sandbox.ferry("remote", "logout", "two").code == 0)
        #expect(try await sandbox.ferry("remote", "show", "two").output.contains("password  not stored"))
        #expect(try await sandbox.bash("ferry remote login two --password-stdin", input: "new\n").code == 0)
        #expect(secretsText.contains(#""new""#))
        #expect(try await sandbox.ferry("remote", "show", "two").output.contains("/ca.pem\n"))
    }

    @Test("what ferry does not know stays in the file; a mistake in it is told with its line")
    func unknownKeys() async throws {
        let folder = URL(filePath: sandbox.remotesFile).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("[lab]\ntype = \"webdav\"\nurl = \"https://lab.example/\"\ncolour = [1, 2]\n".utf8)
            .write(to: URL(filePath: sandbox.remotesFile))
        try await add()
        #expect(remotesText.contains("colour = [ 1, 2 ]"))
        #expect(try await sandbox.ferry("remote", "list").lines.count == 2)
        try Data("[lab]\ntype = \n".utf8).write(to: URL(filePath: sandbox.remotesFile))
        let broken = try await sandbox.ferry("remote", "list")
        #expect(broken.errors.hasPrefix("ferry: \(sandbox.remotesFile):2: not valid TOML ("), "\(broken)")
        #expect(broken.code == 1)
        #expect(remotesText == "[lab]\ntype = \n")
    }

    @Test("a remote that is described wrongly is told, and the others work")
    func brokenEntry() async throws {
        try await add()
        let text = remotesText + "\n[lab]\nurl = \"https://lab.example/\"\n"
        try Data(text.utf8).write(to: URL(filePath: sandbox.remotesFile))
        let list = try await sandbox.ferry("remote", "list")
        #expect(list.output == "work  webdav  https://example.org/dav/ (alice)\n")
        #expect(list.errors.contains("the remote 'lab' has no type, correct it, or remove it"))
        #expect(list.code == 1)
        #expect(try await sandbox.ferry("remote", "remove", "lab").code == 0)
        #expect(try await sandbox.ferry("remote", "list").code == 0)
    }

    @Test("many at the same time lose none of each other's remotes")
    func together() async throws {
        let outcome = try await sandbox.bash(
            "for i in $(seq 12); do ferry remote add r$i --type webdav --url https://r$i.example/ 2>/dev/null & done; wait"
        )
        #expect(outcome.code == 0)
        #expect(try await sandbox.ferry("remote", "list").lines.count == 12)
    }
}
