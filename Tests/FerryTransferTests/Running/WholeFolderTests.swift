import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Folders that one call copies or moves as a whole, and what is done when that fails")
struct WholeFolderTests {
    private let storage = FaultInjectingFileProvider(MemoryFileProvider())
    private let refused = CocoaError(.fileWriteNoPermission)
    private let cut = URLError(.networkConnectionLost)

    private func transfer(
        _ mode: TransferOptions.Mode = .copy,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Transfer {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/x/": ""], in: storage.base)
        var options = TransferOptions()
        options.mode = mode
        change(&options)
        return try Transfer(
            from: TransferPlace(storage, "/a"),
            to: TransferPlace(storage, "/x/b"),
            options: options,
            clock: NoWaiting()
        )
    }

    private let lines = ["/1 one", "/d/", "/d/2 two"]

    @Test("what may go better the next time is tried again as a whole", arguments: [TransferOptions.Mode.copy, .move])
    func transient(mode: TransferOptions.Mode) async throws {
        let transfer = try await transfer(mode)
        storage.plan = FaultPlan([.init(.copyItem, .moveItem, on: .call(1), fault: .error(cut))])
        #expect(try await transfer.run().isComplete)
        #expect(storage.count(of: .directoryListing) == 0)
        #expect(storage.count(of: .copyItem) + storage.count(of: .moveItem) == 2)
        #expect(try await Tree.lines(of: storage.base, below: "/x/b") == lines)
    }

    @Test("what never goes better is one failure")
    func away() async throws {
        let transfer = try await transfer()
        storage.plan = FaultPlan([.init(.copyItem, fault: .error(cut))])
        let report = try await transfer.run()
        #expect(report.failures.map(\.action.path) == ["/"])
        #expect(storage.count(of: .directoryListing) == 0)
    }

    @Test("an answer that got lost costs a comparison, and nothing is told as failed")
    func lostAnswer() async throws {
        let transfer = try await transfer()
        storage.plan = FaultPlan([.init(.copyItem, on: .call(1), fault: .lostAnswer(cut))])
        let report = try await transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: storage.base, below: "/x/b") == lines)
        #expect(storage.count(of: .copyItem) == 2, "no file is copied once more")
    }

    @Test("the first failure ends everything, if that is wanted")
    func failFast() async throws {
        let transfer = try await transfer { $0.endsAtFirstFailure = true }
        storage.plan = FaultPlan([.init(.copyItem, fault: .error(refused))])
        let error = await #expect(throws: CocoaError.self) { try await transfer.run() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(storage.count(of: .copyItem) == 1 && storage.count(of: .directoryListing) == 0)
    }

    @Test("a folder that would go into itself is a failure")
    func intoItself() async throws {
        let transfer = try await transfer()
        storage.plan = FaultPlan([
            .init(.copyItem, fault: .error(CocoaError.intoItself("/a", target: "/x/b")))
        ])
        #expect(try await transfer.run().failures.map(\.action.path) == ["/"])
        #expect(storage.count(of: .copyItem) == 1 && storage.count(of: .directoryListing) == 0)
    }

    @Test(
        "what was copied before it failed is found, and not in the way",
        arguments: [TransferOptions.Mode.copy, .move]
    )
    func halfThere(mode: TransferOptions.Mode) async throws {
        let transfer = try await transfer(mode)
        let base = storage.base
        storage.plan = FaultPlan([
            .init(
                .copyItem,
                .moveItem,
                path: "/x/b",
                fault: .meanwhile {
                    try? await Tree.plant(["/x/b/d/2": "two", "/x/b/1": "half"], in: base)
                }
            ),
            .init(.copyItem, .moveItem, path: "/x/b", fault: .error(refused)),
        ])
        let report = try await transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: base, below: "/x/b") == lines)
        #expect(
            try await base.contentsOfDirectory(path: "/").map(\.name).sorted() == (mode == .move ? ["x"] : ["a", "x"])
        )
    }
}
