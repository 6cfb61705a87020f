import Testing

@testable import FerryCloudLab

@Suite("JSON")
struct JSONTests {
    @Test(
        "what is no JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "+1", "nul", "\"\\x\"", "\"\\ud800\"", "\"a", "1 2", "{a:1}",
            "\"\t\"", String(repeating: "[", count: 1000),
        ]
    )
    func nonsense(text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(text.utf8) }
    }

    @Test("values come back as they were written")
    func roundTrip() throws {
        let text = #"{"a":[1,-2,true,false,null,"x\n\"\\é😀"],"b":{},"c":1.5,"a2":[]}"#
        let value = try JSONParser.parse(text.utf8)
        #expect(String(decoding: value.encoded, as: UTF8.self) == text)
        #expect(try JSONParser.parse(value.encodedForHeader.utf8) == value)
        #expect(value.encodedForHeader.utf8.allSatisfy { $0 < 0x7F })
        #expect(value.encodedForHeader.contains(#"\u00e9\ud83d\ude00"#))
    }
}
