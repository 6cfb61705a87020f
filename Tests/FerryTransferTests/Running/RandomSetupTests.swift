import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("Random trees in other setups: on one storage, with backups, filters, a journal, at servers that forget")
struct RandomSetupTests {
    private typealias Storage = FaultInjectingFileProvider<MemoryFileProvider>
    private typealias Tree = [ItemPath: TreeContent]

    enum Setup: UInt64, CaseIterable {
        /// Source and target are folders of the same storage, which copies and moves by itself.
        case oneStorage
        /// Items of the target that would be lost go to a folder.
        case backup
        /// The same, and one storage.
        case backupOnOneStorage
        /// Some names are left out.
        case filter
        /// Each file in parts, and a journal.
        case parts
        /// The target says that it has everything, and stores some files not at all, or in part.
        case forgetful
    }

    /// The storages and settings of one seed.
    private struct Trial {
        let seed: UInt64
        let setup: Setup
        let source: MemoryFileProvider
        let target: MemoryFileProvider
        let wanted: Tree
        let before: Tree
        var options: TransferOptions
        var journal: TransferJournal?

        /// Returns whether a filter leaves it out.
        func isLeftOut(_ path: ItemPath) -> Bool {
            setup == .filter && path.components.contains { RandomSetupTests.leftOut.contains(String($0)) }
        }
    }

    /// How it ended.
    private enum End {
        /// All is done.
        case complete
        /// All that can be done is done, or nobody has heard that all is.
        case asFarAsPossible
        case never
    }

    private static let leftOut = ["a", "log.o"]
    private static let backupFolder: ItemPath = "/kept"

