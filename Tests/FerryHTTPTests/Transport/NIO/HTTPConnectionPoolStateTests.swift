import Testing

@testable import FerryHTTP

@Suite("The state of a pool")
struct HTTPConnectionPoolStateTests {
    private typealias State = HTTPConnectionPoolState<Int, String>

    /// Holds what changes while it is looked at.
    private final class Pool {
        private var state: State

        init(limit: Int) { state = State(limit: limit) }

        func add(_ request: String, suits: (Int) -> Bool) -> State.Admission { state.add(request, suits: suits) }
        func remove(_ request: String) { state.remove(request) }
        func dialed(_ connection: Int) -> State.Assignment { state.dialed(connection) }
        func dialFailed() -> (failed: String?, dials: Int) { state.dialFailed() }
        func freed(_ connection: Int) -> State.Assignment { state.freed(connection) }
        func takeIdle(_ connection: Int) -> Bool { state.takeIdle(connection) }
        func closed(_ connection: Int) -> Int { state.closed(connection) }
        func close() -> (waiting: [String], open: [Int]) { state.close() }
    }

    @Test("makes connections up to its limit, and serves who waits in order")
    func limit() {
        let pool = Pool(limit: 2)
        #expect(pool.add("a") { _ in true } == .dial)
        #expect(pool.add("b") { _ in true } == .dial)
        #expect(pool.add("c") { _ in true } == .wait)
        #expect(pool.dialed(1) == .start("a"))
        #expect(pool.freed(1) == .start("b"))
        #expect(pool.dialed(2) == .start("c"))
        #expect(pool.freed(2) == .rest)
        #expect(pool.freed(1) == .rest)
        // The one that was used last.
        #expect(pool.add("d") { _ in true } == .start(1))
    }

    @Test("prefers a connection that suits, makes one if it may, and else takes any")
    func preference() {
        let pool = Pool(limit: 3)
        for (number, name) in ["a", "b"].enumerated() {
            #expect(pool.add(name) { _ in true } == .dial)
            #expect(pool.dialed(number) == .start(name))
        }
        #expect(pool.freed(0) == .rest)
        #expect(pool.freed(1) == .rest)
        #expect(pool.add("c") { $0 == 0 } == .start(0))
        #expect(pool.add("d") { $0 == 7 } == .dial)
        #expect(pool.dialed(7) == .start("d"))
        #expect(pool.add("e") { $0 == 7 } == .start(1))
    }

    @Test("lets one request fail for each connection that can't be made, and tries again for the others")
    func failures() {
        let pool = Pool(limit: 1)
        #expect(pool.add("a") { _ in true } == .dial)
        #expect(pool.add("b") { _ in true } == .wait)
        let first = pool.dialFailed()
        #expect(first.failed == "a")
        #expect(first.dials == 1)
        let second = pool.dialFailed()
        #expect(second.failed == "b")
        #expect(second.dials == 0)
    }

    @Test("makes another connection for who waits when one is closed")
    func replacement() {
        let pool = Pool(limit: 1)
        #expect(pool.add("a") { _ in true } == .dial)
        #expect(pool.dialed(1) == .start("a"))
        #expect(pool.add("b") { _ in true } == .wait)
        #expect(pool.closed(1) == 1)
        #expect(pool.dialed(2) == .start("b"))
        #expect(pool.closed(2) == 0)
    }

    @Test("forgets a request that isn't wanted any more, and keeps the connection that was made for it")
    func cancelled() {
        let pool = Pool(limit: 1)
        #expect(pool.add("a") { _ in true } == .dial)
        pool.remove("a")
        #expect(pool.dialed(1) == .rest)
        #expect(pool.takeIdle(1))
        #expect(!pool.takeIdle(1))
        #expect(pool.closed(1) == 0)
        #expect(pool.add("b") { _ in true } == .dial)
    }

    @Test("gives nothing away that rests and is being closed")
    func taken() {
        let pool = Pool(limit: 1)
        #expect(pool.add("a") { _ in true } == .dial)
        #expect(pool.dialed(1) == .start("a"))
        #expect(pool.freed(1) == .rest)
        #expect(pool.takeIdle(1))
        #expect(pool.add("b") { _ in true } == .wait)
        #expect(pool.closed(1) == 1)
    }

    @Test("turns everybody away when it is closed")
    func closed() {
        let pool = Pool(limit: 2)
        #expect(pool.add("a") { _ in true } == .dial)
        #expect(pool.dialed(1) == .start("a"))
        #expect(pool.add("b") { _ in true } == .dial)
        let ended = pool.close()
        #expect(ended.waiting == ["b"])
        #expect(ended.open == [1])
        #expect(pool.add("c") { _ in true } == .refuse)
        #expect(pool.freed(1) == .close)
        #expect(pool.dialed(2) == .close)
        #expect(pool.dialFailed().failed == nil)
    }
}
