import Dispatch
import Synchronization
import Testing

@testable import FerryLocal

@Suite("Threads that write to one file")
struct FileTurnsTests {
    @Test("take turns, and those that write to another file don't wait for them")
    func turns() throws {
        let turns = FileTurns()
        let (first, second, other) = (turns.turn(of: [1, 0]), turns.turn(of: [1, 0]), turns.turn(of: [2, 0]))
        #expect(first === second)
        #expect(first !== other)
        let inside = Atomic(0)
        let most = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for _ in 0..<200 {
                try? (number < 2 ? first : second).take {
                    most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                    inside.subtract(1, ordering: .relaxed)
                }
            }
        }
        #expect(most.load(ordering: .relaxed) == 1)
        try first.take { try other.take {} }
    }

    @Test("leave nothing behind")
    func forgotten() {
        let turns = FileTurns()
        var turn: FileTurns.Turn? = turns.turn(of: [1, 0])
        weak let old = turn
        #expect(old != nil)
        turn = nil
        #expect(old == nil)
    }
}
