import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What is tried again is looked at again, and what is done already is not done twice")
struct RetriedCheckTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())
    private let cut = URLError(.networkConnectionLost)

    private func transfer(
        from source: (any TransferPlace.Storage)? = nil,
        _ mode: TransferOptions.Mode,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        options.mode = mode
        options.largestRemoval = 1
        change(&options)
        return try Transfer(
            from: TransferPlace(source ?? self.source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            clock: NoWaiting()
        )
    }

    /// Somebody else writes the target's file when it is looked at for the first time.
    private var somebodyWrites: FaultPlan.Rule {
        .init(
            .attributesOfItem,
            path: "/b/1",
            on: .call(1),
            fault: .meanwhile { [base = target.base] in
                try? await Tree.write("theirs", to: "/b/1", in: base, date: 9_000)
            }
        )
    }

    @Test("a plan's check that failed for a moment is made once more, before anything is removed")
    func planGuard() async throws {
        try await Tree.plant(["/a/1": "one"], in: source.base)
        try await Tree.plant(["/b/extra": "x", "/b/old/y": "y"], in: target.base)
        let transfer = try transfer(.sync)
        let plan = try await transfer.plan()
        try await Tree.write("their x", to: "/b/extra", in: target.base, date: 9_000)
        try await Tree.write("their z", to: "/b/old/z", in: target.base, date: 9_000)
        target.plan = FaultPlan([
            .init(.attributesOfItem, path: "/b/extra", on: .call(1), fault: .error(cut)),
            .init(.directoryListing, path: "/b/old", on: .call(1), fault: .error(cut)),
        ])
        let report = try await transfer.run(plan)
        #expect(report.failures.map(\.action.path).sorted() == ["/extra", "/old"], "\(report.lines)")
        #expect(
            try await Tree.lines(of: target.base, below: "/b") == [
                "/1 one", "/extra their x", "/old/", "/old/z their z",
            ]
        )
    }

    @Test("answers that got lost are not taken for somebody else's changes", arguments: [true, false])
    func lostAnswers(byPlan: Bool) async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "new", "/a/new/3": "three", "/a/d/4": "four"], in: source.base)
        try await Tree.plant(["/b/2": "old", "/b/old/3": "three", "/b/extra": "x"], in: target.base, date: 500)
        try await Tree.write("three", to: "/b/old/3", in: target.base, date: 1_000)
        let transfer = try transfer(.sync) {
            $0.tracksRenames = true
            $0.backupFolder = "/kept"
        }
        let plan = try await transfer.plan()
        #expect(plan.count(.rename) == 1)
        target.plan = FaultPlan([
            .init(.writeStream, path: "/b/1", on: .call(1), fault: .lostAnswer(cut)),
            .init(.writeStream, path: "/b/2", on: .call(1), fault: .lostAnswer(cut)),
            .init(.moveItem, path: "/b/new/3", on: .call(1), fault: .lostAnswer(cut)),
            .init(.moveItem, path: "/b/extra", on: .call(1), fault: .lostAnswer(cut)),
            .init(.setAttributes, path: "/b/d", on: .call(1), fault: .lostAnswer(cut)),
            .init(.createFolder, path: "/b/d", on: .call(1), fault: .lostAnswer(cut)),
        ])
        let report = try await byPlan ? transfer.run(plan) : transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(
            try await Tree.lines(of: target.base, below: "/b") == [
                "/1 one", "/2 new", "/d/", "/d/4 four", "/new/", "/new/3 three",
            ]
        )
        #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/2 old", "/extra x", "/old/"])
    }

    @Test("what is replaced by a move is looked at before each try", arguments: [true, false])
    func replacing(keepsBackup: Bool) async throws {
        try await Tree.plant(["/a/1": "mine"], in: target.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let base = target.base
        target.plan = FaultPlan([
            somebodyWrites,
            .init(.attributesOfItem, path: "/b/1", on: .call(1), fault: .error(cut)),
        ])
        let report = try await transfer(from: target, .move) {
            if keepsBackup { $0.backupFolder = "/kept" }
        }.run()
        #expect(report.failures.map(\.action.path) == ["/1"])
        #expect(try await Tree.lines(of: base, below: "/") == ["/a/", "/a/1 mine", "/b/", "/b/1 theirs"])
    }

    @Test("what is replaced is in the backup folder, also where that failed for a moment", arguments: [true, false])
    func backup(isOneStorage: Bool) async throws {
        let source = isOneStorage ? target : source
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        target.plan = FaultPlan([.init(.copyItem, path: "/kept/1", on: .call(1), fault: .error(cut))])
        let report = try await transfer(from: source, isOneStorage ? .move : .copy) { $0.backupFolder = "/kept" }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 new"])
        #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/1 old"])
    }

    @Test("a second try, after an answer that got lost, doesn't put the new file over the backup of the old one")
    func backupOnce() async throws {
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        target.plan = FaultPlan([.init(.writeStream, path: "/b/1", on: .call(1), fault: .lostAnswer(cut))])
        let report = try await transfer(.copy) { $0.backupFolder = "/kept" }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/1 old"])
    }

    @Test("what somebody has changed since it was listed is neither kept in the backup folder nor replaced")
    func changedBeforeBackup() async throws {
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let base = target.base
        target.plan = FaultPlan([somebodyWrites])
        let report = try await transfer(.copy) { $0.backupFolder = "/kept" }.run()
        #expect(report.failures.map(\.action.path) == ["/1"])
        #expect(try await Tree.lines(of: base, below: "/") == ["/b/", "/b/1 theirs"])
    }

    @Test("the copy of a single file is kept under the file's name")
    func singleFile() async throws {
        try await Tree.plant(["/a/x": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old", "/kept/other": "o"], in: target.base)
        for source in [source, target] {
            try await Tree.plant(["/a/x": "new"], in: source.base, date: 2_000)
            try await Tree.write("old", to: "/b/1", in: target.base, date: 1_000)
            var options = TransferOptions()
            options.backupFolder = "/kept"
            let report = try await Transfer(
                from: TransferPlace(source, "/a/x"),
                to: TransferPlace(target, "/b/1"),
                options: options
            ).run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 new"])
            #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/1 old", "/other o"])
            try await target.base.removeItem(path: "/kept/1")
        }
    }
}
