import FerryCore
import Testing

@Suite("Questions without an answer")
struct WaitWatchTests {
    @Test("are told of after a time, until an answer comes")
    func waits() {
        let watch = WaitWatch()
        let first = watch.begin("PROPFIND", host: "h")
        let second = watch.begin("PUT", host: "h")
        let later = ContinuousClock.now + .seconds(10)
        #expect(watch.waits(longerThan: .seconds(10)).isEmpty)
        #expect(watch.waits(longerThan: .seconds(10), now: later).map(\.question) == ["PROPFIND", "PUT"])
        watch.end(first)
        #expect(watch.waits(longerThan: .seconds(10), now: later).map(\.id) == [second])
    }

    @Test("begin anew with each part of the question, and wait for nothing while one is made")
    func parts() throws {
        let watch = WaitWatch()
        let id = watch.begin("PUT", host: "h")
        let later = ContinuousClock.now + .seconds(3600)
        let first = try #require(watch.waits(longerThan: .zero).first)
        watch.pause(id)
        #expect(watch.waits(longerThan: .zero, now: later).isEmpty)
        watch.resume(id)
        let second = try #require(watch.waits(longerThan: .zero).first)
        #expect(second.id == id && second.start > first.start)
        let other = watch.begin("GET", host: "h")
        watch.resume(id)
        #expect(watch.waits(longerThan: .zero, now: later).map(\.id) == [other, id])
        watch.end(other)
        watch.end(id)
        watch.pause(id)
        watch.resume(id)
        #expect(watch.waits(longerThan: .zero, now: later).isEmpty)
    }
}
