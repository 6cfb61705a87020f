import Foundation
import Testing

@testable import FerryCommand

@Suite("Undo takes the last command, or nothing")
struct UndoChoiceTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Runs lines in a shell that a person types in, at a terminal of its own.
    private func atTerminal(_ lines: String, input: String? = nil) async throws -> [String] {
        try sandbox.make(".lines", lines.replacing("ferry ", with: "'\(Sandbox.command)' "))
        let outcome = try await sandbox.bash(
            "TERM=dumb script -qec 'bash --norc --noprofile -ic \"source .lines\"' /dev/null; rm .lines",
            input: input
        )
        return outcome.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    @Test("in a script nothing is undone that isn't named; an id or --any does it")
    func inScript() async throws {
        let outcome = try await sandbox.bash(
            """
            echo 1 > a; echo 2 > b; ferry rm a; ferry rm b
            ferry undo; echo "code $?"; ls
            ferry undo $(ferry history --json | jq -r 'select(.arguments[1] == "a") | .id[:8]'); cat a
            ferry undo --any; cat b; ferry undo --any; ferry undo
            """
        )
        #expect(outcome.lines == ["code 1", "undone: rm a", "1", "undone: rm b", "2"], "\(outcome)")
        let errors = outcome.errors.split(separator: "\n")
        try #require(errors.count == 5, "\(outcome)")
        #expect(
            errors[0] == "ferry: history: in a script it must be said which command, name it with 'ferry undo ID', or "
                + "give --any for the last:"
        )
        #expect(errors[1].hasSuffix("Z  rm b") && errors[2].hasSuffix("Z  rm a"))
        #expect(errors[3] == "ferry: history: there is nothing to undo, see 'ferry history'")
        #expect(errors[4] == "ferry: history: in a script it must be said which command, see 'ferry history'")
    }

    @Test("if the last can't be undone, none before it is; what could be is named")
    func lastCannot() async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 5000 /dev/zero > big; echo s > small; echo t > third; ferry rm small
            FERRY_HISTORY=1K ferry rm big 2>/dev/null
            ferry undo --any; echo "code $?"; ls; ferry undo --any -n 2; ferry rm --permanent third; ferry undo --any; ls
            ferry undo $(ferry history --json | jq -r 'select(.arguments[1] == "small") | .id'); cat small
            ferry undo $(ferry history --json | jq -r 'select(.arguments[1] == "big") | .id'); echo "code $?"
            ferry undo nonsense; ferry undo ''; ferry redo; ferry undo 0 --any
            """
        )
        #expect(
            outcome.lines == ["code 1", "third", "undone: rm small", "s", "code 1", "redone: rm small"],
            "\(outcome)"
        )
        let errors = outcome.errors.split(separator: "\n").map(String.init)
        let advice = "can't be undone, name one that can be, with 'ferry undo ID':"
        #expect(
            errors[0] == "ferry: history: the last command, 'rm big', \(advice)" && errors[1].hasSuffix("Z  rm small")
        )
        #expect(errors[2] == errors[0] && errors[3] == errors[1])
        #expect(errors[4] == "ferry: history: the last command, 'rm --permanent third', \(advice)")
        #expect(errors.contains("ferry: history: 'rm big' can't be undone, see 'ferry history'"), "\(outcome)")
        #expect(errors.contains("ferry: nonsense: there is no such command, see them with 'ferry history'"))
        #expect(errors.contains { $0.hasPrefix("ferry: '': there is no such command") })
        #expect(errors.contains { $0.hasPrefix("ferry: give an id, or -n and --any") })
    }

    @Test("at a terminal it is the last of that terminal, which is said before it is done")
    func atATerminal() async throws {
        let elsewhere = try await sandbox.bash("echo 1 > a; echo 2 > b; ferry rm a")
        #expect(elsewhere.code == 0)
        let nothing = try await atTerminal("ferry undo; echo code $?; ls")
        #expect(
            nothing.contains { $0.contains("nothing was done in this terminal that could be undone") },
            "\(nothing)"
        )
        #expect(nothing.contains { $0.hasSuffix("Z  rm a") } && nothing.contains("code 1"), "\(nothing)")
        let own = try await atTerminal("ferry rm b; ferry undo; cat b; ferry undo -n 2; echo code $?")
        let said = try #require(own.firstIndex { $0.hasPrefix("ferry: undoes ") && $0.hasSuffix("Z  rm b") }, "\(own)")
        #expect(own[(said + 1)...].prefix(2) == ["undone: rm b", "2"], "\(own)")
        #expect(own.contains("code 1"), "\(own)")
        // Scripts that a person runs are scripts.
        let script = try await atTerminal("ferry rm b; bash -c 'ferry undo; true'; ls")
        #expect(script.contains { $0.contains("in a script it must be said which command") }, "\(script)")
    }

    @Test(
        "a removal that can't be kept asks at a terminal",
        arguments: [
            ("n", "it stays, answer y", true), ("y", "can't be undone: more than 1.0 KiB", false),
            ("", "it stays", true),
        ]
    )
    func asks(_ answer: String, _ said: String, _ stays: Bool) async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 5000 /dev/zero > big; export FERRY_HISTORY=1K
            answer() { for n in $(seq 3000); do grep -q y/N shown 2>/dev/null && break; sleep 0.1; done; echo "\(answer)"; }
            answer | TERM=dumb script -qefc "exec $FERRY rm big" shown > /dev/null; cat shown; ls
            """
        )
        #expect(outcome.output.contains("/big can't be undone (more than 1.0 KiB would have to be kept)"), "\(outcome)")
        #expect(outcome.output.contains(said) && outcome.lines.contains("big") == stays, "\(outcome)")
    }

    @Test("-f and scripts are not asked, and a script says what can't be undone")
    func asksNobody() async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 5000 /dev/zero > big; cp big large; export FERRY_HISTORY=1K
            TERM=dumb script -qefc "exec $FERRY rm -f big" shown < /dev/null > /dev/null; grep -c y/N shown
            ferry rm large; ls
            """
        )
        #expect(outcome.lines == ["0", "shown"], "\(outcome)")
        #expect(outcome.errors.contains("/large can't be undone: more than 1.0 KiB would have to be kept"))
    }

    @Test("what has done nothing leaves no entry; what was lost in part makes the exit code 1")
    func entries() async throws {
        let outcome = try await sandbox.bash(
            """
            echo 1 > a; echo 2 > b; ferry cp a b; ferry rm missing; ferry mkdir a; ferry history | wc -l
            head -c 5000 /dev/zero > big; FERRY_HISTORY=1K ferry rm big a; ferry undo --any; echo "code $?"; ls
            ferry history | sed 's/^[^ ]*  [^ ]*//'; ferry redo; echo "code $?"; ls
            """
        )
        #expect(
            outcome.lines == [
                "0", "partly undone: rm big a", "code 1", "a", "b", "  partly undone  rm big a", "redone: rm big a",
                "code 0",
                "b",
            ],
            "\(outcome)"
        )
        #expect(outcome.errors.contains("/big: nothing was kept of it"))
    }

    @Test("one command is shown with its steps, by its id")
    func shown() async throws {
        let outcome = try await sandbox.bash(
            """
            echo 1 > a; ferry mkdir d; ferry mv a d/b; id=$(ferry history -n 1 | cut -d' ' -f1)
            ferry history show $id | sed 's/  */ /g'
            """
        )
        let lines = outcome.lines
        #expect(lines.count == 6 && lines[1] == "command mv a d/b" && lines[2] == "state done", "\(outcome)")
        #expect(lines.contains("folder \(sandbox.path)"))
        #expect(lines.last == " move \(sandbox.path)/d/b -> \(sandbox.path)/a")
    }

    @Test(
        "secrets are not written down",
        arguments: [
            ["rm", "--lock-token", "opaquelocktoken:1", "w:a"], ["rm", "--lock-token=opaquelocktoken:1", "w:a"],
        ]
    )
    func secrets(_ arguments: [String]) {
        let kept = HistoryHeader.withoutSecrets(arguments)
        #expect(kept.first == "rm" && kept.last == "w:a" && kept.count == arguments.count)
        #expect(!kept.joined().contains("opaque"))
    }
}
