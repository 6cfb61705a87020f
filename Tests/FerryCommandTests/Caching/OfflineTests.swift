import FerryTestServers
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("What is kept of remotes")
struct OfflineTests {
    let sandbox: Sandbox
    let server: NextcloudServer

    init() async throws {
        sandbox = try Sandbox()
        server = try await NextcloudServer.start()
        try await sandbox.addNextcloud(server)
        let made = try await sandbox.bash(
            "mkdir -p d/e; echo one > d/a.txt; echo two > d/e/b.txt; printf three > 'd/e/ä %c'; ferry cp -r d nc:"
        )
        try #require(made.code == 0, "\(made)")
        server.forget()
    }

    /// Changes a file behind the command's back, by a command that knows nothing of what is kept.
    private func change(_ name: String, to text: String) async throws {
        let outcome = try await sandbox.bash("echo \(text) | XDG_CACHE_HOME=$PWD/nowhere $FERRY write -f nc:\(name)")
        try #require(outcome.code == 0, "\(outcome)")
    }

    @Test(
        "what was read is shown offline as it was, though the server is down",
        arguments: [
            "ls nc:d", "ls -lR nc:", "ls -R --json nc:", "tree nc:d", "stat nc:d/a.txt", "stat --json nc:d",
            "du nc:d", "df --json nc:", "cat nc:d/e/b.txt 'nc:d/e/ä %c'",
            "cat --last 2 nc:d/a.txt", "cat --offset 1 --length 1 nc:d/a.txt",
        ]
    )
    func offline(_ command: String) async throws {
        let online = try await sandbox.bash("ferry " + command)
        #expect(online.code == 0 && !online.output.isEmpty, "\(online)")
        server.forget()
        let running = try await sandbox.bash("ferry \(command) --offline")
        #expect(server.requests.isEmpty)
        await server.stop()
        let offline = try await sandbox.bash("ferry \(command) --offline")
        #expect(offline.output == online.output && offline.code == 0, "\(offline)")
        #expect(running.output == online.output && running.code == 0, "\(running)")
    }

    @Test("folders that were listed can be searched and described offline, though only their names were asked for")
    func searched() async throws {
        let online = try await sandbox.bash(
            "ferry ls -R nc: > /dev/null; ferry find nc: \"name LIKE '*.txt'\" | sort; ferry stat --json nc:d | jq .name"
        )
        await server.stop()
        let fromListings = try await sandbox.bash(
            "ferry find --offline nc: \"name LIKE '*.txt'\" | sort; ferry stat --offline --json nc:d | jq .name; "
                + "ferry tree --offline nc: | tail -1; ferry ls --offline nc: nc:d/e | wc -l"
        )
        #expect(fromListings.output == online.output + "2 folders, 3 files\n6\n", "\(fromListings)")
        #expect(fromListings.errors.isEmpty)
    }

    @Test("offline needs no password, and no way to ask for one")
    func withoutPassword() async throws {
        #expect(try await sandbox.ferry("ls", "nc:d").output == "a.txt\ne\n")
        #expect(try await sandbox.ferry("remote", "logout", "nc").code == 0)
        await server.stop()
        let offline = try await sandbox.ferry("ls", "nc:d", "--offline")
        #expect(offline.output == "a.txt\ne\n" && offline.code == 0, "\(offline)")
    }

