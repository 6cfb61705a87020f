import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import GRDB
import Testing

@testable import FerryTransfer

@Suite("The journal")
struct TransferJournalTests {
    private let scratch: ScratchFolder
    private let source = MemoryFileProvider()

    init() async throws {
        scratch = try ScratchFolder()
        try await source.create(folder: "from", at: "/")
        for (index, name) in ["a", "b", "c"].enumerated() {
            try await source.writeContents(path: "/from/\(name)", contents: noise(200_000, seed: UInt64(index)))
        }
    }

    private var url: URL { scratch.url.appending(path: "state/journal.sqlite") }

    private func local() throws -> LocalFileProvider {
        let folder = scratch.url.appending(path: "to")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return LocalFileProvider(baseURL: folder)
    }

    private func transfer(
        from source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        _ options: TransferOptions = .inParts
    ) throws -> Transfer {
        try Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: 1),
            clock: SteppingClock()
        )
    }

    private func broken(after parts: Int) -> FaultInjectingFileProvider<MemoryFileProvider> {
        FaultInjectingFileProvider(
            source,
            plan: FaultPlan([.init(.contentStream, on: .after(parts), fault: .error(URLError(.networkConnectionLost)))])
        )
    }

    @Test("a job is there while it runs, and gone when it ended well")
    func life() async throws {
        let journal = try await TransferJournal.open(at: url)
        #expect(journal.damagedFile == nil)
        #expect(try await journal.jobs() == [])
        let target = try local()
        let seen = Seen()
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([
                .init(
                    .contentStream,
                    on: .call(3),
                    fault: .meanwhile { [url] in
                        do {
                            let other = try await TransferJournal.open(at: url)
                            await seen.set(try await other.jobs())
                            guard let id = await seen.jobs.first?.id else { return }
                            await #expect(throws: CocoaError.self) { try await other.forget(id, at: target) }
                        } catch {
                            Issue.record(error)
                        }
                    }
                )
            ])
        )
        let report = try await transfer(from: reading, to: target).run(journal: journal, memo: "cp -r from to")
        #expect(report.isComplete)
        let job = try #require(await seen.jobs.first)
        #expect(job.state == .running)
        #expect(job.memo == "cp -r from to")
        #expect(job.source.top == "/from")
        #expect(job.source.storage.type == "memory")
        #expect(job.target.storage.baseURL == target.baseURL)
        #expect(try await journal.jobs() == [])
        #expect(try scratch.names(in: "state").allSatisfy { $0.hasPrefix("journal.sqlite") && !$0.hasSuffix(".lock") })
    }

    @Test("the file is its owner's alone")
    func permissions() async throws {
        let journal = try await TransferJournal.open(at: url)
        #expect(try await journal.jobs() == [])
        // The files that SQLite puts beside it while it is open count, too.
        let names = try scratch.names(in: "state")
        #expect(names.contains("journal.sqlite-wal"))
        for name in names {
            let path = scratch.url.appending(path: "state/\(name)").path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test("a file that is no journal is put aside, and a new one begun", arguments: ["text", "header", "middle"])
    func damage(kind: String) async throws {
        let target = try local()
        do {
            let journal = try await TransferJournal.open(at: url)
            _ = try await transfer(from: broken(after: 2), to: target).run(journal: journal)
            try await journal.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        }
        var bytes = try Data(contentsOf: url)
        switch kind {
        case "text": bytes = Data(repeating: UInt8(ascii: "x"), count: 10_000)
        case "header": bytes.replaceSubrange(0..<16, with: Data(repeating: 0, count: 16))
        default: bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 0xAA, count: bytes.count - 100))
        }
        try bytes.write(to: url)
        let journal = try await TransferJournal.open(at: url)
        let aside = try #require(journal.damagedFile)
        #expect(try Data(contentsOf: aside) == bytes)
        #expect(try await journal.jobs() == [])
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.journalFailure == nil)
        for name in ["a", "b", "c"] {
            let path = try #require(ItemPath("/" + name))
            let original = try await source.contents(path: ItemPath(stringLiteral: "/from").appending(name))
            #expect(try await target.contents(path: path) == original)
        }
    }

    @Test("a journal that is full is told once, and the job goes on without it")
    func full() async throws {
        let journal = try await TransferJournal.open(at: url)
        try await journal.database.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
            // Fills what room there is.
            for index in 0..<100_000 {
                do {
                    try database.execute(
                        sql: "INSERT INTO job VALUES (?, 'x', 'failed', '{}', '{}', NULL, 0, 0)",
                        arguments: ["filler \(index)"]
                    )
                } catch {
                    break
                }
            }
        }
        let target = try local()
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.journalFailure != nil)
        #expect(try scratch.names(in: "to") == ["a", "b", "c"])
        #expect(try await target.contents(path: "/b") == source.contents(path: "/from/b"))
    }

    @Test("two runs of one transfer at the same time don't meet in the journal")
    func together() async throws {
        let target = try local()
        var options = TransferOptions.inParts
        options.comparison = .nothing
        let results = try await withThrowingTaskGroup(of: TransferReport.self) { group in
            for _ in 0..<2 {
                group.addTask { [options] in
                    let journal = try await TransferJournal.open(at: url)
                    return try await transfer(from: source, to: target, options).run(journal: journal)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.journalFailure == nil })
        // Each may find that the other was there before it.
        for failure in results.flatMap(\.failures) {
            #expect((failure.error as? CocoaError)?.code == .fileWriteFileExists)
        }
        for name in ["a", "b", "c"] {
            #expect(
                try await target.contents(path: ItemPath.root.appending(name))
                    == source.contents(path: ItemPath(stringLiteral: "/from").appending(name))
            )
        }
        #expect(try scratch.names(in: "to").filter { $0.hasSuffix(".tmp") } == [])
    }

    @Test("a job is known by account and folder, whatever a storage has found out about its server meanwhile")
    func identity() async throws {
        let journal = try await TransferJournal.open(at: url)
        func place(_ options: [String: String], user: String = "alice", top: ItemPath = "/a") throws
            -> TransferJob.Place
        {
            let url = try #require(URL(string: "https://example.com/"))
            let storage = ProviderConfiguration(type: "x", baseURL: url, user: user, options: options)
            return TransferJob.Place(storage: storage, top: top)
        }
        func job(_ target: TransferJob.Place) async throws -> String {
            let job = try await journal.begin(from: try place([:]), to: target, memo: nil) { _ in }
            await job.end(isComplete: false)
            return job.id
        }
        let first = try await job(try place(["server": "1"]))
        #expect(try await job(try place(["server": "2"])) == first)
        #expect(try await job(try place(["server": "1"], user: "bob")) != first)
        #expect(try await job(try place(["server": "1"], top: "/b")) != first)
        #expect(try await journal.jobs().count == 3)
    }

    @Test("where no listing tells what was copied, the journal does", arguments: [false, true])
    func done(inBulk: Bool) async throws {
        let journal = try await TransferJournal.open(at: url)
        let memory = MemoryFileProvider()
        let target: any TransferPlace.Storage = inBulk ? InBulk(memory) : memory
        var options = TransferOptions()
        options.comparison = .nothing
        options.concurrency = 1
        let first = try await transfer(from: broken(after: 2), to: target, options).run(journal: journal)
        #expect(first.failures.count == 1)
        let counting = FaultInjectingFileProvider(source)
        let second = try await transfer(from: counting, to: target, options).run(journal: journal)
        #expect(second.isComplete)
        #expect(counting.count(of: .contentStream) == 1)
        #expect(second.bytes == 200_000)
        // A job that ended well is forgotten: the next begins at the beginning.
        let third = try await transfer(from: source, to: target, options).run(journal: journal)
        #expect(third.bytes == 600_000)
        if let bulk = target as? InBulk<MemoryFileProvider> { #expect(bulk.bulks == [2, 3]) }
    }
}

private actor Seen {
    private(set) var jobs: [TransferJob] = []

    func set(_ jobs: [TransferJob]) { self.jobs = jobs }
}