    @Test(
        "nothing is lost, nothing is left behind, and in the end all is where it should be",
        arguments: Setup.allCases
    )
    func trees(setup: Setup) async throws {
        let scratch = try ScratchFolder()
        for seed in Sweep.seeds(setup == .parts ? 60 : 150) {
            var trial = try await makeTrial(seed, setup)
            if setup == .parts {
                trial.journal = try await TransferJournal.open(at: scratch.url.appending(path: "\(seed).sqlite"))
            }
            let end = try await runUntilDone(trial)
            #expect(end != .never, "\(setup), seed \(seed)")
            try await verify(trial)
            if end == .complete, let journal = trial.journal { #expect(try await journal.jobs().isEmpty) }
        }
    }

    private func makeTrial(_ seed: UInt64, _ setup: Setup) async throws -> Trial {
        var numbers = SeededGenerator(seed: seed &* 5 &+ setup.rawValue)
        let source = MemoryFileProvider(pageSize: 3)
        let isOne = setup == .oneStorage || setup == .backupOnOneStorage
        let target = isOne ? source : MemoryFileProvider(pageSize: 2)
        let count = Int.random(in: 1...14, using: &numbers)
        try await TreeContent.grow(in: source, below: "/from", using: &numbers, count: count)
        // The target often lacks folders as a whole, and sometimes all of it.
        if seed % 4 != 3 {
            try await TreeContent.grow(in: target, below: "/to", using: &numbers, count: count / 2, dates: 6...10)
        }
        var options = TransferOptions()
        options.mode = TransferOptions.Mode.allCases[Int(seed % 3)]
        options.largestRemoval = 1
        options.tracksRenames = options.mode == .sync && seed % 4 == 1
        options.concurrency = Int(seed % 7) + 1
        switch setup {
        case .oneStorage: break
        case .backup, .backupOnOneStorage: options.backupFolder = Self.backupFolder
        case .forgetful: break
        case .filter: options.filter.patterns = Self.leftOut.compactMap { GlobPattern($0) }
        case .parts: (options.partedSize, options.partSize) = (1, 64)
        }
        let isThere = seed % 4 != 3
        return Trial(
            seed: seed,
            setup: setup,
            source: source,
            target: target,
            wanted: try await TreeContent.all(of: source, below: "/from"),
            before: isThere ? try await TreeContent.all(of: target, below: "/to") : [:],
            options: options
        )
    }

    private func transfer(_ trial: Trial, faults: [FaultPlan.Rule] = [], attempt: UInt64 = 0) throws -> Transfer {
        let source = Storage(trial.source, plan: FaultPlan(faults, seed: trial.seed &* 3 &+ attempt))
        let plan = FaultPlan(faults, seed: trial.seed &* 7 &+ attempt)
        let target: any TransferPlace.Storage =
            trial.setup == .forgetful
            ? FaultInjectingFileProvider(forgetful(trial.target, seed: trial.seed &* 11 &+ attempt), plan: plan)
            : Storage(trial.target, plan: plan)
        return try Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/to"),
            options: trial.options,
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1)),
            clock: NoWaiting()
        )
    }

    /// Stores a third of the files not as it should, each twice at most.
    ///
    /// Of old files it stores a half, since one that it keeps can have the new one's length: then nothing tells.
    private func forgetful(_ storage: MemoryFileProvider, seed: UInt64) -> Forgetful<MemoryFileProvider> {
        let state = Mutex((numbers: SeededGenerator(seed: seed), times: [ItemPath: Int]()))
        return Forgetful(base: storage) { path in
            let isThere = await (try? storage.attributesOfItem(path: path)) != nil
            return state.withLock { state in
                guard state.times[path, default: 0] < 2, Int.random(in: 0..<3, using: &state.numbers) == 0 else {
                    return nil
                }
                state.times[path, default: 0] += 1
                return isThere || Bool.random(using: &state.numbers) ? .half : .nothing
            }
        }
    }

    private static let faults: [FaultPlan.Rule] = [
        .init(on: .chance(0.06), fault: .error(URLError(.networkConnectionLost))),
        .init(
            .writeStream,
            .createFolder,
            .removeItem,
            .moveItem,
            .copyItem,
            .setAttributes,
            on: .chance(0.1),
            fault: .lostAnswer(URLError(.networkConnectionLost))
        ),
        .init(.contentStream, on: .chance(0.05), fault: .cut(afterBytes: 20, URLError(.networkConnectionLost))),
    ]

    /// Runs again and again, as after deaths of the process.
    ///
    /// - Returns: How it ended.
    private func runUntilDone(_ trial: Trial) async throws -> End {
        var numbers = SeededGenerator(seed: trial.seed ^ 0xC0FFEE)
        for attempt in UInt64(0)..<25 {
            // The last few go well: what is left then would never be done.
            let transfer = try transfer(trial, faults: attempt < 20 ? Self.faults : [], attempt: attempt)
            let progress = Progress(totalUnitCount: 0)
            let left = Mutex(attempt < 3 ? Int.random(in: 0...12, using: &numbers) : .max)
            do {
                let report = try await transfer.run(journal: trial.journal, reporting: progress) { _ in
                    let isOver = left.withLock { left in
                        if left < .max { left -= 1 }
                        return left == 0
                    }
                    if isOver { progress.cancel() }
                }
                if report.isComplete { return .complete }
                if report.failures.allSatisfy({ $0.action.kind == .refuse && $0.action.reason == .otherType }) {
                    return .asFarAsPossible
                }
            } catch is CancellationError {
                continue
            } catch is URLError {
                continue
            } catch let error as CocoaError where error.code == .fileNoSuchFile && trial.options.mode == .move {
                // The last folder of the source is gone, too, and only the answer was lost.
                return .asFarAsPossible
            }
        }
        return .never
    }

    private func verify(_ trial: Trial) async throws {
        let name = "\(trial.setup), seed \(trial.seed), \(trial.options.mode)"
        let after = try await contents(of: trial.target, "/to")
        let rest = try await contents(of: trial.source, "/from")
        let kept = try await contents(of: trial.target, Self.backupFolder)
        for (path, content) in trial.wanted where !isBlocked(path, trial) {
            if trial.isLeftOut(path) {
                #expect(rest[path] == content, "\(name): \(path) is gone from the source")
            } else {
                #expect(after[path] == content, "\(name): \(path)")
            }
        }
        for (path, content) in trial.before where after[path] != content {
            #expect(!trial.isLeftOut(path), "\(name): \(path) was left out, and has changed")
            let isWanted = trial.wanted[path] != nil && !isBlocked(path, trial)
            #expect(isWanted || trial.options.mode == .sync, "\(name): \(path) is lost")
            if trial.options.backupFolder != nil, case .file = content {
                let isMoved = after.values.contains(content) || kept.values.contains(content)
                #expect(
                    kept[path] == content || isMoved && trial.options.tracksRenames,
                    "\(name): no backup of \(path)"
                )
            }
        }
        for path in after.keys where trial.before[path] == nil {
            #expect(trial.wanted[path] != nil && !trial.isLeftOut(path), "\(name): \(path) should not be there")
        }
        if trial.options.mode == .sync, trial.setup != .filter {
            #expect(after == trial.wanted, "\(name)")
        }
        if trial.options.mode == .move {
            for path in rest.keys {
                let mayStay = trial.wanted.keys.contains { other in
                    (other == path || other.isBelow(path)) && (isBlocked(other, trial) || trial.isLeftOut(other))
                }
                #expect(mayStay, "\(name): \(path) stayed")
            }
        } else {
            #expect(rest == trial.wanted, "\(name)")
        }
        #expect(try trial.target.unfinishedWrites == 0, "\(name)")
    }

    /// Returns what is below a folder; nothing if there is none.
    private func contents(of storage: MemoryFileProvider, _ top: ItemPath) async throws -> Tree {
        do {
            _ = try await storage.attributesOfItem(path: top)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return [:]
        }
        return try await TreeContent.all(of: storage, below: top)
    }

    /// Returns whether a file is where a folder should go, or a folder where a file should, at the path or above.
    private func isBlocked(_ path: ItemPath, _ trial: Trial) -> Bool {
        var place = path
        while !place.isRoot {
            if let wanted = trial.wanted[place], let there = trial.before[place],
                (wanted == .folder) != (there == .folder)
            {
                // Sync puts the one in the other's place, unless something in it is to stay.
                return trial.options.mode != .sync || trial.setup == .filter
            }
            place = place.parent
        }
        return false
    }
}
