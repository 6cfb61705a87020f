import FerryTestServers
import Foundation
import Testing

@Suite("Interrupted transfers go on")
struct JobsTests {
    /// Forty files of 200 kB; at 600 KiB a second they take 13 seconds.
    private static let tree = "mkdir d; for i in $(seq 40); do head -c 200000 /dev/urandom > d/$i; done; "
    private static let bytes = 40 * 200_000

    /// Begins a transfer, and ends it by a signal when a folder on the server's disk has some files.
    ///
    /// The shell looks, which a busy test process can't hold up. Where it comes too late, it tries again.
    ///
    /// - Returns: The output of the shell: the command's errors, then its exit code.
    private func interrupt(
        _ line: String,
        by signal: String,
        in sandbox: Sandbox,
        when count: Int,
        in folder: String
    ) async throws -> Sandbox.Outcome {
        try await sandbox.bash(
            """
            set -m; count() { ls '\(folder)' 2>/dev/null | wc -l; }; cp -a d original
            for try in {1..10}; do
                "$FERRY" \(line) & pid=$!
                while [ "$(count)" -lt \(count) ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
                kill -\(signal) $pid 2>/dev/null; wait $pid 2>/dev/null; code=$?
                [ $code != 0 ] && [ "$(count)" -lt 40 ] && break
                rm -rf '\(folder)' d ~/.local/state/ferry; cp -a original d
            done
            echo $code
            """
        )
    }

    @Test("killed, the same command sends only the rest", arguments: ["cp -r", "sync", "mv"])
    func killed(_ command: String) async throws {
        let served = try await ServedSandbox(.apache)
        let (sandbox, place) = (served.sandbox, served.place)
        _ = try await sandbox.bash(Self.tree)
        let line = "\(command) --json --bwlimit 600K d w:there"
        let killed = try await interrupt(line, by: "KILL", in: sandbox, when: 10, in: place.path + "/there")
        #expect(killed.output.hasSuffix("137\n"), "\(killed)")
        let before = try place.names("there").filter { !$0.hasPrefix(".") }.count
        try #require(before >= 10 && before < 40)
        let rest = try sandbox.names("d").count
        let jobs = try await sandbox.ferry("jobs", "list", "--json").objects
        #expect(jobs.count == 1 && jobs[0]["state"] as? String == "interrupted", "\(jobs)")
        #expect(jobs[0]["source"] as? String == "d" && jobs[0]["target"] as? String == "w:there")
        let again = try await sandbox.bash("ferry \(line)")
        #expect(again.code == 0, "\(again)")
        let summary = try #require(try again.objects.last)
        #expect(summary["event"] as? String == "summary" && summary["isComplete"] as? Bool == true)
        // Files that a move has not removed yet are copied again where no date tells that they are the same.
        let most = command == "mv" ? rest * 200_000 : Self.bytes - before * 200_000
        #expect((summary["bytes"] as? Int).map { $0 <= most } == true, "\(summary), \(before)")
        let same = try await sandbox.bash(
            "ferry cp -r w:there back && diff -r original back && ls -A d 2>/dev/null | wc -l"
        )
        #expect(same.output == (command == "mv" ? "0\n" : "40\n"), "\(same)")
        #expect(try place.names("there").count == 40)
        #expect(try await sandbox.ferry("jobs").output == "")
    }

    @Test("after Ctrl-C it is said how to go on, and 'jobs resume' does, from another folder too")
    func interrupted() async throws {
        let served = try await ServedSandbox(.apache)
        let (sandbox, place) = (served.sandbox, served.place)
        _ = try await sandbox.bash(Self.tree + "ferry mkdir w:there")
        let folder = place.path + "/there/d"
        let ended = try await interrupt(
            "cp -r --bwlimit 600K d w:there",
            by: "INT",
            in: sandbox,
            when: 5,
            in: folder
        )
        #expect(ended.output == "130\n", "\(ended)")
        let words = "ferry: interrupted; the same command goes on where it was, or 'ferry jobs resume "
        #expect(ended.errors.contains(words), "\(ended)")
        let listed = try await sandbox.ferry("jobs")
        #expect(listed.output.contains("  interrupted  cp d -> w:there  20"), "\(listed)")
        let id = try #require(listed.output.split(separator: " ").first)
        let resumed = try await sandbox.bash("cd /; ferry jobs resume \(id.prefix(4))")
        #expect(resumed.code == 0 && resumed.errors.hasPrefix("ferry: w:there/d: goes on with job \(id)"), "\(resumed)")
        #expect(try place.names("there/d").count == 40 && place.names("there").contains("d"))
        #expect(try !place.names("there/d").contains("d"))
        let none = try await sandbox.ferry("jobs", "resume")
        #expect(none.errors == "ferry: jobs: there is no such job, see them with 'ferry jobs'\n" && none.code == 1)
    }

