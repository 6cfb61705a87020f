import Foundation
import Testing

@testable import FerryHTTP

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test(
        "all three forms are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 6 nov 1994 08:49:37 UTC",
        ]
    )
    func reads(text: String) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(
        "nonsense is no date",
        arguments: [
            "", "yesterday", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT", "Tue, 31 Feb 1994 08:49:37 GMT", "Wed, 29 Feb 2023 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, +6 Nov 1994 08:49:37 GMT",
            String(repeating: "1 ", count: 1_000),
        ]
    )
    func refuses(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test("what is written is read again", arguments: [0, 784_111_777, 1_795_215_972, -86_401, -1])
    func roundTrip(seconds: Int) throws {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        #expect(HTTPDate.parse(try #require(HTTPDate.format(date))) == date)
    }

    @Test("every day of four centuries is read as it is written")
    func everyDay() throws {
        for day in 0..<146_097 {
            let date = Date(timeIntervalSince1970: TimeInterval(day) * 86_400 + 45_296)
            guard HTTPDate.parse(HTTPDate.format(date) ?? "") != date else { continue }
            Issue.record("day \(day)")
        }
    }

    @Test("a written date has the right weekday")
    func writes() {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.format(.distantFuture.addingTimeInterval(1e15)) == nil)
    }
}
