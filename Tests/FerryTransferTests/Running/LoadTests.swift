import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("How much is under way, and how much is held")
struct LoadTests {
    @Test("of a tree of any size only so much waits, whatever the number of files", arguments: [false, true])
    func bounds(reports: Bool) async throws {
        // For who wants to measure the memory: FERRY_TRANSFER_FOLDERS=1000 is a million files.
        let measured = Int(ProcessInfo.processInfo.environment["FERRY_TRANSFER_FOLDERS"] ?? "")
        let folders = measured ?? 40
        let source = SyntheticTree(folders: folders, filesPerFolder: 1_000)
        let target = Sink(shown: source)
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"))
        let progress = reports ? Progress(totalUnitCount: 0) : nil
        let ledger = TransferLedger(progress: progress, events: nil)
        _ = try await TransferRun(transfer, isExecuting: true, ledger: ledger).go()
        ledger.finish()
        #expect(target.files == folders * 1_000 && target.folders == folders + 1)
        #expect(ledger.report.counts == [.add: folders * 1_000, .makeFolder: folders + 1])
        // The actions that may wait, and those of the folders whose listing was under way when that number was reached.
        #expect(ledger.mostWaiting <= TransferRun.lookAhead + 8 * 1_000)
        #expect(target.mostInFlight <= 16)
        if let progress {
            #expect(progress.totalUnitCount > 0 && progress.completedUnitCount == progress.totalUnitCount)
        }
        if measured != nil {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst()
                .first
            let kibibytes = try #require(peak.flatMap { Int($0) })
            #expect(kibibytes < 150 << 10, "the whole process, tests included")
            print("peak memory: \(kibibytes >> 10) MiB")
        }
    }

    @Test("sizes that can't be true are counted as far as numbers go")
    func lyingSizes() {
        let actions = (0..<3).map { number in
            let item = FileObject(name: "f\(number)", in: "/", type: .file, size: number == 2 ? -5 : .max)
            return TransferAction(.add, item.path, .missing, source: item)
        }
        #expect(TransferPlan(actions: actions).bytes == .max)
        let progress = Progress(totalUnitCount: 0)
        let ledger = TransferLedger(progress: progress, events: nil)
        ledger.find(actions)
        #expect(ledger.status.bytesFound == .max)
        let items = actions.map { ledger.began($0) }
        ledger.failed(actions[0], CocoaError(.fileReadUnknown), items[0])
        ledger.add(10, to: items[1])
        ledger.did(actions[1], [], items[1])
        ledger.failed(actions[2], CocoaError(.fileReadUnknown), items[2])
        ledger.finish()
        #expect(ledger.status.bytesFound >= 0 && ledger.status.bytesDone >= 0)
    }

    @Test("a storage that says that it is too much gets less, and in the end everything")
    func adapting() async throws {
        let source = SyntheticTree(folders: 3, filesPerFolder: 100)
        let target = Sink(mostAtOnce: 3)
        let transfer = try Transfer(
            from: TransferPlace(source),
            to: TransferPlace(target, "/copy"),
            retryPolicy: RetryPolicy(maximumAttempts: 50, budget: nil),
            clock: NoWaiting()
        )
        let report = try await transfer.run()
        #expect(report.isComplete && target.files == 300)
        // It begins with 4, and may have grown to twice as much when the first refusal comes; then it grows by one for
        // each round that went well, and halves for each that didn't.
        #expect(target.mostInFlight <= 8)
        #expect(target.refused <= 150)
    }

    @Test("a storage that waits by itself until it is less gets less, too", arguments: [false, true])
    func quietlyAdapting(isTooMuch: Bool) async throws {
        let source = SyntheticTree(folders: 3, filesPerFolder: 100)
        let target = Sink(tellsQuietly: isTooMuch)
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"))
        #expect(try await transfer.run().isComplete)
        #expect(target.files == 300 && target.refused == 0)
        #expect(isTooMuch ? target.mostInFlight <= 4 : target.mostInFlight > 5)
    }

    @Test("a storage that says when to come back is not asked before, however long that is", arguments: [60, 3_600])
    func comesBack(seconds: Int) async throws {
        let source = SyntheticTree(folders: 1, filesPerFolder: 1)
        let target = Sink(busyFor: .seconds(seconds))
        let clock = NoWaiting()
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"), clock: clock)
        let report = try await transfer.run()
        // A server that wants an hour's wait is reported as a failure instead.
        #expect(report.isComplete == (seconds == 60))
        let waited = clock.total / .seconds(1)
        #expect(waited.rounded() == (seconds == 60 ? 60 : 0))
        #expect(report.failures.first.map { RetryPolicy.hint(of: $0.error) == .seconds(3_600) } ?? true)
    }