    @Test("a name that was free at first and is taken by now is kept with --keep-both, and another one is found")
    func takenMeanwhile() async throws {
        let served = try await ServedSandbox(.apache)
        let (sandbox, place) = (served.sandbox, served.place)
        // Slow enough for a shell that comes late.
        let line = "cp --keep-both big w:there"
        let ended = try await sandbox.bash(
            """
            head -c 12000000 /dev/urandom > big; ferry mkdir w:there; set -m; "$FERRY" \(line) --bwlimit 50K & pid=$!
            while [ -z "$(find '\(place.path)/there' -type f)" ] && kill -0 $pid; do sleep 0.02; done
            kill -KILL $pid; wait $pid 2>/dev/null; echo $?; ferry jobs | grep -c interrupted
            echo theirs | ferry write w:there/big
            """
        )
        #expect(ended.output == "137\n1\n", "\(ended)")
        let again = try await sandbox.bash(
            "ferry \(line); echo $?; ferry cat w:there/big; ferry cat 'w:there/big 2' | cmp - big"
        )
        #expect(again.output == "0\ntheirs\n" && again.errors.contains("the new one is 'big 2'"), "\(again)")
    }

    @Test("jobs are forgotten, with what they have left half done")
    func forgetting() async throws {
        let served = try await ServedSandbox(.apache)
        let (sandbox, place) = (served.sandbox, served.place)
        _ = try await sandbox.bash(Self.tree)
        let folder = place.path + "/there"
        _ = try await interrupt("cp -r --bwlimit 600K d w:there", by: "KILL", in: sandbox, when: 5, in: folder)
        #expect(try await sandbox.ferry("jobs", "forget").code == 64)
        #expect(try await sandbox.ferry("jobs", "forget", "nothing").code == 1)
        #expect(try await sandbox.ferry("jobs", "forget", "--all").code == 0)
        #expect(try await sandbox.ferry("jobs").output == "")
        let anew = try await sandbox.ferry("cp", "-r", "d", "w:there")
        #expect(anew.code == 0 && !anew.errors.contains("goes on"), "\(anew)")
    }

    /// Begins to copy ten thousand small files of this machine, and kills it when the first are there.
    ///
    /// Where the shell comes too late, it tries again.
    private func killHere(_ command: String, in sandbox: Sandbox) async throws -> Sandbox.Outcome {
        try await sandbox.bash(
            """
            python3 -c "import os
            for f in range(10):
                os.makedirs(f'd/{f}')
                for i in range(1000): open(f'd/{f}/{i}', 'wb').write(os.urandom(5000))"
            sleep 0.03; set -m
            for try in {1..30}; do
                "$FERRY" \(command) d there & pid=$!
                while ! compgen -G '.ferry-*/*/1*' > now && kill -0 $pid 2>/dev/null; do :; done
                kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null; code=$?
                [ $code = 137 ] && [ ! -e there ] && compgen -G '.ferry-*' > now && break
                rm -rf there .ferry-* ~/.local/state/ferry
            done
            echo $code; rm now; ls -A
            """
        )
    }

    @Test("on this machine, too: killed in the middle of a folder, it goes on there", arguments: ["cp -r", "sync"])
    func killedHere(_ command: String) async throws {
        let sandbox = try Sandbox()
        let killed = try await killHere(command, in: sandbox)
        #expect(killed.lines.first == "137", "\(killed)")
        let hidden = try #require(killed.lines.first { $0.hasPrefix(".ferry-") })
        let listed = try await sandbox.ferry("jobs").output
        #expect(listed.contains("  interrupted  ") && listed.contains(" d -> there  20"), "\(listed)")
        #expect(listed.hasSuffix("  1 folder begun\n"), "\(listed)")
        let before = try await sandbox.bash("cd \(hidden); find . -type f -size 5000c -printf '%P %i\\n'").lines
        let again = try await sandbox.bash("ferry \(command) d there")
        #expect(again.code == 0, "\(again)")
        let after = Set(try await sandbox.bash("cd there; find . -type f -printf '%P %i\\n'").lines)
        // But for those that were under way.
        #expect(!before.isEmpty && after.count == 10_000 && before.count { !after.contains($0) } <= 4)
        let same = try await sandbox.bash("diff -r d there && ls -A; ferry jobs; ferry undo --any >&2; ls -A")
        #expect(same.output == "d\nthere\nd\n", "\(same)")
    }

