import FerryTestKit
import FerryTestServers
import Foundation
import Synchronization
import Testing

/// While a command is at work in a folder, somebody swaps a folder in it for a link to elsewhere, again and again: 200 rounds
/// of each command, 5 in usual runs.
@Suite("A folder that is swapped for a link leads no command elsewhere", .serialized)
struct SwapRaceTests {
    private static let rounds = Sweep.isDeep ? 200 : 5

    /// Swaps `there/D` for a link to `outside` and back, on a thread of its own.
    private final class Swapper: Sendable {
        private let isOver = Atomic(false)
        private let ended: AsyncStream<Void>

        init(_ folder: String, seed: UInt64) {
            let (ended, ending) = AsyncStream.makeStream(of: Void.self)
            self.ended = ended
            let thread = Thread { [self] in
                var random = SeededGenerator(seed: seed)
                while !self.isOver.load(ordering: .relaxed) {
                    guard rename(folder + "/D", folder + "/.aside") == 0 else {
                        usleep(50)
                        continue
                    }
                    symlink("../outside", folder + "/D")
                    usleep(.random(in: 0...400, using: &random))
                    unlink(folder + "/D")
                    rename(folder + "/.aside", folder + "/D")
                    usleep(.random(in: 0...400, using: &random))
                }
                ending.finish()
            }
            thread.start()
        }

        func stop() async {
            isOver.store(true, ordering: .relaxed)
            for await _ in ended {}
        }
    }

    /// A command, and what is done before somebody swaps.
    struct Deed: Sendable, CustomTestStringConvertible {
        var command: String
        var before = ""
        var testDescription: String { command }
    }

    static let local: [Deed] = [
        Deed(command: "sync --max-delete 100% new there"),
        Deed(command: "cp -r -f new/. there"),
        Deed(command: "mv -f new/D there/"),
        Deed(command: "mv there/D arrived"),
        Deed(command: "rm -r there/D"),
        Deed(command: "trash put there/D"),
        Deed(command: "undo --any", before: "$FERRY sync --max-delete 100% new there"),
        Deed(command: "redo", before: "$FERRY sync --max-delete 100% new there; $FERRY undo --any"),
    ]

    static let served: [Deed] = [
        Deed(command: "sync --max-delete 100% w: there"),
        Deed(command: "cp -r -f w:D there"),
        Deed(command: "mv -f there/D w:from-here"),
        Deed(command: "undo --any", before: "$FERRY sync --max-delete 100% w: there"),
    ]

    private func race(_ deed: Deed, in sandbox: Sandbox) async throws {
        for round in 0..<Self.rounds {
            let prepared = try await sandbox.bash(
                """
                rm -rf new there outside arrived ~/.local/state
                mkdir -p new/D/deep there/D/deep outside/deep
                for n in 1 2 3 4 5; do
                    echo new$n > new/D/$n; echo old > there/D/$n; echo precious > outside/$n; echo extra > there/D/extra$n
                    echo precious > outside/extra$n; echo new > new/D/deep/$n; echo precious > outside/deep/$n
                done
                touch -d 2020-01-02 there/D/* outside/* outside/deep/*; chmod 700 outside outside/deep
                { \(deed.before.isEmpty ? ":" : deed.before); } > /dev/null 2>&1; true
                """
            )
            #expect(prepared.code == 0, "\(prepared)")
            let look = "cd outside && find . -printf '%P %y %m %s %TY\\n' | grep -v '^ d' | sort; cat $(find . -type f)"
            let before = try await sandbox.bash(look).output
            let swapper = Swapper(sandbox.path + "/there", seed: UInt64(round))
            // Whatever it says: it may see the folder, the link, or nothing.
            _ = try await sandbox.bash("timeout 60 $FERRY \(deed.command) > /dev/null 2>&1")
            await swapper.stop()
            let after = try await sandbox.bash(look).output
            #expect(after == before, "round \(round)")
            if after != before { return }
        }
    }

    @Test("on this machine", arguments: local)
    func onThisMachine(_ deed: Deed) async throws {
        try await race(deed, in: try Sandbox())
    }

    @Test("from a server, and to one", arguments: served)
    func fromServer(_ deed: Deed) async throws {
        let served = try await ServedSandbox(.apache)
        let made = try await served.sandbox.bash(
            """
            mkdir -p seed/D/deep; for n in 1 2 3 4 5; do echo far > seed/D/$n; echo far > seed/D/deep/$n; done
            FERRY_HISTORY=off ferry cp -r seed/D w: 2>/dev/null
            """
        )
        #expect(made.code == 0, "\(made)")
        try await race(deed, in: served.sandbox)
    }
}
