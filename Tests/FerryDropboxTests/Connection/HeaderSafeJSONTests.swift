import FerryHTTP
import Foundation
import Testing

@testable import FerryDropbox

@Suite("JSON in a field")
struct HeaderSafeJSONTests {
    @Test(
        "escapes what is no printable ASCII",
        arguments: [
            ("/plain.txt", #"{"path":"/plain.txt"}"#),
            ("/übung", #"{"path":"/\u00fcbung"}"#),
            ("/😀", #"{"path":"/\ud83d\ude00"}"#),
            ("/a\u{7F}b", #"{"path":"/a\u007fb"}"#),
            ("/tab\tline\n", #"{"path":"/tab\tline\n"}"#),
            ("/quote\"\\", #"{"path":"/quote\"\\"}"#),
        ]
    )
    func escapes(path: String, expected: String) throws {
        #expect(try HeaderSafeJSON.text(["path": .text(path)] as JSONValue) == expected)
    }

    @Test("means the same as before")
    func roundTrip() throws {
        let text = "".padding(toLength: 0, withPad: "", startingAt: 0) + "שלום 👩‍👩‍👧‍👦 \u{1} cafe\u{301} ½"
        let json = try HeaderSafeJSON.text(["a": .text(text)] as JSONValue)
        #expect(json.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        let read = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        #expect(read["a"]?.utf8.elementsEqual(text.utf8) == true)
    }

    @Test("leaves out what has no value")
    func nothing() throws {
        #expect(try HeaderSafeJSON.text(["a": .text(nil), "b": true] as JSONValue) == #"{"b":true}"#)
    }
}
