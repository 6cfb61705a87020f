import FerryCore
import FerryTestKit
import Testing

@Suite("A name that can't stand in a path or in a string")
struct NameEscapeTests {
    @Test("comes back from any bytes as it was")
    func bytes() {
        var random = SeededGenerator(seed: 17)
        let awkward: [[UInt8]] = [
            [0xF4, 0x8F, 0x9C, 0x80], [0xF4, 0x8F, 0x9F, 0xBF], [0xF4, 0x8F, 0x9C], [0xF4, 0x90, 0x80, 0x80],
            [0xC0, 0x80],
            [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBD], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xF5], [0xFF], [0x80],
            [0xE2, 0x82],
            [0x2F], [0x00], [0x2E], [0xF0, 0x9F, 0x98, 0x80], [0x0D, 0x0A],
        ]
        for _ in 0..<10_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                if Bool.random(using: &random) {
                    bytes += awkward[Int.random(in: awkward.indices, using: &random)]
                } else {
                    bytes.append(.random(in: 0...255, using: &random))
                }
            }
            let name = NameEscape.name(ofBytes: bytes)
            #expect(NameEscape.bytes(ofName: name) == bytes)
        }
    }

    @Test("is the same text if it is ordinary", arguments: ["a.txt", "é", "e\u{301}", "日本", "😀", "\u{10FFFF}", " "])
    func ordinary(name: String) {
        #expect(utf8(NameEscape.name(ofBytes: Array(name.utf8))) == utf8(name))
        #expect(NameEscape.bytes(ofName: name) == Array(name.utf8))
        #expect(utf8(NameEscape.component(ofName: name)) == utf8(name))
        #expect(utf8(NameEscape.name(ofComponent: name)) == utf8(name))
    }

    @Test("comes back from a path's component as it was")
    func components() {
        let pieces = [
            "a", "/", "\0", ".", "..", "é", "\u{301}", "\u{10F700}", "\u{10F72F}", "\u{10F7FF}", "\r\n", "\\",
        ]
        var random = SeededGenerator(seed: 23)
        for _ in 0..<10_000 {
            var name = ""
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let piece = pieces[Int.random(in: pieces.indices, using: &random)]
                name.unicodeScalars.append(contentsOf: piece.unicodeScalars)
            }
            let component = NameEscape.component(ofName: name)
            #expect(utf8(NameEscape.name(ofComponent: component)) == utf8(name), "\(name.debugDescription)")
            #expect(!component.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") })
            #expect(utf8(component) != utf8(".") && utf8(component) != utf8(".."))
        }
    }

    @Test("does not reach the operating system as a slash by way of its escape")
    func slashes() {
        // The result of bytes(ofName:) for an escaped slash is a slash: its caller has to look.
        let component = NameEscape.component(ofName: "a/b")
        #expect(!component.contains("/"))
        #expect(NameEscape.bytes(ofName: component) == Array("a/b".utf8))
    }

    private func utf8(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
}
