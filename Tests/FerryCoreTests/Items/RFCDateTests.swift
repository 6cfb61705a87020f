import FerryCore
import Foundation
import Testing

@Suite("A date of a protocol")
struct RFCDateTests {
    @Test(
        "is read in every form that the RFCs have",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "1994-11-06T08:49:37Z", "1994-11-06T09:49:37+01:00", "1994-11-06T08:49:37.000Z",
            "Sun, 06 Nov 94 03:49:37 EST", "6 Nov 94 08:49:37 UT", "06 Nov 1994 00:49:37 PST",
            "Sun, 6 Nov 1994 09:49:37 +0100", " Sun, 06 Nov 1994 08:49:37 GMT\r\n", "06 Nov 1994 04:49:37 EDT",
        ]
    )
    func reads(text: String) {
        #expect(Date(rfcString: text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test("may lack its seconds, as RFC 822 has it")
    func minutes() {
        #expect(Date(rfcString: "06 Nov 94 08:49 GMT") == Date(timeIntervalSince1970: 784_111_740))
    }

    @Test("is nil for anything else", arguments: ["", "soon", "06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994", "1994"])
    func refuses(text: String) {
        #expect(Date(rfcString: text) == nil)
    }
}
