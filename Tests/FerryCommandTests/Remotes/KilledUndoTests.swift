import FerryTestKit
import FerryTestServers
import Foundation
import Testing

/// Kills undoing and redoing right after each of its requests; in usual runs after every sixteenth.
@Suite("Undoing and redoing that are killed go on, and success is said only when it is so")
struct KilledUndoTests {
    enum Kind: String, CaseIterable, Sendable {
        case nextcloud, apache
    }

    static let deeds = [
        "ferry sync --max-delete 100% t2 w:t", "ferry cp -r -f t2/. w:t", "ferry rm -r w:t w:o", "ferry mv w:t w:moved",
        "ferry mv -f w:o w:t/1", "echo new | ferry write --overwrite w:o",
    ]

    /// Kills a command after so many answers, and says how it ended.
    private static let killing = """
        killed() { local after=$1 seen=0 line; shift; rm -f ../pipe; mkfifo ../pipe
        FERRY_LOG=trace $FERRY "$@" > ../said 2> ../pipe & local pid=$!
        while IFS= read -r line; do case $line in "trace: answered "*) seen=$((seen + 1))
        [ $seen -lt $after ] || kill -9 $pid 2>/dev/null;; esac; done < ../pipe
        wait $pid; local code=$?; calm; return $code; }
        look() { rm -rf ../far; FERRY_HISTORY=off $FERRY cp -r w: ../far 2>/dev/null || echo unreadable
        (cd ../far; find . -mindepth 1 -printf '%P %y\\n' | sort; find . -type f -print0 | sort -z | xargs -r -0 sha256sum); }

        """

    @Test("each of them", arguments: Kind.allCases, deeds)
    func kills(_ kind: Kind, _ deed: String) async throws {
        let sandbox: Sandbox
        var stops: [NextcloudServer] = []
        var served: ServedSandbox?
        switch kind {
        case .nextcloud:
            sandbox = try Sandbox()
            let server = try await NextcloudServer.start()
            stops.append(server)
            let added = try await sandbox.ferry(
                ["remote", "add", "w", "--type", "nextcloud", "--url", server.url.absoluteString, "--user", "alice"],
                password: "secret"
            )
            try #require(added.code == 0, "\(added)")
        case .apache:
            served = try await ServedSandbox(.apache)
            sandbox = try #require(served).sandbox
        }
        let outcome = try await sandbox.bash(
            (served?.calm ?? "calm() { :; }") + "\n" + Self.killing + """
                mkdir -p here/t2/sub seed/t/sub; cd here
                for n in 1 2 3; do echo old$n > ../seed/t/$n; echo newer$n > t2/$n; done
                echo deep > ../seed/t/sub/deep; echo deeper > t2/sub/deep; echo extra > ../seed/t/extra; echo o > ../seed/o
                find ../seed -type f -exec touch -d 2020-01-02T03:04:05Z {} +; touch -d 2021-02-03T04:05:06Z t2/*
                FERRY_HISTORY=off ferry cp -r ../seed/t ../seed/o w: 2>/dev/null || exit 90
                look > ../before
                { \(deed); } > ../out 2>&1 || { cat ../out; exit 91; }
                look > ../after; kills=0; after=1; spare=10
                while [ $after -le 200 ]; do
                    over=1
                    for turn in "undo --any" redo; do
                        goal=../before; [ "$turn" = redo ] && goal=../after
                        killed $after $turn; code=$?
                        if [ $code = 137 ]; then
                            over=0; kills=$((kills + 1))
                            # Once more while it finds out how far that came, or when it goes on.
                            killed $((kills % 4 < 2 ? 1 : after)) $turn; code=$?
                            if [ $code = 137 ]; then $FERRY $turn > ../said 2>&1; code=$?; fi
                            # What a killed one had asked for last may be done only while the next one looks.
                            if [ $code = 1 ]; then $FERRY $turn > ../said 2>&1; code=$?; fi
                        fi
                        # Killed when all was done, it has nothing to go on with.
                        word=undone; [ "$turn" = redo ] && word=redone
                        [ $code = 0 ] || { $FERRY history | head -n 1 | grep -q "Z  $word" && echo "$word: " > ../said && code=0; }
                        [ $code = 0 ] || { echo "after $after, $turn: code $code"; cat ../said; $FERRY history; exit 1; }
                        grep -q '^\\(un\\|re\\)done: ' ../said || { echo "after $after, $turn:"; cat ../said; exit 2; }
                        look > ../now; diff $goal ../now || { echo "after $after, $turn"; exit 3; }
                    done
                    # Where the kill came too late from the beginning, it tries again.
                    if [ $over = 0 ]; then after=$((after + \(Sweep.isDeep ? 1 : 16)))
                    elif [ $kills = 0 ] && [ $spare -gt 0 ]; then spare=$((spare - 1)); else break; fi
                done
                [ $kills -gt 0 ] || exit 4
                # Nothing is kept that no command leads to; what was being sent when it was killed has a name that says so.
                $FERRY history salvage | grep -v '\\.tmp$' || true
                """
        )
        #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome)")
        for server in stops { await server.stop() }
        _ = served
    }
}
