import FerryCore
import FerryMemory
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@Suite("The guide to moving trees")
struct MovingTreesTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        let (disk, cloud, attic) = (MemoryFileProvider(), MemoryFileProvider(), MemoryFileProvider())
        let stateFolder = FileManager.default.temporaryDirectory.appending(path: "ferry-guide-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: stateFolder) }
        try await disk.create(folder: "photos", at: "/")
        try await disk.writeContents(path: "/photos/boat.jpg", contents: Data("a boat".utf8))
        try await disk.writeContents(path: "/photos/x.tmp", contents: Data("rubbish".utf8))
        // begin
        let transfer = try Transfer(from: TransferPlace(disk, "/photos"), to: TransferPlace(cloud, "/backup"))
        let report = try await transfer.run()
        print(report.counts[.add] ?? 0, "copied,", report.failures.count, "failed")
        // end
        // begin
        var options = TransferOptions()
        options.mode = .sync
        options.filter.patterns = TransferFilter.patterns(in: "*.tmp\n/private/")
        let sync = try Transfer(
            from: TransferPlace(disk, "/photos"),
            to: TransferPlace(cloud, "/backup"),
            options: options
        )
        let plan = try await sync.plan()
        for line in plan.lines { print(line) }
        let careful = plan.filtered { $0.kind != .remove }
        _ = try await sync.run(careful)
        // end
        // begin
        let progress = Progress(totalUnitCount: 0)
        let watched = try await transfer.run(reporting: progress) { event in
            if case .failed(let action, let error) = event { print(action.path, error.localizedDescription) }
        }
        print(progress.completedUnitCount, "bytes,", watched.losses[.dates] ?? 0, "dates lost")
        // end
        // begin
        let queue = OperationQueue()
        let first = TransferOperation(transfer)
        let second = TransferOperation(
            try Transfer(from: TransferPlace(cloud, "/backup"), to: TransferPlace(attic, "/copy"))
        )
        second.addDependency(first)
        queue.addOperation(first)
        queue.addOperation(second)
        // end
        // begin
        let journal = try await TransferJournal.open(at: stateFolder.appending(path: "transfers.sqlite"))
        _ = try await transfer.run(journal: journal)
        print(try await journal.jobs().count, "to go on with")
        // end
        #expect(report.counts[.add] == 2 && watched.isComplete && careful.actions.allSatisfy { $0.kind != .remove })
        #expect(try await cloud.contents(path: "/backup/boat.jpg") == Data("a boat".utf8))
        await withCheckedContinuation { continuation in
            queue.addBarrierBlock { continuation.resume() }
        }
        #expect(try await attic.contents(path: "/copy/boat.jpg") == Data("a boat".utf8))
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 5)
        #expect(try examples.missing(from: "../../../Sources/FerryTransfer/FerryTransfer.docc/MovingTrees.md") == [])
    }
}
