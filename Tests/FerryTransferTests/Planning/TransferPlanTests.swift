import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("A plan is looked at, kept, filtered and done later")
struct TransferPlanTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())

    private func transfer(_ change: (inout TransferOptions) -> Void = { _ in }) throws -> Transfer {
        var options = TransferOptions()
        options.mode = .sync
        options.largestRemoval = 1
        change(&options)
        return try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b"), options: options)
    }

    private func plant() async throws {
        try await Tree.plant(["/a/d/new": "1", "/a/changed": "22", "/a/same": "3", "/a/e/": ""], in: source.base)
        try await Tree.plant(
            ["/b/changed": "2", "/b/same": "3", "/b/gone/1": "x", "/b/gone/deep/2": "y", "/b/extra": "z"],
            in: target.base
        )
    }

    @Test("it reads well, and names every single item that goes")
    func lines() async throws {
        try await plant()
        let plan = try await transfer().plan()
        #expect(
            plan.lines == [
                "make folder /d (missing at target)", "make folder /e (missing at target)",
                "update /changed (other size)", "add /d/new (missing at target)",
                "remove /gone/deep/2 (missing at source)", "remove /gone/deep (missing at source)",
                "remove /gone/1 (missing at source)", "remove /gone (missing at source)",
                "remove /extra (missing at source)", "set date /e (other date)", "set date /d (other date)",
            ]
        )
        #expect(plan.bytes == 3 && plan.count(.skip) == 1)
        #expect(source.calls.allSatisfy { !$0.method.changesStorage })
        #expect(target.calls.allSatisfy { !$0.method.changesStorage })
    }

    @Test("it is the same after a journey through JSON, and does the same")
    func json() async throws {
        try await plant()
        let transfer = try transfer()
        let plan = try await transfer.plan()
        let read = try TransferPlan(json: try plan.json())
        #expect(read == plan)
        #expect(try await transfer.run(read).isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/changed 22", "/d/", "/d/new 1", "/e/", "/same 3"])
        #expect(try await transfer.plan().isEmpty)
        #expect(throws: DecodingError.self) { try TransferPlan(json: Data("[]".utf8)) }
    }

    @Test("a part of it does that part")
    func filtered() async throws {
        try await plant()
        let transfer = try transfer()
        let plan = try await transfer.plan().filtered { $0.kind != .remove && !$0.path.isBelow("/d") }
        let report = try await transfer.run(plan)
        #expect(report.isComplete && report.counts[.remove] == nil)
        let lines = try await Tree.lines(of: target, below: "/b")
        #expect(lines.contains("/extra z") && lines.contains("/changed 22") && !lines.contains("/d/new 1"))
    }

    @Test("what has changed on either side since is refused, not overwritten, and the others are done")
    func stale() async throws {
        try await plant()
        try await Tree.plant(["/a/new": "1", "/a/touched": "one"], in: source.base)
        let transfer = try transfer()
        let plan = try await transfer.plan()
        // Somebody writes, in the meantime, to files that would be added, updated, copied and removed.
        try await Tree.write("theirs", to: "/b/new", in: target.base, date: 9_000)
        try await Tree.write("their change", to: "/b/changed", in: target.base, date: 9_000)
        try await Tree.write("two", to: "/a/touched", in: source.base, date: 9_000)
        try await Tree.write("their x", to: "/b/extra", in: target.base, date: 9_000)
        try await Tree.write("their own", to: "/b/gone/deep/own", in: target.base, date: 9_000)
        let report = try await transfer.run(plan)
        #expect(
            Set(report.failures.map { "\($0.action.kind.words) \($0.action.path)" }) == [
                "add /new", "update /changed", "add /touched", "remove /extra", "remove /gone/deep", "remove /gone",
            ],
            "\(report.lines)"
        )
        #expect(
            try await Tree.lines(of: target, below: "/b") == [
                "/changed their change", "/d/", "/d/new 1", "/e/", "/extra their x", "/gone/", "/gone/deep/",
                "/gone/deep/own their own", "/new theirs", "/same 3",
            ]
        )
    }

    @Test(
        "a folder that has become a link leads nowhere: nothing behind it is read, written or removed",
        arguments: 0..<3
    )
    func linked(folder number: Int) async throws {
        try await withTemporaryFolder { folder in
            let local = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/d/new": "1", "/b/d/": "", "/b/old/own": "2"], in: local)
            var options = TransferOptions()
            options.mode = .sync
            options.largestRemoval = 1
            let transfer = try Transfer(
                from: TransferPlace(local, "/a"),
                to: TransferPlace(local, "/b"),
                options: options
            )
            let plan = try await transfer.plan()
            let place: ItemPath = ["/a/d", "/b/d", "/b/old"][number]
            try await local.moveItem(path: place, to: "/else")
            try await local.create(symbolicLink: place, withDestination: "../else")
            let before = try await Tree.lines(of: local, below: "/else")
            let report = try await transfer.run(try TransferPlan(json: plan.json()))
            #expect(!report.isComplete)
            #expect(try await Tree.lines(of: local, below: "/else") == before)
            let isCopied = try await Tree.lines(of: local, below: "/b").contains("/d/new 1")
            #expect(isCopied == (place == "/b/old"))
        }
    }

    @Test("folders that could not be listed are failures: of a plan that is looked at, and of one that is done")
    func unlisted() async throws {
        try await plant()
        source.plan = FaultPlan([
            .init(.directoryListing, path: "/a/d", fault: .error(CocoaError(.fileReadNoPermission)))
        ])
        target.plan = FaultPlan([
            .init(.directoryListing, path: "/b/gone", fault: .error(CocoaError(.fileReadNoPermission)))
        ])
        let transfer = try transfer()
        let plan = try await transfer.plan()
        #expect(plan.unlisted.map(\.path) == ["/d", "/gone"])
        let failures = plan.refusals(of: transfer)
        #expect(failures.map(\.action.reason) == [.incomplete, .incomplete])
        #expect(failures.map { ($0.error as NSError).userInfo[NSFilePathErrorKey] as? String } == ["/a/d", "/b/gone"])
        let report = try await transfer.run(try TransferPlan(json: plan.json()))
        #expect(report.failures.map(\.action.path) == ["/d", "/gone"])
        #expect(report.failures.map(\.action.reason) == [.incomplete, .incomplete])
        let strict = try self.transfer { $0.endsAtFirstFailure = true }
        await #expect(throws: CocoaError.self) { try await strict.run(plan) }
    }

    @Test("the order of files is what was asked for")
    func order() async throws {
        for (index, size) in [30, 10, 50, 20, 40].enumerated() {
            let text = String(repeating: "x", count: size)
            try await Tree.plant(["/a/\(index % 2)/\(size)": text], in: source.base, date: Double(100 - size))
        }
        let orders: [(TransferOrder, [String])] = [
            (TransferOrder(.size), ["10", "20", "30", "40", "50"]),
            (TransferOrder(.size, ascending: false), ["50", "40", "30", "20", "10"]),
            (TransferOrder(.date), ["50", "40", "30", "20", "10"]),
            (TransferOrder(.name), ["30", "40", "50", "10", "20"]),
        ]
        for (number, (order, names)) in orders.enumerated() {
            var options = TransferOptions()
            options.order = order
            options.concurrency = 1
            let target = FaultInjectingFileProvider(MemoryFileProvider())
            let transfer = try Transfer(
                from: TransferPlace(source, "/a"),
                to: TransferPlace(target, "/b"),
                options: options
            )
            #expect(try await transfer.run().isComplete)
            let written = target.calls.filter { $0.method == .writeStream }.map(\.path.lastName)
            if order.key == .name {
                // 0 has 30, 50 and 40; 1 has 10 and 20.
                #expect(written == ["30", "40", "50", "10", "20"], "\(number)")
            } else {
                #expect(written == names, "\(number)")
            }
        }
    }
}
