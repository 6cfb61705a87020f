import FerryHTTP
import Foundation
import Testing

@Suite("Dates in fields")
struct HTTPDateTests {
    private let moment = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "are read in all three forms (RFC 9110 §5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func forms(_ text: String) {
        #expect(HTTPDate.date(text) == moment)
    }

    @Test("are written in the first", arguments: [0, 784_111_777, 951_782_400, -86_400, 4_107_542_399])
    func written(_ seconds: Int) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        #expect(HTTPDate.text(date) == formatter.string(from: date))
        #expect(HTTPDate.date(HTTPDate.text(date)) == date)
    }

    @Test("with two digits belong to the century that is not far ahead")
    func century() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == moment)
        let then = HTTPDate.date("Fri, 06 Nov 2026 08:49:37 GMT")
        #expect(HTTPDate.date("Friday, 06-Nov-26 08:49:37 GMT", now: now) == then)
    }

    @Test(
        "are nothing when they make no sense",
        arguments: [
            "", "yesterday", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "1994-11-06T08:49:37Z",
        ]
    )
    func senseless(_ text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
