import FerryCore
import Synchronization
import Testing

@testable import FerryWebDAV

/// The writers at a file, in the order in which they came.
private final class Visitors: Sendable {
    private struct State {
        var names: [String] = []
        var now = 0
        var most = 0
    }

    private let state = Mutex(State())

    var names: [String] { state.withLock { $0.names } }
    var most: Int { state.withLock { $0.most } }

    func come(_ name: String) {
        state.withLock { state in
            state.names.append(name)
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func go() {
        state.withLock { $0.now -= 1 }
    }
}

@Suite("Turns at a file")
struct WebDAVTurnsTests {
    @Test("one is at a file at a time, and others at other files")
    func oneAfterTheOther() async {
        let turns = WebDAVTurns()
        let visitors = Visitors()
        await turns.take("/a")
        await turns.take("/b")
        async let second: Void = {
            await turns.take("/a")
            visitors.come("second")
            turns.leave("/a")
        }()
        for _ in 0..<100 { await Task.yield() }
        visitors.come("first")
        turns.leave("/a")
        await second
        #expect(visitors.names == ["first", "second"])
        turns.leave("/b")
        // Nobody is there any more.
        await turns.take("/a")
        await turns.take("/b")
    }

    @Test("many come to their turn, and none is at a file with another", .timeLimit(.minutes(30)))
    func many() async {
        let turns = WebDAVTurns()
        let visitors = Visitors()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await turns.take("/a")
                    visitors.come("somebody")
                    await Task.yield()
                    visitors.go()
                    turns.leave("/a")
                }
            }
        }
        #expect(visitors.most == 1)
        #expect(visitors.names.count == 200)
    }
}
