import Testing

@testable import FerryMedia

@Suite("Whose turn it is, and how long a program is waited for")
struct TurnsTests {
    private let now = ContinuousClock.now

    private func name(_ turn: ProgramTurns<String, Int>.Turn?) -> String? {
        switch turn {
        case .use(let program): "use \(program)"
        case .start: "start"
        case nil: nil
        }
    }

    @Test("programs are started up to the limit, then waited for in order")
    func order() {
        var turns = ProgramTurns<String, Int>(limit: 2)
        let begun = (0..<3).map { _ in name(turns.request()) }
        #expect(begun == ["start", "start", nil])
        let (first, second) = (turns.ticket(), turns.ticket())
        let waiting = [name(turns.wait(first, 1).turn), name(turns.wait(second, 2).turn)]
        #expect(waiting == [nil, nil])
        let served = turns.finished("a", at: now)
        #expect(served == 1)
        // The caller that takes the place of an ended program starts another one.
        let starting = turns.ended()
        #expect(starting == 2 && turns.count == 2)
        let nobody = turns.finished("b", at: now)
        #expect(nobody == nil && turns.idle.map(\.program) == ["b"])
        let next = name(turns.request())
        #expect(next == "use b")
    }

    @Test("who leaves is forgotten, be it before they wait")
    func leaving() {
        var turns = ProgramTurns<String, Int>(limit: 1)
        _ = turns.request()
        let (early, late) = (turns.ticket(), turns.ticket())
        let notYet = turns.leave(early)
        let waited = turns.wait(early, 1)
        #expect(notYet == nil && name(waited.turn) == nil && waited.isGone)
        let waits = !turns.wait(late, 2).isGone
        let left = turns.leave(late)
        #expect(waits && left == 2 && turns.waitingCount == 0)
        let nobody = turns.finished("a", at: now)
        #expect(nobody == nil)
    }

    @Test("the one used last is used first, and the others grow old")
    func idle() {
        var turns = ProgramTurns<String, Int>(limit: 2)
        _ = (turns.request(), turns.request())
        _ = turns.finished("old", at: now)
        _ = turns.finished("new", at: now + .seconds(5))
        let old = turns.takeIdle(since: now + .seconds(1))
        #expect(old == ["old"] && turns.count == 1)
        let next = [name(turns.request()), name(turns.request())]
        #expect(next == ["use new", "start"])
    }

    @Test("a program that others keep from the processor has more time, one that does nothing has none")
    func patience() {
        let first = ProgramPatience.Activity(used: .seconds(1), isReady: true)
        var patience = ProgramPatience(limit: .seconds(5), activity: first, start: now)
        let answers = [
            ProgramPatience.Activity(used: .seconds(3), isReady: false), .init(used: .seconds(3), isReady: true),
            .init(used: .seconds(3), isReady: false), .init(used: .seconds(6), isReady: true),
        ].enumerated().map { patience.allowsMore($1, at: now + .seconds(5 + $0)) }
        #expect(answers == [true, true, false, false])
        let atLast = patience.allowsMore(.init(used: .seconds(4), isReady: true), at: now + .seconds(60))
        let unknown = patience.allowsMore(nil, at: now + .seconds(5))
        #expect(!atLast && !unknown)
    }
}