    @Test("a file that is to be replaced is replaced after an interruption, too, though it looks the same")
    func replacedHere() async throws {
        let sandbox = try Sandbox()
        let outcome = try await sandbox.bash(
            """
            head -c 100000000 /dev/urandom > big; head -c 100000000 /dev/zero > old; touch -r big old
            set -m; "$FERRY" cp -f big old & pid=$!
            while ! compgen -G '.ferry-*' > now && kill -0 $pid 2>/dev/null; do :; done
            kill -KILL $pid; wait $pid 2>/dev/null
            ferry cp -f big old && cmp big old && rm now && ls -A
            """
        )
        #expect(outcome.output == "big\nold\n", "\(outcome)")
    }

    @Test(
        "a move to another disk that was killed goes on there, is told as one move, and can be undone",
        .enabled("mounting takes root", { try await canMount() })
    )
    func movedToOtherDisk() async throws {
        let sandbox = try Sandbox()
        let outcome = try await sandbox.bash(
            """
            python3 -c "import os
            for f in range(10):
                os.makedirs(f'd/{f}')
                for i in range(1000): open(f'd/{f}/{i}', 'wb').write(os.urandom(5000))"
            head -c 30000000 /dev/urandom > d/3/big; ln d/0/1 d/9/link; mkfifo d/5/pipe; touch -d 2030-01-01 d/7/7
            cp -a d original; mkdir other; sleep 0.03
            unshare -m bash -c '
            mount -t tmpfs tmpfs other; set -m
            for try in {1..20}; do
                "$0" mv d other/there & pid=$!
                while [ $(find other -name "[0-9]*" 2>/dev/null | wc -l) -lt 100 ] && kill -0 $pid 2>/dev/null; do :; done
                kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null; code=$?
                [ $code = 137 ] && [ ! -e other/there ] && compgen -G "other/.ferry-*" >/dev/null && break
                rm -rf d other/there other/.ferry-* ~/.local/state/ferry; cp -a original d
            done
            echo $code; diff -r --exclude pipe original d && echo whole
            (cd other/.ferry-*; find . -type f -size 5000c -links 1 -printf "%P %i\\n" | sort > ../../before)
            "$0" jobs; "$0" mv d other/there; echo $?
            (cd other/there; find . -type f -printf "%P %i\\n" | sort > ../../after; ls -l 0/1 5/pipe | cut -c1-12)
            diff -r --exclude pipe original other/there && ls -A . other
            test $(comm -23 before after | wc -l) -le 4 && test -s before && rm before after && echo kept
            "$0" jobs; "$0" history list | sed "s/^[^ ]*  [^ ]*//"; "$0" undo --any
            diff -r --exclude pipe original d && ls -A . other' "$FERRY"
            """
        )
        var lines = outcome.lines
        let job = lines.firstIndex { $0.contains("  interrupted  mv d -> other/there  ") }
        lines.remove(at: try #require(job, "\(outcome)"))
        let moved = [
            "137", "whole", "0", "-rw-r--r-- 2", "prw-r--r-- 1", ".:", "after", "before", "original", "other", "",
            "other:", "there", "kept",
        ]
        let undone = [
            "  done  mv d other/there", "  interrupted  mv d other/there", "undone: mv d other/there", ".:", "d",
            "original", "other", "", "other:",
        ]
        #expect(lines == moved + undone, "\(outcome)")
        #expect(outcome.errors.contains("ferry: other/there: goes on with job "), "\(outcome)")
    }

    @Test(
        "a move to another disk whose originals can't all be removed goes on with those that are left",
        .enabled("mounting takes root", { try await canMount() })
    )
    func halfRemoved() async throws {
        let sandbox = try Sandbox()
        // A mount point can't be removed.
        let outcome = try await sandbox.bash(
            """
            mkdir -p d/5 other; for i in 1 2 3; do echo $i > d/$i; echo $i > d/5/$i; done; mkfifo d/pipe
            head -c 20000000 /dev/urandom > d/big; cp -a d original
            unshare -m bash -c '
            mount -t tmpfs tmpfs other; mount --bind d/5/2 d/5/2; "$0" mv d other/there; echo $?
            find d -printf "%p\n"; diff -r --exclude pipe original other/there && "$0" jobs | cut -c9-30
            umount d/5/2; "$0" mv d other/there; echo $?
            diff -r --exclude pipe original other/there && ls -A . other; "$0" jobs; "$0" undo --any
            diff -r --exclude pipe original d && ls -A . other' "$FERRY"
            """
        )
        let moved = [
            "1", "d", "d/5", "d/5/2", "  failed  mv d -> othe", "0", ".:", "original", "other", "", "other:", "there",
        ]
        let undone = ["undone: mv d other/there", ".:", "d", "original", "other", "", "other:"]
        #expect(outcome.lines == moved + undone, "\(outcome)")
        #expect(outcome.errors.contains("ferry: d/5/2: it is in use by the system\n"), "\(outcome)")
        #expect(outcome.errors.contains("ferry: other/there: goes on with job "), "\(outcome)")
    }

    @Test(
        "what was killed in the middle of a large file goes on there, whatever lies beside it, on a coarse disk too",
        .enabled("mounting takes root", { try await canMount() }),
        arguments: ["cp -r", "mv"]
    )
    func amidLargeFile(command: String) async throws {
        let sandbox = try Sandbox()
        // One date is as a coarse disk would keep it.
        let outcome = try await sandbox.bash(
            """
            mkdir -p d/5 other; for i in 1 2 3; do echo $i > d/5/$i; done; mkfifo d/pipe; ln -s 5/1 d/link; ln d/5/2 d/5/two
            head -c 600000000 /dev/zero > d/big; cp -a d original
            unshare -m bash -c '
            mount -t tmpfs tmpfs other; set -m
            for try in {1..20}; do
                "$0" \(command) d other/there & pid=$!
                while [ ! -e other/there ] && kill -0 $pid 2>/dev/null; do :; done
                kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null; code=$?
                [ $code = 137 ] && [ -e other/there ] && [ ! -e other/there/big ] && break
                rm -rf d other/there other/.ferry-* ~/.local/state/ferry; cp -a original d
            done
            echo $code; diff -r --exclude pipe original d && echo whole
            touch -d "$(stat -c %y d/5/3 | cut -d. -f1)" other/there/5/3
            "$0" \(command) d other/there; echo $?; "$0" jobs
            diff -r --no-dereference --exclude pipe original other/there && readlink other/there/link && ls -A .' "$FERRY"
            """
        )
        let left = command == "mv" ? ["original", "other"] : ["d", "original", "other"]
        #expect(outcome.lines == ["137", "whole", "0", "5/1"] + left, "\(outcome)")
        #expect(outcome.errors.contains("ferry: other/there: goes on with job "), "\(outcome)")
    }

    @Test("what was copied of a folder on this machine is gone when its job is forgotten")
    func forgettingHere() async throws {
        let sandbox = try Sandbox()
        #expect(try await killHere("cp -r", in: sandbox).lines.contains { $0.hasPrefix(".ferry-") })
        let outcome = try await sandbox.bash("ferry jobs forget --all; ls -A; ferry jobs")
        #expect(outcome.output == "d\n", "\(outcome)")
    }

    @Test("a folder that somebody has put where one was being copied to is not taken for it")
    func somebodyElses() async throws {
        let sandbox = try Sandbox()
        #expect(try await killHere("cp -r", in: sandbox).lines.contains { $0.hasPrefix(".ferry-") })
        let outcome = try await sandbox.bash(
            "mkdir -p there/1; echo theirs > there/1/1; ferry cp -r d there; cat there/1/1; diff -r d there/d && ls there"
        )
        #expect(outcome.output == "theirs\n1\nd\n" && !outcome.errors.contains("goes on"), "\(outcome)")
    }

    @Test(
        "nothing is remembered if that is not wanted",
        arguments: ["FERRY_JOURNAL=off ferry cp -r", "ferry cp -r --no-journal"]
    )
    func noJournal(_ line: String) async throws {
        let served = try await ServedSandbox(.rclone)
        let outcome = try await served.sandbox.bash(
            "mkdir d; echo 1 > d/x; \(line) d w: 2>/dev/null; find ~/.local/state -name 'transfers*' 2>/dev/null"
        )
        #expect(outcome.output == "", "\(outcome)")
        let kept = try await served.sandbox.bash(
            "ferry cp -r d w:e 2>/dev/null; find ~/.local/state -name transfers.sqlite | wc -l"
        )
        #expect(kept.output == "1\n", "\(kept)")
    }

    @Test("what is refused is no job, and makes none of the others ambiguous")
    func refused() async throws {
        let sandbox = try Sandbox()
        let outcome = try await sandbox.bash(
            """
            mkdir -p d there/d; echo 1 > d/1; head -c 17000000 /dev/zero > big; echo old > other; mkdir folder
            ferry cp -r d there; echo "code $?"; ferry cp big other; echo "code $?"; ferry cp -r d big; echo "code $?"
            ferry mv --no-journal gone x; ferry sync gone x; ferry cp big nowhere/x; ferry sync --max-delete 0 d other
            ferry jobs; cat other; ls there/d
            """
        )
        #expect(outcome.lines == ["code 1", "code 1", "code 1", "old"], "\(outcome)")
    }
}
