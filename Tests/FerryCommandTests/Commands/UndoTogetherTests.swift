import FerryTestServers
import Foundation
import Testing

@Suite("Two processes take back one command after the other")
struct UndoTogetherTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("as many undoings at once as there are commands: each takes back another one")
    func atOnce() async throws {
        let outcome = try await sandbox.bash(
            """
            for name in 1 2 3 4 5 6; do
                echo $name | ferry write $name.txt; echo $name again | ferry write --overwrite $name.txt
            done
            for turn in 1 2 3 4 5 6; do (ferry undo --any >out$turn 2>err$turn; echo $? >code$turn) & done; wait
            cat code*; cat out* | sort; ls *.txt; cat *.txt
            for turn in 1 2 3 4 5 6; do (ferry redo >out$turn 2>err$turn; echo $? >code$turn) & done; wait
            cat code*; cat out* | sort; cat *.txt
            """
        )
        let undone = ["4", "5", "6"].flatMap { name in
            ["undone: write --overwrite \(name).txt", "undone: write \(name).txt"]
        }
        #expect(
            outcome.lines == Array(repeating: "0", count: 6) + undone.sorted() + ["1.txt", "2.txt", "3.txt"]
                + ["1 again", "2 again", "3 again"] + Array(repeating: "0", count: 6)
                + undone.map { $0.replacing("undone", with: "redone") }.sorted()
                + (1...6).map { "\($0) again" }
        )
    }

    @Test("one that waits says so, and goes on when the other has ended", arguments: ["undo --any", "history clear"])
    func waits(_ command: String) async throws {
        let outcome = try await sandbox.bash(
            """
            echo one | ferry write a.txt
            exec 9<>$HOME/.local/state/ferry/history.lock; flock 9
            ferry \(command) >out 2>errors 9>&- & waits=$!
            until [ -s errors ]; do kill -0 $waits || exit 2; sleep 0.05; done
            ls a.txt; cat errors out; exec 9>&-; wait $waits; echo "code $?"; cat out
            """
        )
        let ends = command == "undo --any" ? "undone: write a.txt" : "0 bytes freed"
        #expect(
            outcome.lines == [
                "a.txt", "ferry: waits for another ferry process that changes the history", "code 0", ends,
            ]
        )
    }

    @Test("a command leaves making room to a later one while another process undoes")
    func makesRoomLater() async throws {
        let outcome = try await sandbox.bash(
            """
            export FERRY_HISTORY=1K; kept() { find $HOME/.local/state/ferry/undo -type f | wc -l; }
            for name in 1 2 3; do head -c 900 /dev/zero > $name; done
            ferry rm 1; kept; exec 9<>$HOME/.local/state/ferry/history.lock; flock 9; ferry rm 2 9>&-; kept
            exec 9>&-; ferry rm 3; kept
            """
        )
        #expect(outcome.lines == ["1", "2", "1"], "\(outcome)")
    }

    @Test("where the lock can't be opened, a dry run goes on, and nothing is undone")
    func noLock() async throws {
        let outcome = try await sandbox.bash(
            """
            echo one | ferry write a.txt; rm -f $HOME/.local/state/ferry/history.lock
            ln -s nowhere $HOME/.local/state/ferry/history.lock
            ferry undo --any --dry-run; ferry undo --any; echo "code $?"; cat a.txt
            """
        )
        #expect(outcome.lines.count == 3 && outcome.lines[0].contains("a.txt"), "\(outcome)")
        #expect(outcome.lines.suffix(2) == ["code 1", "one"] && outcome.errors.contains("history.lock"), "\(outcome)")
    }
}
