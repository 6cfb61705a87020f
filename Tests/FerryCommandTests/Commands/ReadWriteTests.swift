import Foundation
import Testing

@Suite("cat, write")
struct ReadWriteTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("cat prints files one after the other")
    func cat() async throws {
        try sandbox.make("a", "hello ")
        try sandbox.make("b", "world\n")
        let outcome = try await sandbox.ferry("cat", "a", "gone", "b")
        #expect(outcome.output == "hello world\n")
        #expect(outcome.errors.hasPrefix("ferry: gone: no such file or folder"))
        #expect(outcome.code == 1)
    }

    @Test(
        "cat prints a part",
        arguments: [
            (["--offset", "7"], "789"), (["--length", "3"], "012"), (["--offset", "3", "--length", "4"], "3456"),
            (["--offset", "8", "--length", "99"], "89"), (["--offset", "99"], ""), (["--last", "4"], "6789"),
            (["--length", "0"], ""),
        ]
    )
    func part(_ options: [String], _ expected: String) async throws {
        try sandbox.make("a", "0123456789")
        #expect(try await sandbox.bash("ferry cat \(options.joined(separator: " ")) a").output == expected)
    }

    @Test("write makes a file of the input, and replaces one only if allowed")
    func write() async throws {
        #expect(try await sandbox.ferry("write", "a", input: "hello").output == "")
        #expect(sandbox.contents("a") == "hello")
        let refused = try await sandbox.ferry("write", "a", input: "other")
        #expect(refused.errors == "ferry: a: already exists, choose another name, or give --overwrite (-f)\n")
        #expect(refused.code == 1)
        #expect(sandbox.contents("a") == "hello")
        #expect(try await sandbox.ferry("write", "-f", "a", input: "other").code == 0)
        #expect(sandbox.contents("a") == "other")
        #expect(try await sandbox.ferry("write", "empty", input: "").code == 0)
        #expect(sandbox.contents("empty") == "")
    }

    @Test("write takes megabytes through a pipe, byte for byte")
    func large() async throws {
        let script = "head -c 5000001 /dev/urandom > a; cat a | ferry write b && cmp a b && ferry cat b | cmp - a"
        #expect(try await sandbox.bash(script).code == 0)
    }

    @Test("Ctrl-C during a write ends it with 130, and leaves the old content and nothing else")
    func interrupted() async throws {
        try sandbox.make("a", "old")
        let script = """
            mkfifo pipe; "$FERRY" write -f a < pipe & writer=$!
            exec 3> pipe; echo new >&3; sleep 0.6; kill -INT $writer; wait $writer; echo $?; rm pipe
            """
        // A script's background jobs ignore SIGINT: job control gives it back.
        let outcome = try await sandbox.bash("set -m; " + script)
        #expect(outcome.lines.last == "130", "\(outcome)")
        #expect(sandbox.contents("a") == "old")
        #expect(try sandbox.names() == ["a"])
    }

    @Test("a pipe that is closed early ends the command without a word")
    func closedPipe() async throws {
        for index in 0..<50 { try sandbox.make("d/file-\(index)", "x") }
        let script = """
            for round in 1 2 3 4 5; do ferry ls -R / 2>/dev/null | head -n 1 >/dev/null; done
            head -c 3000000 /dev/zero > big; ferry cat big | head -c 10 > part
            echo ${PIPESTATUS[0]}
            """
        let outcome = try await sandbox.bash(script)
        #expect(outcome.output == "141\n")
        #expect(outcome.errors == "")
    }

    @Test("an output that is full is an error")
    func fullOutput() async throws {
        try sandbox.make("a", "hello")
        let outcome = try await sandbox.bash("ferry cat a > /dev/full")
        let words = "ferry: standard output: no space left on device, what follows was not written\n"
        #expect(outcome.errors == words)
        #expect(outcome.code == 1)
    }

    @Test("a link in the place of a file is refused, or replaced itself with -f; nothing is written through it")
    func links() async throws {
        try sandbox.make("other", "theirs")
        try sandbox.make("new", "new")
        try sandbox.makeFolder("folder")
        let outcome = try await sandbox.bash(
            """
            fresh() { rm -f link dangling; ln -s other link; ln -s nowhere dangling; }
            for name in link dangling; do
                for command in "write $name" "cp new $name" "cp memory:new $name"; do
                    fresh; echo x | ferry $command 2>/dev/null; echo "$? $(readlink $name)"
                done
                for command in "write -f $name" "cp -f new $name"; do
                    fresh; echo x | ferry $command; echo "$? $(readlink $name) $(cat $name)"
                done
                fresh; ferry write -f $name < new; ferry undo --any > /dev/null; readlink $name
            done
            ls; cat other; ln -s folder to; ferry write -f to < new; echo "$? $(readlink to)"
            """
        )
        let each = { (target: String) in
            ["1 \(target)", "1 \(target)", "1 \(target)", "0  x", "0  new", target]
        }
        #expect(
            outcome.lines == each("other") + each("nowhere") + [
                "dangling", "folder", "link", "new", "other", "theirs1 folder",
            ],
            "\(outcome)"
        )
        #expect(outcome.errors.hasSuffix("ferry: to: is a folder, name a file in it\n"), "\(outcome)")
    }
}
