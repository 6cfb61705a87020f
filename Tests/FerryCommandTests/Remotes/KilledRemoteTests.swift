import FerryTestKit
import FerryTestServers
import Foundation
import Testing

/// Four moments in usual runs, forty with `FERRY_DEEP=1`.
@Suite("Killed in the middle, transfers with FTP and SFTP servers lose nothing")
struct KilledRemoteTests {
    private static let moments = 0..<UInt64(Sweep.isDeep ? 40 : 4)

    private static let tree =
        "mkdir d; for i in $(seq 12); do head -c 60000 /dev/urandom > d/$i; done; head -c 2500000 /dev/urandom > d/big; "

    @Test("and leave nothing after the next run", arguments: moments)
    func killed(_ number: UInt64) async throws {
        let seed = Sweep.firstSeed &+ number
        var numbers = SeededGenerator(seed: seed)
        let sandbox = try Sandbox()
        let ftp = try await FTPSandbox(.init(.pureftpd, .explicit), in: sandbox)
        let sftp = try await SFTPSandbox(in: sandbox)
        let remote = number % 2 == 0 ? "f" : "s"
        let goesUp = number / 2 % 2 == 0
        let command = ["cp -r", "sync"][Int.random(in: 0..<2, using: &numbers)]
        let line =
            goesUp ? "\(command) --bwlimit 2M d \(remote):there" : "\(command) --bwlimit 2M \(remote):d there"
        let wait = Double.random(in: 0.05...1.8, using: &numbers)
        let outcome = try await sandbox.bash(
            """
            \(Self.tree) cp -r d original
            \(goesUp ? "" : "ferry cp -r d \(remote): >&2;")
            set -m; "$FERRY" \(line) >/dev/null 2>&1 & pid=$!
            sleep \(wait); kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null; code=$?
            # Killed too late, it has nothing to go on with.
            [ $code = 0 ] || ferry \(line) >&2 || exit
            \(goesUp ? "ferry cp -r \(remote):there back >&2" : "mv there back") && diff -r original back && echo same
            ferry jobs; ls -A
            """
        )
        #expect(outcome.code == 0, "seed \(seed), \(line), killed after \(wait) s: \(outcome)")
        #expect(outcome.output == "same\nback\nd\noriginal\n", "seed \(seed), \(line): \(outcome)")
        let left = try ftp.place.names() + sftp.place.names() + sandbox.names("back")
        #expect(left.filter { $0.contains(".ferry-") } == [], "seed \(seed), \(line)")
    }

    @Test("and go on only behind what is the same at the source", arguments: ["f", "s"])
    func seam(_ remote: String) async throws {
        let sandbox = try Sandbox()
        let ftp = try await FTPSandbox(.init(.pureftpd, .explicit), in: sandbox)
        let sftp = try await SFTPSandbox(in: sandbox)
        let folder = remote == "f" ? ftp.place.path : sftp.place.path
        let outcome = try await sandbox.bash(
            """
            head -c 6000000 /dev/urandom > big
            part() { find '\(folder)' -name '.ferry-*.tmp' -size +2500k; }
            set -m
            for try in {1..10}; do
                "$FERRY" cp --bwlimit 500K big \(remote): >/dev/null 2>&1 & pid=$!
                while [ -z "$(find '\(folder)' -name '.*' -size +2500k)" ] && kill -0 $pid; do sleep 0.02; done
                # Killed too late, it has nothing to go on with.
                kill -KILL $pid; wait $pid 2>/dev/null || break
                rm '\(folder)/big'
            done
            for i in $(seq 6000); do [ "$(part)" ] && break; sleep 0.05; done
            size=$(stat -c %s "$(part)"); printf '\\0\\0\\0\\0' | dd of="$(part)" bs=1 seek=$((size - 20)) conv=notrunc 2>/dev/null
            echo "broken off"; ferry cp big \(remote): >&2; cmp big '\(folder)/big' && echo same
            """
        )
        #expect(outcome.output == "broken off\nsame\n", "\(outcome)")
    }
}
