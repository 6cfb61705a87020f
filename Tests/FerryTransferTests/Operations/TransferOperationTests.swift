import FerryCore
import FerryMemory
import FerryTestKit
import FerryTransfer
import Foundation
import Synchronization
import Testing

@Suite("Transfers as operations")
struct TransferOperationTests {
    /// The events in their order.
    private final class Diary: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func makeStorage(_ files: Int) async throws -> MemoryFileProvider {
        let storage = MemoryFileProvider()
        for number in 0..<files {
            try await storage.writeContents(path: "/f\(number)", contents: Data(repeating: 7, count: 1_000))
        }
        return storage
    }

    /// Lets a queue do operations, and waits until all are finished.
    private func run(_ operations: [Operation], on queue: OperationQueue) async {
        await withCheckedContinuation { continuation in
            let last = BlockOperation { continuation.resume() }
            for operation in operations { last.addDependency(operation) }
            queue.addOperations(operations + [last], waitUntilFinished: false)
        }
    }

    @Test("one begins when the one it depends on is finished, whatever the queue's order")
    func dependencies() async throws {
        let (first, second, third) = (try await makeStorage(20), MemoryFileProvider(), MemoryFileProvider())
        let diary = Diary()
        let copy = TransferOperation(try Transfer(from: .init(first), to: .init(second))) { _ in
            diary.note("copy")
        }
        let backup = TransferOperation(try Transfer(from: .init(second), to: .init(third))) { _ in
            diary.note("backup")
        }
        backup.addDependency(copy)
        #expect(!backup.isReady && copy.isReady && copy.isAsynchronous && copy.result == nil)
        await run([backup, copy], on: OperationQueue())
        let lines = diary.all
        #expect(lines == lines.sorted(by: >) && lines.count { $0 == "backup" } >= 40, "\(lines)")
        #expect(try backup.result?.get().counts[.add] == 20)
        #expect(try await third.contents(path: "/f19").count == 1_000)
        for operation in [copy, backup] {
            #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
            #expect(operation.progress.isFinished && operation.progress.completedUnitCount == 20_000)
        }
    }

    @Test("a queue of one does one at a time")
    func oneAtATime() async throws {
        let diary = Diary()
        var operations: [Operation] = []
        for number in 0..<4 {
            let transfer = try Transfer(from: .init(try await makeStorage(5)), to: .init(MemoryFileProvider()))
            operations.append(
                TransferOperation(transfer, events: { _ in diary.note("\(number)") }) { _ in diary.note("end") }
            )
        }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        await run(operations, on: queue)
        let parts = diary.all.split(separator: "end", omittingEmptySubsequences: false)
        #expect(parts.count == 5 && parts.allSatisfy { Set($0).count <= 1 }, "\(diary.all)")
    }

    @Test("cancelling ends it promptly, before it began and while it is under way", arguments: [false, true])
    func cancelling(isByProgress: Bool) async throws {
        // It takes an hour.
        let plan = FaultPlan([.init(.writeStream, on: .always, fault: .delay(.seconds(3_600)))])
        let slow = FaultInjectingFileProvider(MemoryFileProvider(), plan: plan)
        let transfer = try Transfer(from: .init(try await makeStorage(3)), to: .init(slow))
        let waiting = TransferOperation(transfer)
        let diary = Diary()
        let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)
        let running = TransferOperation(
            transfer,
            events: { if case .began = $0 { isBegun.yield() } },
            ended: { _ in diary.note("ended") }
        )
        waiting.addDependency(running)
        async let all: Void = run([running, waiting], on: OperationQueue())
        for await _ in begun { break }
        #expect(running.isExecuting && !running.isFinished && !waiting.isExecuting)
        for operation in [waiting, running] {
            if isByProgress { operation.progress.cancel() } else { operation.cancel() }
        }
        await all
        for operation in [waiting, running] {
            #expect(operation.isFinished && operation.isCancelled && operation.progress.isCancelled)
            #expect(throws: CancellationError.self) { try operation.result?.get() }
        }
        #expect(diary.all == ["ended"])
    }

    @Test("who watches the progress besides is told, too, and still watches afterwards", .timeLimit(.minutes(30)))
    func foreignHandler() async throws {
        let (told, isTold) = AsyncStream.makeStream(of: Void.self)
        let progress = Progress(totalUnitCount: 0)
        progress.cancellationHandler = { isTold.yield() }
        func makeOperation() async throws -> TransferOperation {
            let transfer = try Transfer(from: .init(try await makeStorage(3)), to: .init(MemoryFileProvider()))
            return TransferOperation(transfer, progress: progress)
        }
        let first = try await makeOperation()
        await run([first], on: OperationQueue())
        #expect(try first.result?.get().isComplete == true)
        let second = try await makeOperation()
        progress.cancel()
        for await _ in told { break }
        await run([second], on: OperationQueue())
        #expect(throws: CancellationError.self) { try second.result?.get() }
    }

    @Test("what ends a transfer is its result")
    func failure() async throws {
        let transfer = try Transfer(from: .init(MemoryFileProvider(), "/gone"), to: .init(MemoryFileProvider()))
        let operation = TransferOperation(transfer)
        await run([operation], on: OperationQueue())
        let error = #expect(throws: CocoaError.self) { try operation.result?.get() }
        #expect(error?.code == .fileNoSuchFile && operation.isFinished && !operation.isCancelled)
    }
}
