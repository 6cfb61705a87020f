import Foundation
import Testing

@Suite("cp, mv, rm, mkdir")
struct TransferTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("cp -r A B makes B like A when B doesn't exist, and B/A when it does")
    func copyFolder() async throws {
        try sandbox.make("A/x", "1")
        try sandbox.make("A/sub/y", "2")
        try sandbox.makeLink("A/link", to: "x")
        #expect(try await sandbox.ferry("cp", "-r", "A", "B").code == 0)
        #expect(try sandbox.names("B") == ["link", "sub", "sub/y", "x"])
        #expect(sandbox.destination("B/link") == "x")
        #expect(try await sandbox.ferry("cp", "-r", "A", "B").code == 0)
        #expect(try sandbox.names("B/A") == ["link", "sub", "sub/y", "x"])
        let again = try await sandbox.ferry("cp", "-r", "A", "B")
        #expect(again.code == 1)
        #expect(again.errors == "ferry: B/A: already exists, choose another name, or give --overwrite (-f)\n")
        try sandbox.make("B/A/own", "3")
        try sandbox.make("A/x", "new")
        #expect(try await sandbox.ferry("cp", "-rf", "A", "B").code == 0)
        #expect(sandbox.contents("B/A/own") == "3")
        #expect(sandbox.contents("B/A/x") == "new")
    }

    @Test("files go into a folder, one by one or several at a time")
    func copyFiles() async throws {
        try sandbox.make("a", "1")
        try sandbox.make("b", "2")
        try sandbox.makeFolder("d")
        try sandbox.makeLink("l", to: "d")
        #expect(try await sandbox.ferry("cp", "a", "d/").code == 0)
        #expect(try await sandbox.ferry("cp", "a", "b", "l").errors.hasPrefix("ferry: l/a: already exists"))
        #expect(try sandbox.names("d") == ["a", "b"])
        #expect(try await sandbox.ferry("cp", "a", "b", "missing").errors.hasPrefix("ferry: missing: no such folder"))
        #expect(try await sandbox.ferry("cp", "a", "missing/").errors.hasPrefix("ferry: missing/: no such folder"))
        #expect(try await sandbox.ferry("cp", "a", "b", "a").errors.hasPrefix("ferry: a: not a folder"))
        #expect(try sandbox.names() == ["a", "b", "d", "d/a", "d/b", "l"])
    }

    @Test("a link is followed by cp, and kept by cp -r")
    func copyLinks() async throws {
        try sandbox.make("a", "1")
        try sandbox.makeLink("l", to: "a")
        #expect(try await sandbox.bash("ferry cp l x && ferry cp -r l y").code == 0)
        #expect(sandbox.destination("x") == nil)
        #expect(sandbox.contents("x") == "1")
        #expect(sandbox.destination("y") == "a")
    }

    @Test("two sources of one name don't replace each other, whatever is allowed")
    func twins() async throws {
        try sandbox.make("a/x", "1")
        try sandbox.make("b/x", "2")
        try sandbox.makeFolder("d")
        let outcome = try await sandbox.ferry("mv", "-f", "a/x", "b/x", "d")
        #expect(outcome.errors == "ferry: d/x: two sources have this name, copy or move them one by one\n")
        #expect(sandbox.contents("d/x") == "1")
        #expect(sandbox.contents("b/x") == "2")
    }

    @Test("nothing is replaced without --overwrite", arguments: ["cp", "mv"])
    func overwrite(_ command: String) async throws {
        try sandbox.make("a", "new")
        try sandbox.make("b", "old")
        let refused = try await sandbox.ferry(command, "a", "b")
        #expect(refused.errors == "ferry: b: already exists, choose another name, or give --overwrite (-f)\n")
        #expect(refused.code == 1)
        #expect(sandbox.contents("a") == "new" && sandbox.contents("b") == "old")
        #expect(try await sandbox.ferry(command, "--overwrite", "a", "b").code == 0)
        #expect(sandbox.contents("b") == "new")
        #expect((sandbox.contents("a") != nil) == (command == "cp"))
    }

    @Test("an item onto itself, a folder into itself, a folder onto a file: refused, and nothing changes")
    func senseless() async throws {
        try sandbox.make("a", "1")
        try sandbox.make("d/x", "2")
        for script in [
            "ferry cp a a", "ferry cp -f a ./a", "ferry mv a a", "ferry cp -r d d/e", "ferry cp -r d d",
            "ferry mv d d/x",
            "ferry mv d d", "ferry cp -r d a", "ferry mv -f d a", "ferry cp d b", "ferry mv . ..", "ferry mv a a/b",
        ] {
            let outcome = try await sandbox.bash(script)
            #expect(outcome.code == 1, "\(script): \(outcome)")
            #expect(
                outcome.errors.hasPrefix("ferry: ") && outcome.errors.split(separator: "\n").count == 1,
                "\(script)"
            )
        }
        #expect(try sandbox.names() == ["a", "d", "d/x"])
        #expect(sandbox.contents("a") == "1" && sandbox.contents("d/x") == "2")
    }

    @Test("mv renames, and moves into a folder")
    func move() async throws {
        try sandbox.make("a", "1")
        try sandbox.make("d/x", "2")
        #expect(try await sandbox.bash("ferry mv a b && ferry mv b d && ferry mv d e").code == 0)
        #expect(try sandbox.names() == ["e", "e/b", "e/x"])
    }

    @Test("to another storage, files, folders and links are copied; mv removes the source then")
    func acrossStorages() async throws {
        try sandbox.make("d/x", "2")
        try sandbox.make("d/e/y", "3")
        try sandbox.makeLink("d/l", to: "x")
        #expect(try await sandbox.ferry("cp", "-r", "d", "memory:d").code == 0)
        #expect(try await sandbox.ferry("cp", "d", "memory:d").errors.hasPrefix("ferry: d: is a folder, give -r"))
        #expect(try sandbox.names("d") == ["e", "e/y", "l", "x"])
        #expect(try await sandbox.ferry("mv", "d", "memory:").code == 0)
        #expect(try sandbox.names() == [])
    }

    @Test("rm removes files and links, folders only with -r, and never '.', '..' or '/'")
    func remove() async throws {
        try sandbox.make("d/x")
        try sandbox.makeLink("l", to: "d")
        try sandbox.make("a")
        let refused = try await sandbox.ferry("rm", "d", "a", "gone")
        #expect(
            refused.errors == """
                ferry: d: is a folder, give -r to remove it with all below it
                ferry: gone: no such file or folder, check the name, or list the folder it should be in

                """
        )
        #expect(refused.code == 1)
        #expect(try sandbox.names() == ["d", "d/x", "l"])
        #expect(try await sandbox.ferry("rm", "-f", "gone").code == 0)
        let twice = try await sandbox.bash(
            "mkdir dd; touch dd/x yy; ferry rm -rf --permanent dd dd/x yy yy; ls -d dd yy"
        )
        #expect(twice.lines.isEmpty && !twice.errors.contains("ferry"), "\(twice)")
        #expect(try await sandbox.ferry("rm", "-r", "l/").code == 1)
        for place in [".", "./", "..", "/", "//", "d/..", "d/.", "memory:", "memory:/"] {
            let outcome = try await sandbox.ferry("rm", "-rf", place)
            let advice = "name the items in it that you want to remove"
            #expect(outcome.errors == "ferry: \(place): is never removed as a whole, \(advice)\n")
            #expect(outcome.code == 1)
        }
        #expect(try await sandbox.ferry("rm", "l").code == 0)
        #expect(try sandbox.names() == ["d", "d/x"])
        #expect(try await sandbox.ferry("rm", "-r", "d").code == 0)
        #expect(try sandbox.names() == [])
    }

    @Test(
        "Ctrl-C during a copy ends it with 130, or too late; what is half-done is hidden until the next copy",
        arguments: [0.0, 0.02, 0.1]
    )
    func interrupted(_ delay: Double) async throws {
        let script = """
            set -m; mkdir d; for i in $(seq 300); do head -c 100000 /dev/zero > d/$i; done; cp d/1 one
            "$FERRY" cp -r d e & copy=$!
            sleep \(delay); kill -INT $copy 2>/dev/null; wait $copy; echo $?
            """
        let code = try await sandbox.bash(script).lines.last
        // Before we listen, the signal ends us as any process, which is 130, too.
        #expect(code == "0" || code == "130")
        func all() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: sandbox.path))
        }
        if try all().contains("e") {
            #expect(try sandbox.names("e").count == 300)
        } else {
            #expect(code == "130")
            let shown = Set(try all().filter { !$0.hasPrefix(".ferry-") })
            #expect(shown == ["d", "one"])
            #expect(try await sandbox.ferry("cp", "-r", "d", "e").code == 0)
        }
        #expect(try all() == ["d", "e", "one"])
        #expect(try await sandbox.bash("diff -r d e").code == 0)
    }

    @Test("mkdir makes a folder, with -p those above it")
    func makeFolders() async throws {
        #expect(try await sandbox.ferry("mkdir", "a").code == 0)
        #expect(try await sandbox.ferry("mkdir", "a").errors.hasPrefix("ferry: a: already exists"))
        #expect(try await sandbox.ferry("mkdir", "x/y/z").errors.hasPrefix("ferry: x/y: no such file or folder"))
        #expect(try await sandbox.bash("ferry mkdir -p x/y/z && ferry mkdir -p x/y/z a").output == "")
        #expect(try sandbox.names() == ["a", "x", "x/y", "x/y/z"])
    }
}
