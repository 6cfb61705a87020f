import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What a storage has only said that it has is looked at before a transfer ends")
struct CopyReviewTests {
    private let source = MemoryFileProvider()

    private func run(
        to target: any TransferPlace.Storage,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReport {
        var options = TransferOptions()
        change(&options)
        return try await Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            clock: NoWaiting()
        ).run()
    }

    @Test(
        "what was not kept, or in part only, is sent again",
        arguments: [Forgetful<MemoryFileProvider>.Habit.nothing, .half],
        [1, 30]
    )
    func again(habit: Forgetful<MemoryFileProvider>.Habit, files: Int) async throws {
        for number in 1...files { try await Tree.plant(["/a/d/\(number)": "this is number \(number)"], in: source) }
        let target = Forgetful(base: MemoryFileProvider(), habit, times: [1: 1, 17: 2])
        let report = try await run(to: target)
        #expect(report.isComplete, "\(report.lines)")
        #expect(report.counts == [.makeFolder: 2, .add: files])
        #expect(try await Tree.lines(of: target.base, below: "/b") == Tree.lines(of: source, below: "/a"))
        #expect(target.writes == files + (files == 1 ? 1 : 3))
    }

    @Test(
        "what is never kept is told in the end, and nothing is left of it",
        arguments: [
            Forgetful<MemoryFileProvider>.Habit.nothing, .half,
        ]
    )
    func hopeless(habit: Forgetful<MemoryFileProvider>.Habit) async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "two"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), habit, times: [1: 100])
        let report = try await run(to: target)
        #expect(report.counts == [.makeFolder: 1, .add: 1])
        let failure = try #require(report.failures.first)
        #expect(report.failures.count == 1 && (failure.error as? CocoaError)?.code == .fileWriteUnknown)
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/2 two"])
        #expect(target.writes == 4)
    }

    @Test("what replaced a file and was not kept is sent to the place that is free now")
    func update() async throws {
        try await Tree.plant(["/a/1": "this is new"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), .half, times: [1: 1])
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let report = try await run(to: target)
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this is new"])
    }

    @Test("an old file that the new one begins with is never removed first", arguments: [1, 100])
    func grown(times: Int) async throws {
        try await Tree.plant(["/a/1": "this is new"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), .nothing, times: [1: times])
        try await Tree.plant(["/b/1": "this"], in: target.base)
        let line = FaultInjectingFileProvider(target)
        let report = try await run(to: line)
        #expect(line.count(of: .removeItem) == 0)
        if times == 1 {
            #expect(report.isComplete && report.counts == [.update: 1], "\(report.lines)")
            #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this is new"])
        } else {
            #expect(report.failures.count == 1 && report.counts.isEmpty, "\(report.lines)")
            #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this"])
        }
    }

    @Test(
        "a large file that has broken off is sent again, and somebody else's stays",
        arguments: [
            Forgetful<MemoryFileProvider>.Habit.half, .others,
        ]
    )
    func large(habit: Forgetful<MemoryFileProvider>.Habit) async throws {
        let data = noise(1_500_000)
        try await source.create(folder: "a", at: "/")
        try await source.writeContents(path: "/a/1", contents: data)
        let target = Forgetful(base: MemoryFileProvider(), habit, times: [1: 1])
        let report = try await run(to: target)
        if habit == .half {
            #expect(report.isComplete, "\(report.lines)")
            #expect(try await target.base.contents(path: "/b/1") == data)
        } else {
            #expect(report.failures.count == 1)
            #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 theirs"])
        }
    }

    @Test("a large file that has broken off in the place of an old one is replaced once more, and never removed")
    func largeUpdate() async throws {
        let data = noise(1_500_000)
        try await source.create(folder: "a", at: "/")
        try await source.writeContents(path: "/a/1", contents: data)
        let target = Forgetful(base: MemoryFileProvider(), .half, times: [1: 1])
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let line = FaultInjectingFileProvider(target)
        let report = try await run(to: line)
        #expect(report.isComplete && report.counts == [.update: 1], "\(report.lines)")
        #expect(line.count(of: .removeItem) == 0 && target.writes == 2)
        #expect(try await target.base.contents(path: "/b/1") == data)
    }

    @Test(
        "what is moved and was not kept, or in part only, is sent again, and then its original goes",
        arguments: [Forgetful<MemoryFileProvider>.Habit.nothing, .half],
        [false, true]
    )
    func moved(habit: Forgetful<MemoryFileProvider>.Habit, isUpdate: Bool) async throws {
        try await Tree.plant(["/a/1": "this is new", "/a/2": "and this"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), habit, times: [1: 2])
        if isUpdate { try await Tree.plant(["/b/1": "this"], in: target.base) }
        let line = FaultInjectingFileProvider(target)
        let report = try await run(to: line) { $0.mode = .move }
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this is new", "/2 and this"])
        await #expect(throws: CocoaError.self) { try await source.attributesOfItem(path: "/a") }
        #expect(target.writes == 4)
        #expect(!isUpdate || line.count(of: .removeItem) == 0)
    }

    @Test(
        "what is moved and never kept keeps its original, and is told",
        arguments: [Forgetful<MemoryFileProvider>.Habit.nothing, .half, .others]
    )
    func movedInVain(habit: Forgetful<MemoryFileProvider>.Habit) async throws {
        try await Tree.plant(["/a/1": "this is new", "/a/2": "and this"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), habit, times: [1: 100])
        let report = try await run(to: target) { $0.mode = .move }
        #expect(report.failures.map(\.action.path) == ["/1"], "\(report.lines)")
        #expect(try await Tree.lines(of: source, below: "/a") == ["/1 this is new"])
        let theirs = habit == .others ? ["/1 theirs"] : []
        #expect(try await Tree.lines(of: target.base, below: "/b") == theirs + ["/2 and this"])
    }

    @Test("of a file that is moved only one question is asked")
    func movedQuestions() async throws {
        try await Tree.plant(["/a/1": "this is new"], in: source)
        let line = FaultInjectingFileProvider(Forgetful(base: MemoryFileProvider(), .half, times: [:]))
        let report = try await run(to: line) { $0.mode = .move }
        #expect(report.isComplete, "\(report.lines)")
        #expect(line.calls.filter { $0.path == "/b/1" && $0.method == .attributesOfItem }.count == 1)
    }

    @Test("what can't be looked at is one failure, and no other file's")
    func one() async throws {
        for number in 1...20 { try await Tree.plant(["/a/\(number)": "this is number \(number)"], in: source) }
        let line = FaultInjectingFileProvider(
            Forgetful(base: MemoryFileProvider(), .half, times: [3: 1]),
            plan: FaultPlan([
                .init(.attributesOfItem, path: "/b/3", fault: .error(CocoaError(.fileReadNoPermission)))
            ])
        )
        let report = try await run(to: line)
        #expect(report.failures.map(\.action.path) == ["/3"], "\(report.lines)")
        #expect(report.counts == [.makeFolder: 1, .add: 19])
        // A folder that can't be listed is asked for each of its files.
        let other = FaultInjectingFileProvider(
            Forgetful(base: MemoryFileProvider(), .half, times: [:]),
            plan: FaultPlan([.init(.directoryListing, fault: .error(CocoaError(.fileReadNoPermission)))])
        )
        #expect(try await run(to: other).isComplete)
        #expect(other.count(of: .attributesOfItem) == 21)
    }

    @Test("nothing is replaced of which the backup is only said to be there")
    func backup() async throws {
        try await Tree.plant(["/a/1": "this is new"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), .half, times: [:], copies: 1)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let report = try await run(to: target) { $0.backupFolder = "/kept" }
        #expect(report.failures.count == 1, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 old"])
        #expect(try await run(to: target) { $0.backupFolder = "/kept" }.isComplete)
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this is new"])
        #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/1 old"])
    }

    @Test("of an old file whose successor has broken off, the backup is the old one")
    func backupOfOld() async throws {
        try await Tree.plant(["/a/1": "this is new"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), .half, times: [1: 2])
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let report = try await run(to: target) { $0.backupFolder = "/kept" }
        #expect(report.isComplete && target.writes == 3, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 this is new"])
        #expect(try await Tree.lines(of: target.base, below: "/kept") == ["/1 old"])
    }

    @Test("what somebody else has put there meanwhile stays, and is told")
    func others() async throws {
        try await Tree.plant(["/a/1": "this is ours"], in: source)
        let target = Forgetful(base: MemoryFileProvider(), .others, times: [1: 1])
        let report = try await run(to: target)
        let failure = try #require(report.failures.first)
        #expect(failure.error.localizedDescription.contains("6 bytes instead of 12"))
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 theirs"])
    }

    @Test(
        "what a server was to copy by itself, a file or a folder, and didn't, is copied again",
        arguments: [true, false]
    )
    func onServer(isFolder: Bool) async throws {
        let base = MemoryFileProvider()
        try await Tree.plant(["/a/d/1": "one", "/a/2": "two"], in: base)
        let server = Forgetful(base: base, .nothing, times: [:], copies: 2)
        let top: ItemPath = isFolder ? "/a" : "/a/2"
        let report = try await Transfer(
            from: TransferPlace(server, top),
            to: TransferPlace(server, "/b"),
            clock: NoWaiting()
        ).run()
        #expect(report.isComplete, "\(report.lines)")
        if isFolder {
            #expect(try await Tree.lines(of: base, below: "/b") == ["/2 two", "/d/", "/d/1 one"])
        } else {
            #expect(try await base.contents(path: "/b") == Data("two".utf8))
        }
        let never = Forgetful(base: base, .nothing, times: [:], copies: 100)
        let other = try await Transfer(
            from: TransferPlace(never, top),
            to: TransferPlace(never, "/c"),
            clock: NoWaiting()
        ).run()
        #expect(other.failures.count == 1 && other.counts.isEmpty, "\(other.lines)")
    }

    @Test("folders are listed once for many files; of a few, each is asked for")
    func requests() async throws {
        for number in 1...50 { try await Tree.plant(["/a/many/\(number)": "\(number)"], in: source) }
        for number in 1...3 { try await Tree.plant(["/a/few/\(number)": "\(number)"], in: source) }
        let line = FaultInjectingFileProvider(Forgetful(base: MemoryFileProvider(), .half, times: [:]))
        #expect(try await run(to: line).isComplete)
        // A page and its end; the top, and three files.
        #expect(line.count(of: .directoryListing) == 2 && line.count(of: .attributesOfItem) == 4)
    }

    @Test("what a storage never lists is asked for, and not sent again")
    func hidden() async throws {
        for number in 1...20 { try await Tree.plant(["/a/.\(number)": "\(number)"], in: source) }
        try await Tree.plant(["/a/1": "one"], in: source)
        let base = MemoryFileProvider()
        let target = Forgetful(base: StorageWithout(.dotNames, base), .nothing, times: [1: 1])
        let report = try await run(to: target)
        #expect(report.isComplete && report.counts == [.makeFolder: 1, .add: 21], "\(report.lines)")
        #expect(target.writes == 22)
        #expect(try await Tree.lines(of: base, below: "/b") == Tree.lines(of: source, below: "/a"))
    }

    @Test("where nobody can look, nobody says that it is there")
    func unseen() async throws {
        try await Tree.plant(["/a/1": "one"], in: source)
        func blind() -> some TransferPlace.Storage {
            FaultInjectingFileProvider(
                Forgetful(base: MemoryFileProvider(), .half, times: [:]),
                plan: FaultPlan([
                    .init(.attributesOfItem, path: "/b/1", fault: .error(CocoaError(.fileReadNoPermission)))
                ])
            )
        }
        let report = try await run(to: blind())
        #expect(report.failures.count == 1 && report.counts == [.makeFolder: 1])
        await #expect(throws: CocoaError.self) { try await run(to: blind()) { $0.endsAtFirstFailure = true } }
    }
}
