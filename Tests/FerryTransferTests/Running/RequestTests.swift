import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("No more is asked of storages than it takes, and nothing is left behind")
struct RequestTests {
    @Test("one change for each item, and one listing of each folder that both have")
    func requests() async throws {
        let source = FaultInjectingFileProvider(MemoryFileProvider())
        let target = FaultInjectingFileProvider(MemoryFileProvider())
        try await Tree.plant(["/a/1": "1", "/a/2": "2", "/a/d/3": "3", "/a/d/e/4": "4"], in: source.base)
        try await source.base.create(symbolicLink: "/a/link", withDestination: "1")
        let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b"))
        #expect(try await transfer.run().isComplete)
        let changes = Dictionary(grouping: target.calls.filter(\.method.changesStorage), by: \.method).mapValues(
            \.count
        )
        // Two folders besides the top get their dates.
        #expect(changes == [.createFolder: 3, .writeStream: 4, .createSymbolicLink: 1, .setAttributes: 2])
        #expect(target.count(of: .directoryListing) == 0, "what was just made is empty")
        #expect(target.count(of: .attributesOfItem) == 1, "the top")
        // A page and its end.
        #expect(source.count(of: .directoryListing) == 6 && source.count(of: .contentStream) == 4)

        let before = (source.calls.count, target.calls.count)
        #expect(try await transfer.run().counts == [.skip: 5])
        #expect(source.calls.count - before.0 == 7 && target.calls.count - before.1 == 7)
    }

    @Test("folders that only the target has are listed several at a time", .timeLimit(.minutes(30)))
    func extras() async throws {
        let (source, target) = (MemoryFileProvider(), FaultInjectingFileProvider(MemoryFileProvider()))
        try await Tree.plant(["/a/1": "1"], in: source)
        try await Tree.plant(["/b/old/x/1": "1", "/b/old/y/2": "2"], in: target.base)
        // Each is listed when the other one's listing has begun.
        let x = AsyncStream.makeStream(of: Void.self)
        let y = AsyncStream.makeStream(of: Void.self)
        target.plan = FaultPlan([
            .init(
                .directoryListing,
                path: "/b/old/x",
                on: .call(1),
                fault: .meanwhile {
                    x.continuation.finish()
                    for await _ in y.stream {}
                }
            ),
            .init(
                .directoryListing,
                path: "/b/old/y",
                on: .call(1),
                fault: .meanwhile {
                    y.continuation.finish()
                    for await _ in x.stream {}
                }
            ),
        ])
        var options = TransferOptions()
        options.mode = .sync
        options.largestRemoval = 1
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options
        )
        #expect(try await transfer.run().isComplete)
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 1"])
    }

    @Test("on a disk no temporary file is left, whatever interrupts", arguments: UInt64(0)..<40)
    func disks(seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            var numbers = SeededGenerator(seed: seed)
            let source = MemoryFileProvider(pageSize: 3)
            try await TreeContent.grow(in: source, below: "/from", using: &numbers, count: 12)
            let wanted = try await TreeContent.all(of: source, below: "/from")
            let disk = LocalFileProvider(baseURL: folder)
            for attempt in UInt64(0)..<12 {
                let plan = FaultPlan(
                    [
                        .init(
                            .contentStream,
                            on: .chance(0.2),
                            fault: .cut(afterBytes: 9, URLError(.networkConnectionLost))
                        ),
                        .init(.writeStream, on: .chance(0.1), fault: .lostAnswer(URLError(.networkConnectionLost))),
                        .init(
                            .writeStream,
                            on: .chance(0.1),
                            fault: .cut(afterBytes: 7, URLError(.networkConnectionLost))
                        ),
                    ],
                    seed: seed &* 31 &+ attempt
                )
                let transfer = try Transfer(
                    from: TransferPlace(FaultInjectingFileProvider(source, plan: plan), "/from"),
                    to: TransferPlace(FaultInjectingFileProvider(disk, plan: plan), "/to"),
                    retryPolicy: RetryPolicy(maximumAttempts: 2, firstDelay: .zero),
                    clock: NoWaiting()
                )
                let progress = Progress(totalUnitCount: 0)
                let left = Mutex(attempt < 4 ? Int.random(in: 0...8, using: &numbers) : .max)
                do {
                    let report = try await transfer.run(reporting: progress) { _ in
                        if left.withLock({ left in
                            left -= 1
                            return left == 0
                        }) {
                            progress.cancel()
                        }
                    }
                    if report.isComplete { break }
                } catch is CancellationError {
                    continue
                }
            }
            #expect(try await TreeContent.all(of: disk, below: "/to").keys.sorted() == wanted.keys.sorted())
            for (path, content) in wanted {
                guard case .file(let data) = content else { continue }
                #expect(try await disk.contents(path: ("/to" as ItemPath).appending(path: path)) == data, "\(path)")
            }
        }
    }
}
