import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Values in a server's answer")
struct TextValueTests {
    private func date(_ text: String) -> Date? {
        Array(text.utf8).withUnsafeBufferPointer { HTTPDateReader.date($0) }
    }

    @Test(
        "a date is read in every form that HTTP and WebDAV have",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("1994-11-06T08:49:37Z", 784_111_777),
            ("1994-11-06T09:49:37+01:00", 784_111_777), ("Sun, 6 Nov 1994 08:49:37 UTC", 784_111_777),
            ("Sun, 06 Nov 1994 09:49:37 +0100", 784_111_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_199),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Mon, 01 Jan 1900 00:00:00 GMT", -2_208_988_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Double)]
    )
    func dates(text: String, time: Double) {
        #expect(date(text)?.timeIntervalSince1970 == time)
    }

    @Test(
        "what is no date is none",
        arguments: [
            "", "now", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 99 Nov 1994 08:49:37 GMT", "1994", "Sun, 06 Nov",
            "Sun, 06 Nov 1994 25:49:37 GMT", "<date>", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "-1", "Sun Nov",
        ]
    )
    func noDates(text: String) {
        #expect(date(text) == nil)
    }

    @Test(
        "a version has one form, however it is written",
        arguments: [
            ("\"a\"", "\"a\""), ("a", "\"a\""), (" W/\"a\" ", "\"a\""), ("w/a", "\"a\""), ("", nil), ("\"\"", nil),
            ("\"", "\"\"\""), ("W/", nil),
        ] as [(String, String?)]
    )
    func versions(text: String, expected: String?) {
        #expect(EntityTag.normalized(text) == expected)
    }

    @Test(
        "a number is read whole or not at all",
        arguments: [
            ("0", 0), ("-3", -3), ("9223372036854775807", .max), ("9223372036854775808", nil), ("1 2", nil), ("", nil),
            ("-", nil), ("0x10", nil), ("1.5", nil),
        ] as [(String, Int64?)]
    )
    func numbers(text: String, expected: Int64?) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { $0.integer } == expected)
    }

    @Test(
        "a status line has a code",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 404", 404), ("HTTP/2  507 x", 507), ("200", nil), ("HTTP/1.1 20", nil),
            ("HTTP/1.1 2000 OK", nil), ("HTTP/1.1 OK", nil),
        ] as [(String, Int?)]
    )
    func statuses(text: String, expected: Int?) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { $0.statusCode } == expected)
    }
}
