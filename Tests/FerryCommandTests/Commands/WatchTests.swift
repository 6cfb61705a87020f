import Foundation
import Testing

@Suite("ferry watch", .timeLimit(.minutes(30)))
struct WatchTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Begins to watch, waits until that stands, does something, and then what ends it.
    private func watch(_ arguments: String, _ work: String) async throws -> Sandbox.Outcome {
        try await sandbox.bash(
            """
            set -m  # else the shell has background work ignore Ctrl-C
            : >out; : >err
            "$FERRY" watch \(arguments) >out 2>err &
            pid=$!
            trap 'kill $pid 2>/dev/null' EXIT
            until_said() {  # for five minutes, which guards against hanging only
                for try in {1..15000}; do
                    if grep -q -e "$1" out err || ! kill -0 $pid 2>/dev/null; then return; fi
                    sleep 0.02
                done
                exit 99
            }
            until_said watching
            \(work)
            wait $pid
            code=$?
            cat out
            cat err >&2
            exit $code
            """
        )
    }

    @Test("prints what happens, a line each, and ends with what it watches")
    func prints() async throws {
        try sandbox.make("in/a", "a")
        try sandbox.make("in/folder/b", "b")
        let outcome = try await watch(
            "in",
            """
            mv in/folder 'in/a folder'
            mkdir in/new; ln -s x in/new/x
            chmod 600 in/a
            until_said attributes
            mv in gone
            """
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            outcome.lines == [
                "moved       in/folder -> in/a folder", "created     in/new", "created     in/new/x",
                "attributes  in/a", "removed     in",
            ]
        )
        #expect(outcome.errors.contains("ferry: watching in: the system tells of changes\n"))
        #expect(outcome.errors.contains("ferry: in: it is gone, and so the watch has ended\n"))
    }

    @Test("prints objects for programs at once, and ends after so many changes")
    func objects() async throws {
        try sandbox.make("in/a", "a")
        let outcome = try await watch(
            "--json --count 2 in",
            "mv in/a in/b; until_said moved; rm in/b"
        )
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        #expect(objects.map { $0["event"] as? String } == ["watching", "moved", "removed"])
        #expect(objects[0]["by"] as? String == "told")
        #expect(objects[1]["path"] as? String == sandbox.path + "/in/b")
        #expect(objects[1]["from"] as? String == sandbox.path + "/in/a")
        #expect(objects.allSatisfy { $0["time"] is String })
    }

    @Test("tells of some events only, and not of what is left out")
    func filters() async throws {
        try sandbox.make("in/.git/x", "x")
        let outcome = try await watch(
            "--events created,removed --exclude .git --exclude '*.tmp' -n 2 in",
            """
            ln -s x in/.git/y; ln -s x in/y.tmp; chmod 600 in/.git/x; ln -s x in/a; mv in/a in/b
            until_said created
            rm in/b
            """
        )
        #expect(outcome.lines.allSatisfy { !$0.contains("tmp") && !$0.contains(".git") }, "\(outcome.lines)")
        #expect(outcome.lines.last == "removed     in/b")
    }

    @Test("ends by Ctrl-C with what was told so far")
    func interrupted() async throws {
        try sandbox.makeFolder("in")
        let outcome = try await watch(
            "in",
            "mkdir in/a; until_said in/a; kill -INT $pid"
        )
        #expect(outcome.code == 130)
        #expect(outcome.lines == ["created     in/a"])
    }

    @Test("watches a file, and what a link leads to")
    func places() async throws {
        try sandbox.make("a", "a")
        try sandbox.makeFolder("real")
        try sandbox.makeLink("link", to: "real")
        #expect(try await watch("-n 1 a", "echo b >> a").lines == ["modified    a"])
        #expect(try await watch("-n 1 link", "mkdir link/b").lines == ["created     link/b"])
    }

    @Test("says what is missing, and what is written wrongly")
    func errors() async throws {
        let missing = try await sandbox.ferry("watch", "gone")
        #expect(missing.code == 1 && missing.errors.hasPrefix("ferry: gone: "))
        #expect(try await sandbox.ferry("watch", "--events", "eaten", ".").code == 64)
        #expect(try await sandbox.ferry("watch", "--count", "0", ".").code == 64)
        #expect(try await sandbox.ferry("watch", "--exclude", "", ".").code == 64)
    }

    @Test("names the system's setting where more folders are than may be watched", arguments: ["watches", "instances"])
    func limits(what: String) async throws {
        for number in 0..<9 { try sandbox.makeFolder("in/\(number)") }
        // In a namespace of its own, where nobody else feels it; not every machine allows that.
        let outcome = try await sandbox.bash(
            """
            limit=/proc/sys/user/max_inotify_\(what)
            unshare --user --map-root-user bash -c "echo \(what == "watches" ? 5 : 0) >$limit" 2>/dev/null || exit 77
            exec unshare --user --map-root-user bash -c "echo \(what == "watches" ? 5 : 0) >$limit; exec $FERRY watch in"
            """
        )
        if outcome.code == 77 { return }
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("fs.inotify.max_user_\(what)"), "\(outcome.errors)")
    }
}
