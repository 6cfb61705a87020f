import FerryCore
import Foundation
import Synchronization
import Testing

@Suite("A file operation")
struct FileOperationTests {
    @Test("runs its work on a queue, and ends once")
    func runs() async throws {
        let ends = Mutex<[String]>([])
        let operation = FileOperation(.create(path: "/a")) { error in
            ends.withLock { $0.append("\(error as Any)") }
        } work: { progress in
            progress.completedUnitCount = 1
        }
        #expect(operation.isReady && !operation.isExecuting && !operation.isFinished)
        await OperationQueue().run(operation)
        #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
        #expect(operation.error == nil)
        #expect(ends.withLock { $0 } == ["nil"])
    }

    @Test("waits for what it depends on, also across queues")
    func dependencies() async throws {
        let order = Mutex<[Int]>([])
        let operations = (0..<20).map { number in
            FileOperation(.create(path: "/\(number)")) { _ in
                await Task.yield()
                order.withLock { $0.append(number) }
            }
        }
        for (next, previous) in zip(operations.dropFirst(), operations) { next.addDependency(previous) }
        let queues = [OperationQueue(), OperationQueue()]
        for (number, operation) in operations.enumerated().reversed().dropFirst() {
            queues[number % 2].addOperation(operation)
        }
        await queues[1].run(operations[19])
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    @Test("that is cancelled before it begins never begins, and says so at once")
    func cancelledBefore() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let began = Mutex(false)
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let operation = FileOperation(.create(path: "/a")) { error in
            end.yield(error is CancellationError)
        } work: { _ in
            began.withLock { $0 = true }
        }
        queue.addOperation(operation)
        operation.progress.cancel()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
        #expect(operation.isCancelled && !operation.isFinished)
        queue.isSuspended = false
        await queue.run(FileOperation(.fetch(path: "/")) { _ in })
        await queue.barrier()
        #expect(operation.isFinished)
        #expect(began.withLock { !$0 })
        end.finish()
        #expect(await iterator.next() == nil)
    }

    @Test("whose progress is cancelled just before it begins never begins")
    func cancelledJustBefore() {
        let began = Mutex(0)
        let ends = Mutex(0)
        for _ in 0..<1_000 {
            let operation = FileOperation(.create(path: "/a")) { error in
                if error is CancellationError { ends.withLock { $0 += 1 } }
            } work: { _ in
                began.withLock { $0 += 1 }
            }
            operation.progress.cancel()
            operation.start()
            #expect(operation.isFinished && operation.isCancelled)
        }
        #expect(began.withLock { $0 } == 0)
        #expect(ends.withLock { $0 } == 1_000)
    }

    @Test("that is cancelled while it works ends promptly, with the task cancelled", arguments: [true, false])
    func cancelledDuring(throughProgress: Bool) async throws {
        let started = AsyncStream<Void>.makeStream()
        let queue = OperationQueue()
        let operation = FileOperation(.fetch(path: "/a")) { _ in
            started.continuation.finish()
            try await Task.sleep(for: .seconds(3_600))
        }
        queue.addOperation(operation)
        for await _ in started.stream {}
        #expect(operation.isExecuting)
        if throughProgress { operation.progress.cancel() } else { operation.cancel() }
        await queue.barrier()
        #expect(operation.isFinished && operation.isCancelled && operation.progress.isCancelled)
        #expect(operation.error is CancellationError)
    }

    @Test("that fails lets what depends on it begin")
    func failing() async throws {
        let failing = FileOperation(.fetch(path: "/a")) { _ in throw CocoaError(.fileNoSuchFile) }
        let next = FileOperation(.fetch(path: "/b")) { _ in }
        next.addDependency(failing)
        let queue = OperationQueue()
        queue.addOperation(failing)
        await queue.run(next)
        #expect((failing.error as? CocoaError)?.code == .fileNoSuchFile)
        #expect(next.error == nil)
    }

    @Test("keeps the queue's limit")
    func limit() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 3
        let running = Mutex((now: 0, most: 0))
        for number in 0..<50 {
            queue.addOperation(
                FileOperation(.fetch(path: "/\(number)")) { _ in
                    running.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    for _ in 0..<20 { await Task.yield() }
                    running.withLock { $0.now -= 1 }
                }
            )
        }
        await queue.barrier()
        #expect((1...3).contains(running.withLock { $0.most }))
    }
}

extension OperationQueue {
    /// Adds an operation and waits for its end.
    func run(_ operation: FileOperation) async {
        let end = BlockOperation {}
        end.addDependency(operation)
        await withCheckedContinuation { continuation in
            end.completionBlock = { continuation.resume() }
            addOperation(operation)
            OperationQueue().addOperation(end)
        }
    }

    /// Waits until all that was added is finished.
    func barrier() async {
        await withCheckedContinuation { continuation in
            addBarrierBlock { continuation.resume() }
        }
    }
}
