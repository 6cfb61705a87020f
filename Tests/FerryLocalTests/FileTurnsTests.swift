import Synchronization
import Testing

@testable import FerryLocal

@Suite("Those that write to one file")
struct FileTurnsTests {
    /// Counts who is at work.
    final class Counts: Sendable {
        let inside = Atomic(0)
        let most = Atomic(0)
        let steps = Atomic(0)

        func step() {
            most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            steps.add(1, ordering: .relaxed)
            inside.subtract(1, ordering: .relaxed)
        }
    }

    @Test("take turns, and those that write to another file don't wait for them")
    func turns() async throws {
        let turns = FileTurns(BlockingPool(threadCount: 3))
        let (first, second, other) = (turns.turn(of: [1, 0]), turns.turn(of: [1, 0]), turns.turn(of: [2, 0]))
        #expect(first === second)
        #expect(first !== other)
        // One goes on until the other file was written to: so it is on a thread of its own.
        await withCheckedContinuation { continuation in
            let isWritten = Mutex(false)
            first.start { !isWritten.withLock { $0 } }
            other.start {
                isWritten.withLock { $0 = true }
                continuation.resume()
                return false
            }
        }
        let counts = Counts()
        await withTaskGroup { group in
            for turn in [first, first, second, second] {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let rest = Mutex(50)
                        turn.start {
                            counts.step()
                            let goesOn = rest.withLock { rest in
                                rest -= 1
                                return rest > 0
                            }
                            if !goesOn { continuation.resume() }
                            return goesOn
                        }
                    }
                }
            }
        }
        #expect(counts.most.load(ordering: .relaxed) == 1)
        #expect(counts.steps.load(ordering: .relaxed) == 200)
    }

    @Test("come one after the other, also if each has more to do")
    func order() async {
        let turns = FileTurns(BlockingPool(threadCount: 2))
        let turn = turns.turn(of: [1, 0])
        let steps = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            turn.start {
                // While this one works the others line up.
                for number in 0..<2 {
                    turn.start {
                        let count = steps.withLock { steps in
                            steps.append(number)
                            return steps.count
                        }
                        if count == 6 { continuation.resume() }
                        return count < 5
                    }
                }
                return false
            }
        }
        #expect(steps.withLock { $0 } == [0, 1, 0, 1, 0, 1])
    }

    @Test("leave nothing behind")
    func forgotten() {
        let turns = FileTurns(BlockingPool(threadCount: 1))
        var turn: FileTurns.Turn? = turns.turn(of: [1, 0])
        weak let old = turn
        #expect(old != nil)
        turn = nil
        #expect(old == nil)
    }
}
