import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What a killed run has left at the target")
struct LeftoverTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    @Test("goes with the next run of the same job, and nobody else's does")
    func leftovers() async throws {
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        let source = MemoryFileProvider()
        let target = MemoryFileProvider()
        try await source.create(folder: "from", at: "/")
        try await source.writeContents(path: "/from/a", contents: Data("a".utf8))
        let broken = FaultInjectingFileProvider(
            target,
            plan: FaultPlan([.init(.writeStream, on: .always, fault: .error(URLError(.badServerResponse)))])
        )
        func run(_ target: any TransferPlace.Storage) async throws -> TransferReport {
            try await Transfer(
                from: TransferPlace(source, "/from"),
                to: TransferPlace(target, "/to"),
                retryPolicy: RetryPolicy(maximumAttempts: 1)
            )
            .run(journal: journal)
        }
        #expect(try await run(broken).failures.count == 1)
        let job = try #require(try await journal.jobs().first)

        let left = try (0...255).map { try #require(TemporaryOwner(work: job.id, run: $0)).mark }
        let stranger = String(left[0].map { $0 == "a" ? "b" : "a" })
        let names = left.map { ".ferry-\($0)-aaaa-4aaa-8aaa-aaaaaaaaaaaa.tmp" }
        let foreign = ".ferry-\(stranger)-aaaa-4aaa-8aaa-aaaaaaaaaaaa.tmp"
        for name in names + [foreign] {
            try await target.writeContents(path: ItemPath.root.appending("to").appending(name), contents: Data())
        }
        try await source.writeContents(path: "/from/\(names[0])", contents: Data())
        #expect(try await run(target).isComplete)
        let found = try await target.contentsOfDirectory(path: "/to").map(\.name).sorted()
        // Only what this very run might be writing stays besides.
        #expect(found.count == 3 && found.contains("a") && found.contains(foreign))
        #expect(try await source.contentsOfDirectory(path: "/from").count == 2)
    }

    @Test("goes with any run, where the name says that its process has ended")
    func ended() async throws {
        let target = MemoryFileProvider()
        let dead = try #require(TemporaryWriter(ProcessMark(number: 4_194_303, start: "1"))).uuid()
        let alive = try #require(TemporaryWriter.current).uuid()
        let names = [dead, alive].map { ".ferry-\($0.uuidString.lowercased()).tmp" }
        for name in names {
            try await target.writeContents(path: ItemPath.root.appending(name), contents: Data())
        }
        let report = try await Transfer(from: TransferPlace(MemoryFileProvider()), to: TransferPlace(target)).run()
        #expect(report.isComplete)
        #expect(try await target.contentsOfDirectory(path: "/").map(\.name) == [names[1]])
    }

    @Test("has a name that says whose it is")
    func marks() async throws {
        let owner = try #require(TemporaryOwner(work: "71a076ec", run: 7))
        #expect(owner.mark == "71a07607")
        #expect(owner.wasLeftBehind("71a07608ffff") && !owner.wasLeftBehind("71a07607ffff"))
        #expect(!owner.wasLeftBehind("71a077080000") && TemporaryOwner(work: "71a") == nil)
        let id = await OperationContext.with(\.temporaryOwner, owner) { TemporaryOwner.uuid() }
        #expect(id.uuidString.lowercased().hasPrefix("71a07607-"))
        #expect(TemporaryName.isOne(".ferry-\(id.uuidString.lowercased()).tmp"))
    }
}
