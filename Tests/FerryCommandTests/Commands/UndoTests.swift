import FerryCore
import FerryTestServers
import Foundation
import Testing

@Suite("What the command has done can be taken back")
struct UndoTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// The facts that a tree is compared by: names, kinds, dates, permissions, contents.
    private static let look = """
        look() { (cd "$1" && { find . -mindepth 1 -printf '%P %y %m %l\\n' | sort
        find . -type f -printf '%P %TY%Tm%Td%TH%TM%.2TS\\n' | sort
        find . -type f -print0 | sort -z | xargs -r -0 sha256sum; }); }

        """

    static let deeds = [
        "ferry mkdir -p new/deep/folder", "ferry cp a.txt copy.txt", "ferry cp -f a.txt b.txt",
        "ferry cp -r tree tree2", "ferry cp -r -f tree other", "ferry mv a.txt tree/a.txt", "ferry mv -f a.txt b.txt",
        "ferry mv tree moved", "ferry rm a.txt", "ferry rm -r tree", "ferry rm -r a.txt tree/sub other link",
        "echo new | ferry write new.txt", "echo new | ferry write --overwrite b.txt", "ferry sync tree synced",
        "ferry sync --max-delete 100% tree other", "ferry mv a.txt b.txt tree/sub other", "ferry trash put a.txt",
        "ferry cp -r -u tree other",
    ]

    @Test("each of them, and done again", arguments: deeds)
    func undoes(_ deed: String) async throws {
        let outcome = try await sandbox.bash(
            Self.look + """
                mkdir -p w/tree/sub/empty w/other; cd w
                echo a > a.txt; echo bb > b.txt; echo x > tree/x; echo y > tree/sub/y; ln -s ../b.txt tree/link
                echo theirs > other/x; echo stays > other/stays; ln -s a.txt link; chmod 600 tree/x; chmod 750 tree/sub
                touch -d 2020-01-02T03:04:05Z a.txt tree/x other/x; touch -d 2021-02-03T04:05:06Z b.txt tree/sub/y
                look . > ../before
                \(deed) > ../out || { cat ../out; echo failed; exit 1; }
                look . > ../after
                cmp -s ../before ../after && { echo "nothing was done"; exit 1; }
                for turn in 1 2; do
                    ferry undo --any || exit 2
                    look . > ../undone; diff ../before ../undone || exit 3
                    ferry redo || exit 4
                    look . > ../redone; diff <(grep -v ' 20[0-9]*$' ../after) <(grep -v ' 20[0-9]*$' ../redone) || exit 5
                done
                ferry undo --any --dry-run > ../dry || exit 6
                [ -s ../dry ] || exit 7
                look . > ../now; diff ../redone ../now || exit 8
                """
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.lines.contains { $0.hasPrefix("undone: ") } && outcome.lines.contains { $0.hasPrefix("redone: ") }
        )
    }

    @Test("what was kept for the oldest of more than 200 commands makes room, and others' is not touched")
    func manyCommands() async throws {
        let outcome = try await sandbox.bash(
            """
            kept() { grep -rl $1 ~/.local --exclude=history | wc -l; }
            echo precious > old; echo dear > new; ferry rm old; kept precious
            history=$(find ~/.local/state -name history); first=$(grep -m 1 ^B $history | cut -d' ' -f3-)
            for i in $(seq 199); do
                printf -v id '%08X-0000-4000-8000-000000000000' $i; echo "B $id $first"; echo "F $id 0"
            done >> $history
            ferry rm new; kept precious; kept dear
            ferry undo --any; cat new
            """
        )
        #expect(outcome.lines == ["1", "0", "1", "undone: rm new", "dear"], "\(outcome)")
    }

    @Test("several commands are taken back one after the other, the last first; redo ends where something new begins")
    func several() async throws {
        let outcome = try await sandbox.bash(
            """
            echo 1 > a; ferry mv a b; ferry mv b c; ferry mkdir d; ferry mv c d/e
            ferry undo --any -n 3; ls; ferry redo -n 2; ls
            ferry mkdir new; ferry redo; echo "code $?"
            """
        )
        #expect(
            outcome.lines == [
                "undone: mv c d/e", "undone: mkdir d", "undone: mv b c", "b", "redone: mv b c", "redone: mkdir d", "c",
                "d",
                "code 1",
            ],
            "\(outcome)"
        )
        #expect(outcome.errors == "ferry: history: there is nothing to redo, see 'ferry history'\n")
    }

    @Test("what somebody has changed since is not undone, and stays")
    func changed() async throws {
        let outcome = try await sandbox.bash(
            """
            echo 1 > a; ferry mkdir d; ferry cp a b; echo changed > b; ferry undo --any; echo "code $?"; cat b
            rm b; ferry undo --any; echo "code $?"
            ferry rm a; echo new > a; ferry undo --any; echo "code $?"; cat a
            """
        )
        #expect(outcome.lines == ["code 1", "changed", "code 1", "code 1", "new"])
        #expect(outcome.errors.contains("b: changed meanwhile") && outcome.errors.contains("b: no longer there"))
        #expect(outcome.errors.contains("a: something else is there now"))
    }

    @Test("what is too large to be kept is removed for good, and that is said; so does --permanent, in silence")
    func limits() async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 5000 /dev/zero > big; echo s > small; echo p > plain
            FERRY_HISTORY=1K ferry rm big small; ls; ferry undo --any; ls
            ferry rm --permanent plain; ls; FERRY_HISTORY=off ferry rm small; ferry undo --any; echo "code $?"
            find $HOME/.local/state/ferry -name '*-*-*-*-*' | wc -l
            """
        )
        #expect(outcome.errors.contains("big can't be undone: more than 1.0 KiB would have to be kept"), "\(outcome)")
        #expect(outcome.lines.contains("small") && !outcome.lines.contains("big"))
        #expect(outcome.lines.suffix(2) == ["code 1", "0"])
    }

    @Test("the history shows what there is, and clearing it frees what is kept")
    func history() async throws {
        let outcome = try await sandbox.bash(
            """
            head -c 5000 /dev/zero > 'a b'; mkdir -p t; head -c 3000 /dev/zero > t/x
            ferry rm 'a b'; ferry rm -r t; ferry mkdir n; ferry undo --any >/dev/null; ferry history; ferry history --json
            find $HOME/.local/state/ferry/undo -type f | wc -l; stat -c %a $HOME/.local/state/ferry/undo $HOME/.local/state/ferry/history
            ferry history clear; find $HOME/.local/state/ferry/undo -type f | wc -l; ferry history; ferry undo --any; echo "code $?"
            """
        )
        let lines = outcome.lines
        try #require(lines.count == 12, "\(outcome)")
        #expect(lines[0].hasSuffix("Z  undone  mkdir n"))
        #expect(lines[1].hasSuffix("Z  done, keeps 2.9 KiB  rm -r t"))
        #expect(lines[2].hasSuffix("Z  done, keeps 4.9 KiB  rm 'a b'"))
        let object = try JSONSerialization.jsonObject(with: Data(lines[5].utf8)) as? [String: Any]
        #expect(object?["arguments"] as? [String] == ["rm", "a b"] && object?["kept"] as? Int == 5000)
        #expect(lines[6] == "2" && lines[7] == "700" && lines[8] == "600")
        #expect(lines[9] == "7.8 KiB freed" && lines[10] == "0")
        #expect(lines[11] == "code 1")
    }

    @Test("a command is one line of the history, however often it was taken back and done again")
    func turns() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry mkdir a; ferry mkdir b
            for n in {1..110}; do ferry undo --any; ferry redo; done > /dev/null; ferry history -n 2
            ferry undo --any > /dev/null; ferry history; ferry history --json | jq -r .state
            """
        )
        // Behind the id and the date.
        let states = outcome.lines.map { $0.dropFirst(10).hasPrefix("20") ? String($0.dropFirst(32)) : $0 }
        let expected = ["redone  mkdir b", "done  mkdir a", "undone  mkdir b", "done  mkdir a", "undone", "done"]
        #expect(states == expected, "\(outcome)")
    }

    @Test(
        "what was killed is undone as far as it went",
        arguments: ["mv many/* to", "rm -r many/d0 many/d1 many/d2 many/[0-9]*", "cp -r -f many to", "mv -f many to"]
    )
    func killed(_ command: String) async throws {
        let outcome = try await sandbox.bash(
            Self.look + """
                mkdir -p many/d0 many/d1 many/d2 to/many
                for n in {0..149}; do echo $n > many/$n; echo d$n > many/d$((n % 3))/$n; done
                for n in {0..40}; do echo old > to/many/$n; done
                look . > ../before; halfway=0; delay=50
                # Ever later, until it comes to its end.
                for turn in {1..200}; do
                    $FERRY \(command) 2>/dev/null & pid=$!
                    sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
                    kill -9 $pid 2>/dev/null; wait $pid; code=$?
                    look . > ../after
                    if ! cmp -s ../before ../after; then
                        [ $code = 137 ] && halfway=$((halfway + 1))
                        $FERRY undo --any > /dev/null || { echo "turn $turn"; exit 1; }
                        look . > ../undone; diff ../before ../undone || { echo "turn $turn"; exit 2; }
                    fi
                    if [ $code = 137 ]; then delay=$((delay + 50 + (delay > 2000 ? delay / 5 : 0)))
                    elif [ $halfway -gt 0 ]; then break; else delay=$((delay / 2)); fi
                done
                [ $halfway -gt 0 ] || exit 3
                """
        )
        #expect(outcome.code == 0, "\(outcome)")
    }

    @Test("what a killed command has half written goes when it is undone, and what others write stays")
    func leftovers() async throws {
        let dead = try #require(TemporaryWriter(ProcessMark(number: 4_194_303, start: "1"))).uuid()
        let alive = try #require(TemporaryWriter.current).uuid()
        let outcome = try await sandbox.bash(
            """
            mkdir d; echo old > d/a; mkfifo pipe
            $FERRY write --overwrite d/a < pipe & pid=$!
            exec 3> pipe; echo new >&3
            until ferry history --json | grep -q 'at work'; do sleep 0.05; done
            kill -9 $pid; wait $pid
            echo half > d/.ferry-\(dead.uuidString.lowercased()).tmp; echo half > d/.ferry-\(alive.uuidString.lowercased()).tmp
            ferry undo --any --dry-run; find d -type f | wc -l; ferry undo --any; find d -type f | sort; cat d/a
            """
        )
        #expect(
            outcome.lines.suffix(5) == [
                "3", "undone: write --overwrite d/a", "d/.ferry-\(alive.uuidString.lowercased()).tmp", "d/a", "old",
            ],
            "\(outcome)"
        )
    }

    @Test("many at once write one history, and each can be undone")
    func atOnce() async throws {
        let outcome = try await sandbox.bash(
            """
            for n in {1..12}; do echo $n > $n; done
            for n in {1..12}; do ferry mv $n m$n & done; wait
            ls m* | wc -l; ferry undo --any -n 12 | wc -l; ls [0-9]* | wc -l; ferry history -n 100 | wc -l
            """
        )
        #expect(outcome.lines == ["12", "12", "12", "12"], "\(outcome)")
    }

    @Test("on a real server, too", arguments: [RealServerKind.apache, .nginx])
    func served(_ kind: RealServerKind) async throws {
        let served = try await ServedSandbox(kind)
        let outcome = try await served.sandbox.bash(
            """
            mkdir -p t/sub; echo a > t/a; echo b > t/sub/b; echo other > o
            ferry cp -r t w: 2>/dev/null; ferry cp o w:o
            show() { ferry tree w: | tail -n +2; ferry cat w:t/a; ferry cat w:o; }
            check() { "$@" || exit 1; ferry undo --any > /dev/null || exit 2; show > now; diff before now || exit 3; }
            show > before
            check ferry mkdir w:new/
            check ferry rm w:o
            check ferry rm -r w:t
            check ferry mv w:t w:moved
            check ferry cp -r w:t w:copy
            check ferry cp -f o w:t/a
            check ferry mv -f w:o w:t/a
            check ferry sync --max-delete 100% t/sub w:t
            ferry mv t w: 2>/dev/null; ferry mv t w:t2 2>/dev/null || exit 4; [ ! -e t ] || exit 5; ferry undo --any > /dev/null || exit 6
            [ "$(cat t/a t/sub/b)" = "a
            b" ] || exit 7
            show > now; diff before now || exit 8
            ferry history clear
            """
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try served.place.names().filter { !$0.hasPrefix(".") && !$0.contains("/") }.sorted() == ["o", "t"])
    }

    @Test("of folders that came with their files, too, as long as nobody has put anything into them")
    func servedFolders() async throws {
        let served = try await ServedSandbox(.nginx)
        let outcome = try await served.sandbox.bash(
            """
            mkdir -p t/d/e t/d/empty; for n in 1 2 3; do echo $n > t/d/$n; echo e$n > t/d/e/$n; echo t$n > t/$n; done
            head -c 300000 /dev/zero > t/d/large
            show() { ferry tree w: | tail -n +2; ferry cat w:t/d/2 w:t/d/e/3; }
            ferry cp -r t w: 2>/dev/null || exit 1
            show > copied; [ $(wc -l < copied) = 18 ] || { cat copied; exit 2; }
            FERRY_HISTORY=off ferry cp t/1 w:t/d/e/mine; show > changed
            ferry undo --any && exit 4
            show | diff changed - || exit 5
            FERRY_HISTORY=off ferry rm w:t/d/e/mine; ferry undo --any > /dev/null || exit 6; ferry ls w:
            ferry redo > /dev/null || exit 7; show | diff copied - || exit 8
            ferry undo --any > /dev/null || exit 9; ferry ls w:
            """
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.errors.contains("t/d/e: changed meanwhile"), "\(outcome)")
    }
}
