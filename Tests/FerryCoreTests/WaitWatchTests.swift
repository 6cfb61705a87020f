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
}
