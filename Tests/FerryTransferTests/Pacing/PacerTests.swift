import FerryCore
import FerryMemory
import FerryTransfer
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Pacing")
struct PacerTests {
    private func utc() -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test("bytes pass at the rate that is allowed, but for a tenth of a second's at the start")
    func rate() async throws {
        let clock = SteppingClock()
        let pacer = Pacer(BandwidthLimit(up: 1_000, down: nil), .up, clock: clock)
        for _ in 0..<100 { try await pacer.pass(100) }
        let seconds = clock.now.offset / .seconds(1)
        #expect(seconds > 9.89 && seconds <= 10.001)
    }

    @Test("what nobody used is not saved up")
    func burst() async throws {
        let clock = SteppingClock()
        let pacer = Pacer(BandwidthLimit(up: nil, down: 1_000), .down, clock: clock)
        clock.advance(by: .seconds(1_000))
        let start = clock.now
        try await pacer.pass(1_100)
        #expect(abs(start.duration(to: clock.now) / .seconds(1) - 1) < 0.001)
    }

    @Test("several at a time share one rate")
    func sharing() async throws {
        let clock = SteppingClock()
        let pacer = Pacer(BandwidthLimit(up: 1_000, down: nil), .up, clock: clock)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<25 { try await pacer.pass(100) } }
            }
            try await group.waitForAll()
        }
        #expect(clock.now.offset / .seconds(1) > 9.89)
    }

    @Test("the other way is not slowed down")
    func otherWay() async throws {
        let clock = SteppingClock()
        let pacer = Pacer(BandwidthLimit(up: 1, down: nil), .down, clock: clock)
        try await pacer.pass(1 << 40)
        #expect(clock.now.offset == .zero)
    }

    @Test("a wait ends when the timetable allows more")
    func timetable() async throws {
        let clock = SteppingClock()
        let limit = try #require(BandwidthLimit("00:00,1B 00:10,off"))
        let midnight = Date(timeIntervalSince1970: 1_704_585_600)
        let pacer = Pacer(limit, .up, clock: clock, begin: midnight, calendar: utc())
        // At one byte a second it would be weeks.
        try await pacer.pass(3_000_000)
        let seconds = clock.now.offset / .seconds(1)
        #expect(seconds >= 600 && seconds < 602)
    }

    @Test("all files of a transfer share its limit")
    func transfer() async throws {
        let clock = SteppingClock()
        let (source, target) = (MemoryFileProvider(), MemoryFileProvider())
        try await source.create(folder: "a", at: "/")
        for index in 0..<10 {
            try await source.writeContents(path: "/a/\(index)", contents: Data(repeating: 1, count: 10_000))
        }
        var options = TransferOptions()
        options.bandwidth = BandwidthLimit(up: 10_000, down: nil)
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            clock: clock
        )
        let report = try await transfer.run()
        #expect(report.isComplete)
        #expect(report.bytes == 100_000)
        #expect(clock.now.offset / .seconds(1) > 9.8)
    }
}
