import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryMedia

@Suite("What is left of the programs that decode", .timeLimit(.minutes(30)))
struct LeftoversTests {
    /// The Unix sockets of this process, by the names that the system gives them: each belongs to one socket for ever.
    ///
    /// Lines to programs are such sockets. Foundation's `Process` makes a pair of another kind the first time, which stays.
    private func sockets() -> Set<String> {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.filter { CInt($0).map(isUnixSocket) ?? false }
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        )
    }

    private func isUnixSocket(_ descriptor: CInt) -> Bool {
        var (address, length) = (sockaddr(), socklen_t(MemoryLayout<sockaddr>.size))
        return getsockname(descriptor, &address, &length) == 0 && CInt(address.sa_family) == AF_UNIX
    }

    @Test("is neither a descriptor nor a process, however their jobs end")
    func nothing() async throws {
        let before = sockets()
        var seen: Set<pid_t> = []
        var engine: MediaHelper? = Programs.engine(limit: 3, timeLimit: .seconds(1))
        for _ in 0..<5 {
            let programs = try #require(engine)
            await withTaskGroup(of: Void.self) { group in
                for name in [
                    "echo", "crash", "exit-3", "garbage", "long", "hang", "half", "leave", "refuse-2", "other",
                ] {
                    group.addTask { _ = try? await programs.said(name, "abcd") }
                    let cancelled = Task { try await programs.said(name, "abcd") }
                    group.addTask {
                        cancelled.cancel()
                        _ = await cancelled.result
                    }
                }
            }
            // One is killed while it has nothing to do, and the next job starts another.
            let pid = try await programs.pid()
            kill(pid, SIGKILL)
            seen.formUnion([pid, try await programs.pid()])
            seen.formUnion(programs.pool.idlePIDs)
            #expect(programs.pool.counts.programs <= 3 && programs.pool.counts.waiting == 0)
        }
        engine = nil
        #expect(seen.count >= 6)
        try await until("all programs are gone") { seen.allSatisfy(isGone) }
        // Others test meanwhile, and theirs go when they are done; ours must be among those that go.
        let left = sockets().subtracting(before)
        try await until("no socket is left") { sockets().isDisjoint(with: left) }
    }
}
