import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What each mode leaves on both sides")
struct ModeTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())

    private func transfer(_ mode: TransferOptions.Mode, _ change: (inout TransferOptions) -> Void = { _ in }) throws
        -> Transfer
    {
        var options = TransferOptions()
        options.mode = mode
        change(&options)
        return try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            clock: NoWaiting()
        )
    }

    @Test("a move leaves nothing of what was moved, and folders that are empty then go")
    func moving() async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/a/d/e/": "", "/a/same": "x"], in: source.base)
        try await Tree.plant(["/b/same": "x", "/b/mine": "m"], in: target.base)
        let report = try await transfer(.move).run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await source.contentsOfDirectory(path: "/").isEmpty)
        #expect(
            try await Tree.lines(of: target, below: "/b") == [
                "/1 one", "/d/", "/d/2 two", "/d/e/", "/mine m", "/same x",
            ]
        )
        #expect(report.counts[.removeSource] == 4, "the same file, and three folders")
    }

    @Test("a move leaves what is left out, with the folders that it is in")
    func movingSome() async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2.log": "two", "/a/d/3": "three"], in: source.base)
        let report = try await transfer(.move) { $0.filter.patterns = TransferFilter.patterns(in: "*.log") }.run()
        #expect(report.isComplete)
        #expect(try await Tree.lines(of: source, below: "/a") == ["/d/", "/d/2.log two"])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/d/", "/d/3 three"])
    }

    @Test("a file whose copy fails, or that changes meanwhile, is not removed")
    func movingUnsafely() async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "two", "/a/3": "three"], in: source.base)
        let base = source.base
        target.plan = FaultPlan([
            .init(.writeStream, path: "/b/1", fault: .error(CocoaError(.fileWriteOutOfSpace))),
            .init(
                .writeStream,
                path: "/b/2",
                fault: .meanwhile { try? await Tree.write("changed", to: "/a/2", in: base, date: 2_000) }
            ),
        ])
        let report = try await transfer(.move).run()
        #expect(report.failures.map(\.action.path).sorted() == ["/1", "/2"])
        #expect(try await Tree.lines(of: source, below: "/a") == ["/1 one", "/2 changed"])
        target.plan = FaultPlan()
        #expect(try await transfer(.move).run().isComplete)
        #expect(try await source.contentsOfDirectory(path: "/").isEmpty)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/2 changed", "/3 three"])
    }

    @Test("what looks the same only by its size is copied once more before a move removes it")
    func movingWithoutDates() async throws {
        let dateless = StorageWithout(.dates, MemoryFileProvider())
        try await Tree.plant(["/a/1": "one"], in: source.base, date: 1_000)
        try await Tree.plant(["/b/1": "two"], in: dateless, date: 2_000)
        var options = TransferOptions()
        options.mode = .move
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(dateless, "/b"),
            options: options
        )
        #expect(try await transfer.run().isComplete)
        #expect(try await Tree.lines(of: dateless, below: "/b") == ["/1 one"])
    }

    @Test("on one storage a folder that the target lacks is moved, or copied, by one call", arguments: [true, false])
    func wholeFolders(moves: Bool) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/a/d/e/3": "three"], in: source.base)
        try await Tree.plant(["/x/": ""], in: source.base)
        var options = TransferOptions()
        options.mode = moves ? .move : .copy
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(source, "/x/b"),
            options: options
        )
        let progress = Progress(totalUnitCount: 0)
        #expect(try await transfer.run(reporting: progress).isComplete)
        #expect(source.count(of: .directoryListing) == 0)
        #expect(
            try await Tree.lines(of: source, below: "/x/b") == ["/1 one", "/d/", "/d/2 two", "/d/e/", "/d/e/3 three"]
        )
        let changes = source.calls.map(\.method).filter(\.changesStorage)
        #expect(changes == [moves ? .moveItem : .copyItem])
        let names = try await source.contentsOfDirectory(path: "/").map(\.name).sorted()
        #expect(names == (moves ? ["x"] : ["a", "x"]))
        #expect(progress.isFinished)
    }

    @Test("where the storage refuses a folder as a whole, what is in it is copied one by one")
    func dissolvedFolders() async throws {
        try await Tree.plant(["/a/d/1": "one", "/a/d/e/2": "two", "/x/": ""], in: source.base)
        source.plan = FaultPlan([
            .init(.copyItem, path: "/a", fault: .error(CocoaError(.fileWriteNoPermission))),
            .init(.copyItem, path: "/a/d", fault: .error(CocoaError(.fileWriteNoPermission))),
        ])
        let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(source, "/x/b"))
        let report = try await transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: source, below: "/x/b") == ["/d/", "/d/1 one", "/d/e/", "/d/e/2 two"])
    }

    @Test("sync removes nothing while a folder of either side can't be listed", arguments: [true, false])
    func unlisted(atSource: Bool) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: source.base)
        try await Tree.plant(["/b/d/2": "two", "/b/extra": "x", "/b/d/extra": "y"], in: target.base)
        let rule = FaultPlan.Rule(
            .directoryListing,
            path: atSource ? "/a/d" : "/b/d",
            fault: .error(CocoaError(.fileReadNoPermission))
        )
        if atSource { source.plan = FaultPlan([rule]) } else { target.plan = FaultPlan([rule]) }
        let sync = try transfer(.sync) { $0.largestRemoval = 1 }
        let plan = try await sync.plan()
        #expect(plan.unlisted.map(\.path) == ["/d"] && plan.unlisted.map(\.isAtTarget) == [!atSource])
        #expect(plan.count(.remove) == 0)
        let report = try await sync.run()
        #expect(report.failures.map(\.action.reason) == [.incomplete])
        #expect(target.count(of: .removeItem) == 0)
        #expect(
            try await Tree.lines(of: target.base, below: "/b") == [
                "/1 one", "/d/", "/d/2 two", "/d/extra y", "/extra x",
            ]
        )
    }

    @Test("sync refuses to remove more than is allowed, and says how many")
    func tooMany() async throws {
        try await Tree.plant(["/a/1": "one"], in: source.base)
        try await Tree.plant(["/b/1": "one", "/b/2": "x", "/b/d/3": "y"], in: target.base)
        let report = try await transfer(.sync).run()
        #expect(report.failures.count == 1)
        #expect(
            report.failures.first?.error.reasonInWords
                == "nothing is removed: 3 of 4 items would be removed, and 50 % of them may be"
        )
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/2 x", "/d/", "/d/3 y"])
        #expect(try await transfer(.sync) { $0.largestRemoval = 0.75 }.run().isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one"])
    }

    @Test(
        "what is in the way and may not be removed is told, and which of the two is the folder",
        arguments: [true, false]
    )
    func inTheWay(isFolder: Bool) async throws {
        try await Tree.plant(isFolder ? ["/a/x": "1"] : ["/a/x/y": "1"], in: source.base)
        try await Tree.plant(isFolder ? ["/b/x/y": "2"] : ["/b/x": "2"], in: target.base)
        let report = try await transfer(.sync) { $0.largestRemoval = 0 }.run()
        let texts = report.failures.map(\.error.reasonInWords)
        let words = isFolder ? "a folder is where a file should go" : "a file is where a folder should go"
        #expect(texts.contains { $0.contains(words) }, "\(texts)")
    }

    @Test("what is overwritten or removed goes to the backup folder")
    func backup() async throws {
        try await Tree.plant(["/a/1": "new", "/a/d/2": "new too"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old", "/b/d/2": "older", "/b/d/gone": "x", "/b/g/h": "y"], in: target.base)
        let report = try await transfer(.sync) {
            $0.largestRemoval = 1
            $0.backupFolder = "/kept/today"
        }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 new", "/d/", "/d/2 new too"])
        #expect(
            try await Tree.lines(of: target, below: "/kept/today")
                == ["/1 old", "/d/", "/d/2 older", "/d/gone x", "/g/", "/g/h y"]
        )
    }

    @Test("a file that was renamed, or whose folder was, is moved and not copied")
    func renames() async throws {
        try await Tree.plant(["/a/new/1": "one", "/a/new/2": "twos", "/a/x": "same"], in: source.base)
        try await Tree.plant(["/b/old/1": "one", "/b/old/2": "twos", "/b/x": "same"], in: target.base)
        let report = try await transfer(.sync) { $0.tracksRenames = true }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(report.counts[.rename] == 2 && report.bytes == 0)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/new/", "/new/1 one", "/new/2 twos", "/x same"])
        #expect(target.count(of: .writeStream) == 0 && target.count(of: .moveItem) == 2)
    }

    @Test("where moving a file to its new name fails, its old folder stays with it", arguments: [true, false])
    func failedRenames(byPlan: Bool) async throws {
        try await Tree.plant(["/a/new/1": "one"], in: source.base)
        try await Tree.plant(["/b/old/1": "one"], in: target.base)
        target.plan = FaultPlan([.init(.moveItem, fault: .error(CocoaError(.fileWriteNoPermission)))])
        let transfer = try transfer(.sync) {
            $0.tracksRenames = true
            $0.largestRemoval = 1
        }
        let plan = try await transfer.plan()
        #expect(plan.count(.rename) == 1)
        let report = try await byPlan ? transfer.run(plan) : transfer.run()
        #expect(report.failures.map(\.action.path) == ["/new/1", "/old"])
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/new/", "/old/", "/old/1 one"])
    }

    @Test("a transfer of a single file is one of that file")
    func singleFile() async throws {
        try await Tree.plant(["/a/1": "one"], in: source.base)
        for mode in TransferOptions.Mode.allCases {
            var options = TransferOptions()
            options.mode = mode
            try await Tree.plant(["/\(mode)/": ""], in: target.base)
            let place = ItemPath.root.appending("\(mode)").appending("renamed")
            let transfer = try Transfer(
                from: TransferPlace(source, "/a/1"),
                to: TransferPlace(target, place),
                options: options
            )
            #expect(try await transfer.run().isComplete)
            #expect(try await target.contents(path: place) == Data("one".utf8))
        }
        #expect(try await source.contentsOfDirectory(path: "/a").isEmpty)
    }

    @Test("a file in a folder's place is replaced by sync, unless what is in it stays")
    func otherTypes() async throws {
        try await Tree.plant(["/a/x": "file", "/a/y/1": "one"], in: source.base)
        try await Tree.plant(["/b/x/2": "two", "/b/y": "file"], in: target.base)
        let refused = try await transfer(.sync) {
            $0.largestRemoval = 1
            $0.filter.patterns = TransferFilter.patterns(in: "2")
        }.run()
        #expect(refused.failures.map(\.action.path) == ["/x"])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/x/", "/x/2 two", "/y/", "/y/1 one"])
        #expect(try await transfer(.sync) { $0.largestRemoval = 1 }.run().isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/x file", "/y/", "/y/1 one"])
    }

    @Test("existing files stay where that is wanted")
    func keeping() async throws {
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let report = try await transfer(.copy) { $0.keepsExisting = true }.run()
        #expect(report.isComplete && report.counts[.skip] == 1)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 old"])
    }
}
