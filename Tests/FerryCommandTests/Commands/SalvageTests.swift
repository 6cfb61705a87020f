import FerryTestServers
import Foundation
import Testing

@Suite("What is kept and no command leads to")
struct SalvageTests {
    @Test("is listed, and brought back from this machine and from a server")
    func salvaged() async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            echo one > a; ferry cp a w:a 2>/dev/null; ferry rm a; ferry rm w:a
            ferry history salvage | wc -l
            find ~/.local/state -name history -delete
            ferry history salvage | cut -d' ' -f6; ferry history salvage --on w | wc -l
            ferry history salvage --on w: saved > said; cat said | wc -l; cat saved/*; ferry history salvage | wc -l
            """
        )
        #expect(outcome.lines == ["0", "here", "2", "2", "one", "one", "0"], "\(outcome)")
    }
}