    @Test("the concurrency that was asked for is the most", arguments: [1, 3])
    func concurrency(most: Int) async throws {
        let source = SyntheticTree(folders: 2, filesPerFolder: 50)
        let target = Sink(mostAtOnce: 100)
        var options = TransferOptions()
        options.concurrency = most
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"), options: options)
        #expect(try await transfer.run().isComplete)
        #expect(target.mostInFlight <= most && target.files == 100)
    }

    @Test("large files are few at a time, small ones many")
    func weights() {
        var limit = AdaptiveLimit(most: 16)
        for _ in 0..<500 { limit.succeeded() }
        #expect(limit.weight(of: 1_000) == 1 && limit.weight(of: nil) == 1)
        #expect(limit.weight(of: 1 << 30) == 4)
    }

    @Test("what waits comes in order of arrival, what was begun first")
    func queue() {
        var queue = WorkQueue(order: nil, to: TransferPlace(MemoryFileProvider()))
        let actions = (0..<3_000).map { TransferAction(.add, ItemPath.root.appending("\($0)"), .missing) }
        // Together or one by one, and some when others were taken already.
        for start in 0..<50 { queue.append([actions[start]]) }
        queue.append(Array(actions[50..<3_000]))
        var names: [String] = []
        for number in 0..<1_500 {
            guard let item = queue.popFirst() else { break }
            if number == 700 { queue.prepend(item) } else { names.append(item.action.path.lastName) }
        }
        while let item = queue.popFirst() { names.append(item.action.path.lastName) }
        #expect(names == (0..<3_000).map { "\($0)" })
        #expect(queue.isEmpty && queue.peak == 3_000)
    }

    @Test("what waits comes in the order that was asked for, however it arrived", arguments: [1, 50, 3_000])
    func orderedQueue(together: Int) throws {
        var queue = WorkQueue(
            order: TransferOrder(.size, ascending: false),
            to: TransferPlace(MemoryFileProvider())
        )
        var random = SeededGenerator(seed: 7)
        let sizes = (0..<3_000).map(Int64.init).shuffled(using: &random)
        let actions = sizes.map { size in
            let path = ItemPath.root.appending("\(size)")
            var item = FileObject(path: path, type: .file)
            item.size = size
            return TransferAction(.add, path, .missing, source: item)
        }
        for start in stride(from: 0, to: actions.count, by: together) {
            queue.append(Array(actions[start..<(start + together)]))
        }
        let next = queue.peek()
        let largest = queue.popFirst()
        #expect(next?.action.bytes == 2_999 && largest?.action.bytes == 2_999)
        queue.prepend(try #require(largest))
        var found: [Int64] = []
        while let item = queue.popFirst() { found.append(item.action.bytes) }
        #expect(found == (0..<3_000).reversed().map(Int64.init))
        #expect(queue.isEmpty && queue.peak == 3_000)
    }

    @Test("while it is paused nothing begins, and it goes on when it may", arguments: [true, false])
    func pausing(byProgress: Bool) async throws {
        let source = SyntheticTree(folders: 1, filesPerFolder: 200)
        let target = Sink()
        var options = TransferOptions()
        options.concurrency = 4
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"), options: options)
        let control = TransferControl()
        let progress = Progress(totalUnitCount: 0)
        let (paused, pausing) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await transfer.run(reporting: progress, control: control) { event in
                guard case .did(let action) = event, action.path.lastName == "f20" else { return }
                if byProgress { progress.pause() } else { control.pause() }
                pausing.finish()
            }
        }
        for await _ in paused {}
        #expect(control.isPaused)
        // Files that were under way may end; then nothing begins, however often others have their turn.
        var files = -1
        while files != source.readFiles {
            files = source.readFiles
            for _ in 0..<500 { await Task.yield() }
        }
        #expect(files < 150)
        if byProgress { progress.resume() } else { control.resume() }
        #expect(try await run.value.isComplete)
        #expect(target.files == 200)
    }

    @Test("a transfer that is cancelled while it is paused ends")
    func cancellingPaused() async throws {
        let control = TransferControl()
        control.pause()
        let transfer = try Transfer(
            from: TransferPlace(SyntheticTree(folders: 1, filesPerFolder: 5)),
            to: TransferPlace(Sink(), "/copy")
        )
        let progress = Progress(totalUnitCount: 0)
        let run = Task { try await transfer.run(reporting: progress, control: control) }
        for _ in 0..<100 { await Task.yield() }
        progress.cancel()
        await #expect(throws: CancellationError.self) { _ = try await run.value }
    }
}
