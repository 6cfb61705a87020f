import FerryTransfer
import Foundation
import Testing

@Suite("Limits of bandwidth")
struct BandwidthLimitTests {
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    /// 2024-01-07 was a Sunday.
    private func time(_ day: Int, _ hour: Int, _ minute: Int) -> Date {
        Date(timeIntervalSince1970: 1_704_585_600 + Double(day * 86_400 + hour * 3_600 + minute * 60))
    }

    @Test(
        "a rate is in KiB per second unless a letter says otherwise",
        arguments: [
            ("100", Int64(102_400)), ("100B", 100), ("512k", 524_288), ("10M", 10_485_760), ("1.5M", 1_572_864),
            ("1G", 1 << 30),
        ]
    )
    func rates(text: String, bytes: Int64) throws {
        let limit = try #require(BandwidthLimit(text))
        #expect(limit.rate(at: Date(), .up) == bytes)
        #expect(limit.rate(at: Date(), .down) == bytes)
    }

    @Test("two rates are for sending and receiving, and off is none")
    func twoRates() throws {
        let limit = try #require(BandwidthLimit("1M:off"))
        #expect(limit.rate(at: Date(), .up) == 1 << 20)
        #expect(limit.rate(at: Date(), .down) == nil)
        let other = try #require(BandwidthLimit("off:10k"))
        #expect(other.rate(at: Date(), .up) == nil)
        #expect(other.rate(at: Date(), .down) == 10_240)
        #expect(BandwidthLimit("off")?.rate(at: Date(), .up) == .some(nil))
    }

    @Test("a timetable holds each day, and before its first time what came last the day before")
    func daily() throws {
        let limit = try #require(BandwidthLimit("08:00,512k 12:00,10M 18:00,off"))
        for day in 0..<7 {
            #expect(limit.rate(at: time(day, 7, 59), .up, calendar: calendar) == nil)
            #expect(limit.rate(at: time(day, 8, 0), .up, calendar: calendar) == 512 << 10)
            #expect(limit.rate(at: time(day, 11, 59), .up, calendar: calendar) == 512 << 10)
            #expect(limit.rate(at: time(day, 12, 0), .up, calendar: calendar) == 10 << 20)
            #expect(limit.rate(at: time(day, 18, 0), .up, calendar: calendar) == nil)
        }
    }

    @Test("a timetable with days of the week holds until the next of its times")
    func weekly() throws {
        let limit = try #require(BandwidthLimit("Mon-00:00,512 Fri-23:59,10M Sat-10:00,1M:2M Sun-20:00,off"))
        #expect(limit.rate(at: time(0, 19, 0), .up, calendar: calendar) == 1 << 20)
        #expect(limit.rate(at: time(0, 19, 0), .down, calendar: calendar) == 2 << 20)
        #expect(limit.rate(at: time(0, 20, 0), .down, calendar: calendar) == nil)
        #expect(limit.rate(at: time(1, 0, 0), .up, calendar: calendar) == 512 << 10)
        #expect(limit.rate(at: time(4, 12, 0), .up, calendar: calendar) == 512 << 10)
        #expect(limit.rate(at: time(5, 23, 59), .up, calendar: calendar) == 10 << 20)
        #expect(limit.rate(at: time(6, 9, 59), .up, calendar: calendar) == 10 << 20)
        #expect(limit.rate(at: time(6, 10, 0), .up, calendar: calendar) == 1 << 20)
    }

    @Test(
        "what is no limit is refused",
        arguments: [
            "", " ", "fast", "-1", "10X", "1M:2M:3M", "1M:", "25:00,1M", "08:60,1M", "08:00,", "8,1M",
            "Foo-08:00,1M", "08:00,1M 09:00", "1e3", "nan", "99999999999T",
        ]
    )
    func refusals(text: String) {
        #expect(BandwidthLimit(text) == nil)
    }
}
