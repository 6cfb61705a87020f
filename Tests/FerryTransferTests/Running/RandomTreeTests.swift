import FerryCore
import FerryMemory
import FerryTestKit
import FerryTransfer
import Foundation
import Synchronization
import Testing

@Suite("Random trees, on storages that fail now and then, by transfers that are interrupted")
struct RandomTreeTests {
    private typealias Storage = FaultInjectingFileProvider<MemoryFileProvider>
    private typealias Tree = [ItemPath: TreeContent]

    /// Each has its own tree, its own faults, and its own moments of interruption.
    private static let seedsOfBlock: UInt64 = 50

    /// Forty blocks are 2,000 seeds, which are tried with `FERRY_DEEP=1`.
    private static let blocks = UInt64(Sweep.count(40))

    /// The storages and trees of one seed.
    private struct Trial {
        let seed: UInt64
        let source: MemoryFileProvider
        let target: MemoryFileProvider
        let wanted: Tree
        let before: Tree
        var options: TransferOptions
    }

    @Test(
        "in the end the target has what the source has, what only it had is lost by sync alone, and nothing else is there",
        arguments: 0..<blocks
    )
    func trees(block: UInt64) async throws {
        let first = Sweep.firstSeed + block * Self.seedsOfBlock
        for seed in first..<first + Self.seedsOfBlock {
            let trial = try await makeTrial(seed)
            let report = try await runUntilDone(trial)
            try await verify(trial, report)
        }
    }

    private func makeTrial(_ seed: UInt64) async throws -> Trial {
        var numbers = SeededGenerator(seed: seed)
        let (source, target) = (MemoryFileProvider(pageSize: 3), MemoryFileProvider(pageSize: 2))
        let count = Int.random(in: 1...14, using: &numbers)
        try await TreeContent.grow(in: source, below: "/from", using: &numbers, count: count)
        // No file of the target has the date of one of the source: else equal sizes would make them the same.
        try await TreeContent.grow(in: target, below: "/to", using: &numbers, count: count / 2, dates: 6...10)
        var options = TransferOptions()
        options.mode = TransferOptions.Mode.allCases[Int(seed % 3)]
        options.largestRemoval = 1
        options.tracksRenames = options.mode == .sync && seed % 4 == 1
        options.concurrency = Int(seed % 7) + 1
        if seed % 5 == 2 { options.order = TransferOrder(.size, ascending: false) }
        return Trial(
            seed: seed,
            source: source,
            target: target,
            wanted: try await TreeContent.all(of: source, below: "/from"),
            before: try await TreeContent.all(of: target, below: "/to"),
            options: options
        )
    }

