import FerryCore
import FerryMemory
import FerryTestKit
import FerryUndo
import Foundation
import Testing

@Suite("A folder that is copied to this machine and then removed comes back, however far removing it came")
struct CopiedRemovalTests {
    private typealias Flaky = FaultInjectingFileProvider<PlainFileProvider<MemoryFileProvider>>

    /// A clock that does not wait.
    private struct Impatient: Clock {
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }

    private let folder: TemporaryFolder
    private let memory = MemoryFileProvider()
    private let server: Flaky
    private let shadow: ShadowStore
    private let files: UndoableFileProvider<Flaky>
    private let losses = Losses()
    private let lost = URLError(.networkConnectionLost)

    init() async throws {
        folder = try TemporaryFolder()
        server = Flaky(PlainFileProvider(memory, copiesOnServer: false))
        shadow = ShadowStore(folder: folder.url.appending(path: "shadow"), limit: 1 << 20)
        let losses = losses
        var policy = UndoPolicy(whenNotKept: .goOn, onLoss: { path, _ in losses.add(path) })
        policy.retries = UndoRetries(clock: Impatient())
        files = UndoableFileProvider(server, shadow: shadow, policy: policy)
        try await memory.create(folder: "sub", at: "/top", creatingParents: true)
        for path in ["/top/a", "/top/b", "/top/sub/c", "/top/sub/d"] as [ItemPath] {
            try await memory.writeContents(path: path, contents: Data(path.string.utf8))
        }
    }

    private func contents() async throws -> [String: String] {
        var found: [String: String] = [:]
        for try await element in TreeWalk(memory, path: .root) {
            switch element {
            case .page(let items, folder: _):
                for item in items where !item.isDirectory {
                    let data = try await memory.contents(path: item.path)
                    found[item.path.string] = String(decoding: data, as: UTF8.self)
                }
            case .failure(let error, folder: _): throw error
            }
        }
        return found
    }

    /// Lets removing the folder fail after two of its four files, as where a provider removes one file after the other.
    private func failHalfway(_ occurrence: FaultPlan.Occurrence, then: @escaping @Sendable () async -> Void = {}) {
        let memory = memory
        let removal = FaultPlan.Fault.meanwhile {
            try? await memory.removeItem(path: "/top/a")
            try? await memory.removeItem(path: "/top/sub/c")
            await then()
        }
        server.plan = FaultPlan([
            .init(.removeItem, on: .call(1), fault: removal),
            .init(.removeItem, on: occurrence, fault: .error(lost)),
        ])
    }

    @Test("removing that is cut in the middle goes on with what is left")
    func goesOn() async throws {
        let before = try await contents()
        failHalfway(.call(1))
        try await files.removeItem(path: "/top")
        #expect(try await contents().isEmpty && losses.paths.isEmpty)
        #expect(server.count(of: .removeItem) == 2 && server.count(of: .contentStream) == 4)
        try await files.undo()
        #expect(try await contents() == before)
    }

    @Test("a lost answer to the last request is no loss, and nothing is removed twice")
    func lostAnswer() async throws {
        let before = try await contents()
        server.plan = FaultPlan([.init(.removeItem, on: .call(1), fault: .lostAnswer(lost))])
        try await files.removeItem(path: "/top")
        #expect(try await contents().isEmpty && losses.paths.isEmpty)
        #expect(server.count(of: .removeItem) == 1)
        try await files.undo()
        #expect(try await contents() == before)
    }

    @Test("where removing fails for good, the rest stays, and what is gone comes back")
    func fails() async throws {
        let before = try await contents()
        failHalfway(.always)
        await #expect(throws: URLError.self) { try await files.removeItem(path: "/top") }
        #expect(try await contents().keys.sorted() == ["/top/b", "/top/sub/d"])
        // The copies of what is still there are not needed.
        #expect(losses.paths.isEmpty)
        #expect(await shadow.items().count == 2)
        server.plan = FaultPlan()
        try await files.undo()
        #expect(try await contents() == before)
    }

    @Test("where nothing answers any more, undoing finds out what is gone")
    func unreachable() async throws {
        let before = try await contents()
        failHalfway(.always) { [server, lost] in server.plan = FaultPlan([.init(fault: .error(lost))]) }
        await #expect(throws: URLError.self) { try await files.removeItem(path: "/top") }
        server.plan = FaultPlan()
        #expect(try await contents().keys.sorted() == ["/top/b", "/top/sub/d"])
        try await files.undo()
        #expect(try await contents() == before)
    }

    @Test("a file that somebody adds in the meantime is not removed, since there is no copy of it")
    func addedMeanwhile() async throws {
        let before = try await contents()
        failHalfway(.call(1)) { [memory] in
            try? await memory.writeContents(path: "/top/new", contents: Data("new".utf8))
        }
        await #expect(throws: UndoRefusal.self) { try await files.removeItem(path: "/top") }
        #expect(try await contents().keys.sorted() == ["/top/b", "/top/new", "/top/sub/d"])
        try await files.undo()
        #expect(try await contents() == before.merging(["/top/new": "new"]) { $1 })
    }
}