    @Test(
        "what isn't kept is an error that says what isn't there, and no request",
        arguments: ["ls", "stat", "cat", "tree", "du", "df"]
    )
    func missing(_ command: String) async throws {
        let outcome = try await sandbox.ferry(command, "--offline", "nc:d/e")
        #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
        let words = "isn't kept on this machine, leave out --offline to fetch it"
        #expect(outcome.errors == "ferry: nc:d/e: \(words)\n" || command == "df", "\(outcome)")
        #expect(outcome.errors.hasSuffix(words + "\n"), "\(outcome)")
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("what was read whole is written out to a folder, though the server is down, and that can be undone")
    func export() async throws {
        let read = try await sandbox.bash(
            "ferry cat nc:d/a.txt nc:d/e/b.txt > /dev/null; ferry cat --length 2 'nc:d/e/ä %c' > /dev/null"
        )
        try #require(read.code == 0, "\(read)")
        await server.stop()
        let outcome = try await sandbox.bash("ferry cache export nc: out; cat out/d/a.txt out/d/e/b.txt; ls out/d/e")
        #expect(outcome.output == "2 files, 8 bytes\none\ntwo\nb.txt\n", "\(outcome)")
        let words = "is kept in part only, read it with 'ferry cat' when the remote can be reached"
        #expect(outcome.errors == "ferry: nc:d/e/ä %c: \(words)\n", "\(outcome)")
        let part = try await sandbox.ferry("cache", "export", "nc:d/a.txt", "part")
        #expect(part.code == 0 && part.output == "1 file, 4 bytes\n", "\(part)")
        let again = try await sandbox.ferry("cache", "export", "nc:d/a.txt", "part")
        #expect(again.code == 1 && again.errors.contains("part/a.txt: already exists"), "\(again)")
        let undone = try await sandbox.bash("ferry undo --any && ferry undo --any && ls")
        #expect(undone.code == 0 && undone.output.hasSuffix("\nd\n"), "\(undone)")
    }

    @Test(
        "what can't be written out is told",
        arguments: [
            ["nc:never", "out"]: "nc:never: nothing is kept of what is in it",
            ["nc:", "memory:/out"]: "memory:/out: is not on this machine",
            ["d", "out"]: "d: nothing is kept of what is no remote",
        ]
    )
    func exportOfNothing(arguments: [String], words: String) async throws {
        let outcome = try await sandbox.ferry("cache", "export", arguments[0], arguments[1])
        #expect(outcome.code == 1 && outcome.errors.hasPrefix("ferry: " + words), "\(outcome)")
    }

    @Test("without --offline nothing is shown that isn't so any more")
    func neverStale() async throws {
        #expect(try await sandbox.bash("ferry ls nc:d; ferry cat nc:d/a.txt").output == "a.txt\ne\none\n")
        try await change("d/a.txt", to: "other")
        try await change("d/new.txt", to: "new")
        let offline = try await sandbox.bash("ferry ls nc:d --offline; ferry cat --offline nc:d/a.txt")
        #expect(offline.output == "a.txt\ne\none\n", "\(offline)")
        #expect(try await sandbox.bash("ferry ls nc:d; ferry cat nc:d/a.txt").output == "a.txt\ne\nnew.txt\nother\n")
        #expect(try await sandbox.bash("ferry cat --offline nc:d/a.txt").output == "other\n")
        #expect(try await sandbox.bash("ferry ls --offline nc:d").output == "a.txt\ne\nnew.txt\n")
        await server.stop()
    }

    @Test(
        "it costs no request more than without: the first time, the second, and after a change",
        arguments: ["ls nc:d", "ls -R nc:", "stat nc:d/a.txt", "find nc: TRUEPREDICATE", "du nc:", "cat nc:d/a.txt"]
    )
    func requestCounts(_ command: String) async throws {
        func count(_ prefix: String = "") async throws -> Int {
            server.forget()
            let outcome = try await sandbox.bash("\(prefix) $FERRY \(command)")
            #expect(outcome.code == 0, "\(outcome)")
            return server.requests.count
        }
        let without = try await count("FERRY_CACHE=off")
        #expect(try await count() <= without, "first")
        #expect(try await count() <= without, "second")
        try await change("d/a.txt", to: "other")
        #expect(try await count() <= without, "changed")
        await server.stop()
    }

    @Test("content that is still the same does not come over the line again, unless --fresh says so")
    func unchanged() async throws {
        let made = try await sandbox.bash(
            "head -c 40000000 /dev/urandom > big; ferry cp big nc: && ferry cat nc:big | cmp - big"
        )
        try #require(made.code == 0, "\(made)")
        let line = try await FaultProxy.start(to: server.url.port ?? 0)
        let url = line.url(like: server.url).absoluteString
        let edited = try await sandbox.ferry(
            ["remote", "add", "-f", "nc", "--type", "nextcloud", "--url", url, "--user", "alice"],
            password: "secret"
        )
        try #require(edited.code == 0, "\(edited)")
        #expect(try await sandbox.bash("ferry cat nc:big | cmp - big").code == 0)
        let first = line.answerByteCount
        #expect(first >= 40_000_000)
        #expect(try await sandbox.bash("ferry cat nc:big | cmp - big").code == 0)
        #expect(line.answerByteCount - first < 10_000_000)
        let second = line.answerByteCount
        #expect(try await sandbox.bash("ferry cat --fresh nc:big | cmp - big").code == 0)
        #expect(line.answerByteCount - second >= 40_000_000)
        await line.stop()
        await server.stop()
    }

    @Test("what the command itself changes is not kept as it was")
    func changedByTheCommand() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry ls -R nc: > /dev/null; ferry cat nc:d/a.txt nc:d/e/b.txt > /dev/null
            ferry rm nc:d/a.txt; ferry stat --offline nc:d/a.txt; ferry ls --offline nc:d; ferry ls --offline nc:d/e
            ferry mv nc:d/e nc:f; ferry cat --offline nc:d/e/b.txt; ferry ls --offline nc:d/e
            """
        )
        #expect(outcome.output == "ä %c\nb.txt\n", "\(outcome)")
        let words = "isn't kept on this machine, leave out --offline to fetch it"
        let names = ["nc:d/a.txt", "nc:d", "nc:d/e/b.txt", "nc:d/e"]
        #expect(outcome.errors == names.map { "ferry: \($0): \(words)\n" }.joined(), "\(outcome)")
        await server.stop()
    }

    @Test(
        "nor with the cache turned off, or settings that can't be read, nor where it was moved out of the way",
        arguments: ["FERRY_CACHE=off", "mkdir -p ~/.config/ferry; echo 'cache = 3' > ~/.config/ferry/config.toml;"]
    )
    func changedWithoutTheCache(how: String) async throws {
        let outcome = try await sandbox.bash(
            """
            ferry ls -R nc: > /dev/null; ferry cat nc:d/a.txt > /dev/null; echo new > new
            \(how) ferry cp -f new nc:d/a.txt; rm -f ~/.config/ferry/config.toml
            ferry cat --offline nc:d/a.txt; ferry ls --offline nc:d
            ferry ls nc:d > /dev/null; mkdir -p src; echo x > src/b; ferry ls nc: > /dev/null; ferry mkdir nc:old
            ferry ls nc:old; ferry sync src nc:d --backup-dir nc:old --max-delete 100%
            ferry ls --offline nc:old
            """
        )
        #expect(outcome.output.hasPrefix("sync") == false && !outcome.output.contains("one"), "\(outcome)")
        let words = "isn't kept on this machine, leave out --offline to fetch it"
        for name in ["nc:d/a.txt", "nc:d", "nc:old"] {
            #expect(outcome.errors.contains("ferry: \(name): \(words)\n"), "\(outcome)")
        }
        await server.stop()
    }

    @Test("a command that is killed has forgotten what it was about to change")
    func killed() async throws {
        _ = try await sandbox.bash("ferry ls nc:d > /dev/null; ferry cat nc:d/a.txt > /dev/null")
        let outcome = try await sandbox.bash(
            """
            mkfifo pipe; "$FERRY" write -f nc:d/a.txt < pipe & writing=$!
            exec 3> pipe; echo new >&3
            # Killed between the two, it has changed nothing yet.
            is_known() { ferry cat --offline nc:d/a.txt || ferry ls --offline nc:d; }
            for try in $(seq 3000); do is_known > /dev/null 2>&1 || break; sleep 0.1; done
            kill -9 $writing; ferry cat --offline nc:d/a.txt; ferry ls --offline nc:d
            """
        )
        #expect(outcome.output == "", "\(outcome)")
        await server.stop()
    }

    @Test("--offline and --fresh exclude each other, and locally neither changes anything")
    func options() async throws {
        let both = try await sandbox.ferry("ls", "--offline", "--fresh")
        #expect(both.code == 64 && both.errors.hasPrefix("ferry: --offline and --fresh exclude each other"), "\(both)")
        #expect(try await sandbox.bash("ferry ls --offline d; ferry cat --fresh d/a.txt").output == "a.txt\ne\none\n")
        await server.stop()
    }

    @Test("what was read last is what --offline shows, or nothing: never what was read before it")
    func newest() async throws {
        for (number, read) in ["cat", "cat --fresh", "cat --offset 1"].enumerated() {
            try await change("d/a.txt", to: "first\(number)")
            #expect(try await sandbox.bash("ferry cat nc:d/a.txt").output == "first\(number)\n")
            try await change("d/a.txt", to: "newer\(number)")
            let outcome = try await sandbox.bash("ferry \(read) nc:d/a.txt > /dev/null; ferry cat --offline nc:d/a.txt")
            #expect(!outcome.output.contains("first"), "\(read): \(outcome)")
        }
        await server.stop()
    }

    @Test("a pipe in place of what is kept is not waited for")
    func pipes() async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 300000 /dev/zero > large; XDG_CACHE_HOME=$PWD/nowhere $FERRY cp large nc:d/large
            ferry cat nc:d/large | wc -c
            for file in $(find ~/.cache -type f -path '*/files/*'); do rm $file; mkfifo $file; done
            [ $(find ~/.cache -type p | wc -l) -gt 0 ] || echo "nothing is kept in files"
            timeout 300 $FERRY cat nc:d/large | wc -c
            timeout 300 $FERRY cat --offline nc:d/large > /dev/null 2>&1; [ $? -le 1 ] || echo "waited"
            """
        )
        #expect(outcome.lines == ["300000", "300000"], "\(outcome)")
        await server.stop()
    }
}