    private func transfer(_ trial: Trial, faults: [FaultPlan.Rule] = [], attempt: UInt64 = 0) throws -> (
        Transfer, source: Storage, target: Storage
    ) {
        let source = Storage(trial.source, plan: FaultPlan(faults, seed: trial.seed &* 3 &+ attempt))
        let target = Storage(trial.target, plan: FaultPlan(faults, seed: trial.seed &* 7 &+ attempt))
        let transfer = try Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/to"),
            options: trial.options,
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1)),
            clock: NoWaiting()
        )
        return (transfer, source, target)
    }

    /// Runs again and again, as after deaths of the process; the first few are ended by cancellation, if they last so long.
    private func runUntilDone(_ trial: Trial) async throws -> TransferReport {
        let faults: [FaultPlan.Rule] = [
            .init(on: .chance(0.08), fault: .error(URLError(.networkConnectionLost))),
            .init(
                .writeStream,
                .createFolder,
                .removeItem,
                .moveItem,
                on: .chance(0.08),
                fault: .lostAnswer(URLError(.networkConnectionLost))
            ),
            .init(.contentStream, on: .chance(0.05), fault: .cut(afterBytes: 20, URLError(.networkConnectionLost))),
        ]
        var numbers = SeededGenerator(seed: trial.seed ^ 0xC0FFEE)
        var report = TransferReport()
        for attempt in UInt64(0)..<20 {
            let (transfer, _, _) = try transfer(trial, faults: faults, attempt: attempt)
            let progress = Progress(totalUnitCount: 0)
            let events = Mutex(attempt < 3 ? Int.random(in: 0...12, using: &numbers) : .max)
            do {
                report = try await transfer.run(reporting: progress) { _ in
                    let left = events.withLock { events in
                        if events < .max { events -= 1 }
                        return events
                    }
                    if left == 0 { progress.cancel() }
                }
            } catch is CancellationError {
                continue
            } catch is URLError {
                continue
            } catch let error as CocoaError where error.code == .fileNoSuchFile && trial.options.mode == .move {
                // The last folder of the source is gone, too, and only the answer was lost.
                return report
            }
            if report.failures.allSatisfy({ $0.action.kind == .refuse && $0.action.reason == .otherType }) {
                return report
            }
        }
        return report
    }

    private func verify(_ trial: Trial, _ report: TransferReport) async throws {
        let seed = trial.seed
        let after = try await TreeContent.all(of: trial.target, below: "/to")
        if trial.options.mode == .move {
            let isGone = await (try? trial.source.attributesOfItem(path: "/from")) == nil
            let rest = isGone ? [:] : try await TreeContent.all(of: trial.source, below: "/from")
            for path in rest.keys {
                #expect(isBlocked(path, trial) || isAboveBlocked(path, trial), "seed \(seed): \(path) stayed")
            }
        } else {
            #expect(try await TreeContent.all(of: trial.source, below: "/from") == trial.wanted, "seed \(seed)")
        }
        if trial.options.mode == .sync {
            #expect(after == trial.wanted, "seed \(seed)")
        } else {
            for (path, content) in trial.wanted where !isBlocked(path, trial) {
                #expect(after[path] == content, "seed \(seed): \(path)")
            }
            for (path, content) in trial.before where trial.wanted[path] == nil || isBlocked(path, trial) {
                #expect(after[path] == content, "seed \(seed): \(path)")
            }
            for path in after.keys {
                #expect(trial.wanted[path] != nil || trial.before[path] != nil, "seed \(seed): \(path) is left")
            }
        }
        if trial.options.mode != .move { try await verifyRest(trial, after) }
    }

    /// One more pass changes nothing, and asks no more than it takes: each page of each folder, and both tops.
    private func verifyRest(_ trial: Trial, _ after: Tree) async throws {
        let (transfer, source, target) = try transfer(trial)
        let plan = try await transfer.plan()
        let isDone = plan.actions.allSatisfy { $0.kind == .skip || ($0.kind == .refuse && $0.reason == .otherType) }
        #expect(isDone, "seed \(trial.seed): \(plan.lines)")
        #expect(try await transfer.plan() == plan, "seed \(trial.seed): plans of the same are the same")
        let report = try await transfer.run()
        #expect(report.failures.allSatisfy { $0.action.kind == .refuse && $0.action.reason == .otherType })
        for storage in [source, target] {
            let changes = storage.calls.filter(\.method.changesStorage)
            #expect(changes.isEmpty, "seed \(trial.seed): \(changes)")
        }
        // Three passes, each with both tops, and of each folder its pages and their end.
        let folders = trial.wanted.values.count { $0 == .folder } + 1
        #expect(source.calls.count <= 3 * (1 + 2 * folders + trial.wanted.count), "seed \(trial.seed)")
        let theirs = after.values.count { $0 == .folder } + 1
        #expect(target.calls.count <= 3 * (1 + 2 * theirs + after.count), "seed \(trial.seed)")
    }

    /// Returns whether a file is where a folder should go, or a folder where a file should, at the path or above.
    private func isBlocked(_ path: ItemPath, _ trial: Trial) -> Bool {
        var place = path
        while !place.isRoot {
            if let wanted = trial.wanted[place], let there = trial.before[place],
                (wanted == .folder) != (there == .folder)
            {
                return true
            }
            place = place.parent
        }
        return false
    }

    private func isAboveBlocked(_ path: ItemPath, _ trial: Trial) -> Bool {
        trial.wanted.keys.contains { $0.isBelow(path) && isBlocked($0, trial) }
    }
}
