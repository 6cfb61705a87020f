import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What is replaced is there until the new one is, and nobody's change is lost")
struct ReplacingTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())

    private func transfer(
        from source: (any TransferPlace.Storage)? = nil,
        to target: (any TransferPlace.Storage)? = nil,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        options.concurrency = 1
        change(&options)
        return try Transfer(
            from: TransferPlace(source ?? self.source, "/a"),
            to: TransferPlace(target ?? self.target, "/b"),
            options: options,
            clock: NoWaiting()
        )
    }

    @Test("the backup is what was there before, however often it is tried", arguments: [true, false])
    func backup(writes: Bool) async throws {
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let lost = FaultPlan.Fault.lostAnswer(URLError(.networkConnectionLost))
        target.plan = FaultPlan(
            writes
                ? [.init(.writeStream, on: .call(1), fault: lost)]
                : [
                    .init(.copyItem, on: .call(1), fault: lost),
                    .init(.writeStream, on: .call(1), fault: .error(URLError(.networkConnectionLost))),
                ]
        )
        let report = try await transfer { $0.backupFolder = "/kept" }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 new"])
        #expect(try await Tree.lines(of: target, below: "/kept") == ["/1 old"])
    }

    @Test("what somebody has changed since it was listed is neither replaced nor kept as what it was")
    func changed() async throws {
        try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old"], in: target.base)
        let base = target.base
        target.plan = FaultPlan([
            .init(
                .createFolder,
                on: .call(1),
                fault: .meanwhile {
                    await expectNoError { try await Tree.write("theirs", to: "/b/1", in: base, date: 3_000) }
                }
            )
        ])
        // The backup folder is made before the file is replaced, and after it was looked at: the write has a condition.
        let report = try await transfer { $0.backupFolder = "/kept/today" }.run()
        #expect(report.failures.map(\.action.path) == ["/1"])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 theirs"])
    }

    @Test("a copy within one storage doesn't replace what has changed since it was listed", arguments: [true, false])
    func changedOnOneStorage(moves: Bool) async throws {
        let storage = MemoryFileProvider()
        try await Tree.plant(["/a/1": "new", "/a/2": "new"], in: storage, date: 2_000)
        try await Tree.plant(["/b/1": "old", "/b/2": "old"], in: storage)
        let writing = FaultInjectingFileProvider(
            storage,
            plan: FaultPlan([
                .init(
                    .copyItem,
                    .moveItem,
                    path: "/b/1",
                    on: .call(1),
                    fault: .meanwhile {
                        await expectNoError { try await Tree.write("theirs", to: "/b/2", in: storage, date: 3_000) }
                    }
                )
            ])
        )
        let report = try await transfer(from: storage, to: writing) { $0.mode = moves ? .move : .copy }.run()
        #expect(report.failures.map(\.action.path) == ["/2"])
        #expect(try await Tree.lines(of: storage, below: "/b") == ["/1 new", "/2 theirs"])
    }

    @Test("a link that a file replaces stays until the file is complete, and what it leads to is left alone")
    func fileForLink() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            for base: any TransferPlace.Storage & FileProviderSymbolicLink in [target.base, disk] {
                try await Tree.plant(["/a/1": "new"], in: source.base, date: 2_000)
                try await Tree.plant(["/b/other": "other"], in: base)
                try await base.create(symbolicLink: "/b/1", withDestination: "other")
                source.plan = FaultPlan([.init(.contentStream, fault: .error(CocoaError(.fileReadNoPermission)))])
                #expect(try await transfer(to: base).run().failures.count == 1)
                #expect(try await base.destination(ofSymbolicLink: "/b/1") == "other")
                #expect(try await base.contentsOfDirectory(path: "/b").map(\.name).sorted() == ["1", "other"])
                source.plan = FaultPlan([
                    .init(.contentStream, on: .call(1), fault: .cut(afterBytes: 1, URLError(.networkConnectionLost)))
                ])
                let report = try await transfer(to: base).run()
                #expect(report.isComplete, "\(report.lines)")
                #expect(try await Tree.lines(of: base, below: "/b") == ["/1 new", "/other other"])
            }
        }
    }

    @Test("a file that a link replaces stays until there is the link", arguments: [true, false])
    func linkForFile(isLost: Bool) async throws {
        try await source.base.create(folder: "a", at: "/")
        try await source.base.create(symbolicLink: "/a/1", withDestination: "there")
        try await Tree.plant(["/b/1": "old"], in: target.base)
        target.plan = FaultPlan([.init(.createSymbolicLink, fault: .error(CocoaError(.fileWriteNoPermission)))])
        #expect(try await transfer().run().failures.count == 1)
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 old"])
        let error = URLError(.networkConnectionLost)
        target.plan = FaultPlan([
            .init(
                .createSymbolicLink,
                .moveItem,
                on: .call(isLost ? 2 : 1),
                fault: isLost ? .lostAnswer(error) : .error(error)
            )
        ])
        let report = try await transfer().run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 -> there"])
    }

    @Test("where a write has no condition, what is replaced is looked at first")
    func unconditional() async throws {
        try await Tree.plant(["/a/1": "new", "/a/2": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/1": "old", "/b/2": "old"], in: target.base)
        let base = target.base
        let plain = FaultInjectingFileProvider(
            StorageWithout(.conditions, base),
            plan: FaultPlan([
                .init(
                    .writeStream,
                    path: "/b/1",
                    fault: .meanwhile {
                        await expectNoError { try await Tree.write("theirs", to: "/b/2", in: base, date: 3_000) }
                    }
                )
            ])
        )
        let report = try await transfer(to: plain).run()
        #expect(report.failures.map(\.action.path) == ["/2"])
        #expect(try await Tree.lines(of: base, below: "/b") == ["/1 new", "/2 theirs"])
    }
}

/// Records what goes wrong where nothing can be thrown.
private func expectNoError(_ body: () async throws -> Void) async {
    do { try await body() } catch { Issue.record(error) }
}
