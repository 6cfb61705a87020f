import Testing

@testable import FerryMedia

@Suite("The queue for programs, and the deadline of one")
struct ProgramQueueTests {
    private let now = ContinuousClock.now

    private func name(_ answer: ProgramQueue<String, Int>.Answer?) -> String? {
        switch answer {
        case .use(let program): "use \(program)"
        case .start: "start"
        case nil: nil
        }
    }

    @Test("programs are started up to the limit, then waited for in order")
    func order() {
        var queue = ProgramQueue<String, Int>(limit: 2)
        let begun = (0..<3).map { _ in name(queue.request()) }
        #expect(begun == ["start", "start", nil])
        let (first, second) = (queue.ticket(), queue.ticket())
        let waiting = [name(queue.wait(first, 1).answer), name(queue.wait(second, 2).answer)]
        #expect(waiting == [nil, nil])
        let served = queue.finished("a", at: now)
        #expect(served == 1)
        // The caller that takes the place of an ended program starts another one.
        let starting = queue.ended()
        #expect(starting == 2 && queue.count == 2)
        let nobody = queue.finished("b", at: now)
        #expect(nobody == nil && queue.idle.map(\.program) == ["b"])
        let next = name(queue.request())
        #expect(next == "use b")
    }

    @Test("a caller that leaves is forgotten, also if it leaves before it waits")
    func leaving() {
        var queue = ProgramQueue<String, Int>(limit: 1)
        _ = queue.request()
        let (early, late) = (queue.ticket(), queue.ticket())
        let notYet = queue.leave(early)
        let waited = queue.wait(early, 1)
        #expect(notYet == nil && name(waited.answer) == nil && waited.isGone)
        let waits = !queue.wait(late, 2).isGone
        let left = queue.leave(late)
        #expect(waits && left == 2 && queue.waitingCount == 0)
        let nobody = queue.finished("a", at: now)
        #expect(nobody == nil)
    }

    @Test("the program used last is used first, and the others can be ended")
    func idle() {
        var queue = ProgramQueue<String, Int>(limit: 2)
        _ = (queue.request(), queue.request())
        _ = queue.finished("old", at: now)
        _ = queue.finished("new", at: now + .seconds(5))
        let old = queue.takeIdle(since: now + .seconds(1))
        #expect(old == ["old"] && queue.count == 1)
        let next = [name(queue.request()), name(queue.request())]
        #expect(next == ["use new", "start"])
    }

    @Test("a program that others keep from the processor has more time, one that does nothing has none")
    func deadline() {
        let first = ProgramDeadline.Activity(used: .seconds(1), isReady: true)
        var deadline = ProgramDeadline(limit: .seconds(5), activity: first, start: now)
        let idle = ProgramDeadline.Activity(used: .seconds(3), isReady: false)
        let answers = [idle, idle, .init(used: .seconds(3), isReady: true), idle, idle, idle, idle, idle]
            .enumerated().map { deadline.allowsMore($1, at: now + .seconds(5 + $0)) }
        #expect(answers == [true, true, true, true, true, true, true, false])
        var worked = ProgramDeadline(limit: .seconds(5), activity: first, start: now)
        let isAllowed = worked.allowsMore(.init(used: .seconds(6), isReady: true), at: now + .seconds(5))
        #expect(!isAllowed, "it has used its time")
        let taken = [first.used + .seconds(2), first.used].map { used in
            worked.taken(.init(used: used, isReady: true), at: now + .seconds(12))
        }
        #expect(taken == [.seconds(2), .seconds(1)])
        #expect(worked.taken(nil, at: now + .seconds(12)) == .seconds(12))
        let atLast = deadline.allowsMore(.init(used: .seconds(4), isReady: true), at: now + .seconds(60))
        let unknown = deadline.allowsMore(nil, at: now + .seconds(5))
        #expect(!atLast && !unknown)
    }
}
