import Dispatch
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("Brief work")
struct BriefWorkTests {
    /// Starts a thread for each worker, and counts them.
    final class Threads: Sendable {
        let started = Mutex(0)

        func start(_ body: @escaping @Sendable () -> Void) {
            started.withLock { $0 += 1 }
            Thread.detachNewThread(body)
        }
    }

    @Test("is all done, by no more threads than there may be", arguments: [1, 4])
    func all(mostWorkers: Int) async {
        let threads = Threads()
        let atWork = Mutex((now: 0, most: 0))
        let brief = BriefWork(mostWorkers: mostWorkers, start: threads.start)
        let done = Mutex<Set<Int>>([])
        await withCheckedContinuation { continuation in
            DispatchQueue.concurrentPerform(iterations: 2_000) { number in
                brief.add {
                    atWork.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    atWork.withLock { $0.now -= 1 }
                    if done.withLock({ $0.insert(number).inserted && $0.count == 2_000 }) { continuation.resume() }
                }
            }
        }
        #expect(atWork.withLock { $0.most } <= mostWorkers)
    }

    @Test("what comes at once is done by one thread, in its order")
    func oneThread() async {
        let threads = Threads()
        let brief = BriefWork(mostWorkers: 4, start: threads.start)
        let order = Mutex<[Int]>([])
        // The first one waits until all are there.
        let gate = DispatchSemaphore(value: 0)
        brief.add { gate.wait() }
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                brief.add {
                    order.withLock { $0.append(number) }
                    if number == 99 { continuation.resume() }
                }
            }
            gate.signal()
        }
        // Should this have taken long, another one has helped, and nothing is said about the order.
        if threads.started.withLock({ $0 }) == 1 { #expect(order.withLock { $0 } == Array(0..<100)) }
        #expect(threads.started.withLock { $0 } <= 4)
    }

    @Test("what is stuck keeps nothing else from being done, as long as there is a thread left")
    func stuck() async {
        let threads = Threads()
        let brief = BriefWork(mostWorkers: 3, start: threads.start)
        let gate = DispatchSemaphore(value: 0)
        let ended = Mutex(0)
        for _ in 0..<2 {
            brief.add {
                gate.wait()
                ended.withLock { $0 += 1 }
            }
        }
        for _ in 0..<10 {
            await withCheckedContinuation { continuation in brief.add { continuation.resume() } }
        }
        #expect(ended.withLock { $0 } == 0)
        #expect(threads.started.withLock { $0 } >= 3)
        for _ in 0..<2 { gate.signal() }
        // When they are free again, there is still somebody who works.
        await withCheckedContinuation { continuation in brief.add { continuation.resume() } }
    }
}
