import FerryCore
import FerryMemory
import FerryTestKit
import FerryTransfer
import Foundation
import Testing

/// Waits for nothing.
private struct NoWaiting: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

@Suite("Random trees, with a storage that fails now and then")
struct RandomTreeTests {
    /// Trees that each mode is tried on; each with its own seed.
    static let seeds = Array(UInt64(1)...40)

    @Test("in the end the target has what the source has, and what only it has is lost by sync alone", arguments: seeds)
    func trees(block: UInt64) async throws {
        for seed in (block * 100)..<(block * 100 + 25) {
            for mode in TransferOptions.Mode.allCases { try await transfer(mode, seed: seed) }
        }
    }

    private func transfer(_ mode: TransferOptions.Mode, seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        let (source, target) = (MemoryFileProvider(pageSize: 3), MemoryFileProvider(pageSize: 2))
        try await TreeContent.grow(in: source, below: "/from", using: &numbers, count: 40)
        try await TreeContent.grow(in: target, below: "/to", using: &numbers, count: 25)
        let wanted = try await TreeContent.all(of: source, below: "/from")
        let before = try await TreeContent.all(of: target, below: "/to")

        var options = TransferOptions()
        options.mode = mode
        options.largestRemoval = 1
        // Dates are random, and equal sizes are likely: only what is read tells.
        options.comparison = .nothing
        options.tracksRenames = seed % 5 == 0
        options.concurrency = Int(seed % 7) + 1
        let plan = FaultPlan(
            [
                .init(on: .chance(0.1), fault: .error(URLError(.networkConnectionLost))),
                .init(
                    .writeStream,
                    .createFolder,
                    .removeItem,
                    on: .chance(0.1),
                    fault: .lostAnswer(URLError(.timedOut))
                ),
            ],
            seed: seed
        )
        var report = TransferReport()
        // Each run starts anew, as after a death of the process.
        for attempt in 0..<20 {
            let unreliable = FaultInjectingFileProvider(
                target,
                plan: FaultPlan(plan.rules, seed: seed &+ UInt64(attempt))
            )
            let shaky = FaultInjectingFileProvider(
                source,
                plan: FaultPlan(plan.rules, seed: seed &* 3 &+ UInt64(attempt))
            )
            let transfer = try Transfer(
                from: TransferPlace(shaky, "/from"),
                to: TransferPlace(unreliable, "/to"),
                options: options,
                clock: NoWaiting()
            )
            do {
                report = try await transfer.run()
                if report.failures.allSatisfy({ $0.action.reason == .otherType }) { break }
            } catch is URLError {
                continue
            }
        }
        let after = try await TreeContent.all(of: target, below: "/to")
        #expect(try await TreeContent.all(of: source, below: "/from") == wanted, "seed \(seed)")
        if mode == .sync {
            #expect(after == wanted, "seed \(seed)")
            return
        }
        // What stands in the way of something of another kind stays, with all below it.
        let refused = Set(report.failures.filter { $0.action.kind == .refuse }.map(\.action.path))
        for (path, content) in wanted where !refused.contains(where: { $0 == path || path.isBelow($0) }) {
            #expect(after[path] == content, "seed \(seed): \(path)")
        }
        for (path, content) in before where wanted[path] == nil {
            #expect(after[path] == content, "seed \(seed): \(path)")
        }
        for path in refused { #expect(after[path] == before[path], "seed \(seed): \(path)") }
        for path in after.keys { #expect(wanted[path] != nil || before[path] != nil, "seed \(seed): \(path) is left") }
    }
}
