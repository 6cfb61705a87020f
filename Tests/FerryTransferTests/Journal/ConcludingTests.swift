import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("What is done when everything was copied")
struct ConcludingTests {
    private let scratch: ScratchFolder
    private let source = MemoryFileProvider()
    private let target = MemoryFileProvider()

    init() throws {
        scratch = try ScratchFolder()
    }

    private func run(
        _ journal: TransferJournal,
        _ conclusion: @escaping @Sendable (Date) async throws -> Void
    ) async throws -> TransferReport {
        var options = TransferOptions()
        options.replacesFiles = false
        var transfer = try Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/to"),
            options: options
        )
        transfer.conclusion = conclusion
        return try await transfer.run(journal: journal)
    }

    @Test("belongs to the job: a later run does it if this one can't, and is told when the first began")
    func again() async throws {
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        try await Tree.plant(["/from/a": "a"], in: source)
        let told = Mutex<[Date]>([])
        let report = try await run(journal) { [target] date in
            #expect(try await target.contents(path: "/to/a") == Data("a".utf8))
            told.withLock { $0.append(date) }
            throw CocoaError(.fileWriteNoPermission)
        }
        #expect((report.failures.first?.error as? CocoaError)?.code == .fileWriteNoPermission)
        #expect(report.failures.count == 1 && report.counts[.add] == 1)
        #expect(try await journal.jobs().map(\.state) == [.failed])
        #expect(try await run(journal) { date in told.withLock { $0.append(date) } }.isComplete)
        let dates = told.withLock { $0 }
        #expect(dates.count == 2 && Set(dates).count == 1)
        #expect(try await journal.jobs().isEmpty)
    }

    @Test("is not done where something is missing, and a copy that was lost is not gone on with")
    func lost() async throws {
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        try await Tree.plant(["/from/a": "a"], in: source)
        try await Tree.plant(["/to/a": "other"], in: target)
        let refused = try await run(journal) { _ in Issue.record("something is missing") }
        #expect(refused.failures.count == 1)
        try await target.removeItem(path: "/to/a")
        let report = try await run(journal) { _ in throw LostCopyError(reason: CocoaError(.fileWriteOutOfSpace)) }
        #expect((report.failures.first?.error as? CocoaError)?.code == .fileWriteOutOfSpace)
        #expect(try await journal.jobs().isEmpty)
    }
}
