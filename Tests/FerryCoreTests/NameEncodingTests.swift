import FerryCore
import FerryTestKit
import Testing

@Suite("The encoding of names")
struct NameEncodingTests {
    private static let windows = NameEncoding(
        forbidding: "\"*:<>?/\\|",
        controls: true,
        leading: " ",
        trailing: " .",
        reserving: NameEncoding.devices + [".lock", "desktop.ini"]
    )
    private static let encodings = [
        windows,
        NameEncoding(forbidding: "/\0"),
        NameEncoding(forbidding: "", leading: "~ ", trailing: "."),
        NameEncoding(forbidding: "?", reserving: ["con", "~x"], reservesStems: false),
        NameEncoding(forbidding: "o", leading: "c", trailing: "n", reserving: ["con", "x"]),
        .none,
    ]

    @Test(
        "replaces what is forbidden by what looks like it",
        arguments: [
            ("plain.txt", "plain.txt"), ("", ""), ("why?", "why？"), ("a/b\\c:d|e", "a／b＼c：d｜e"),
            ("<\"*>", "＜＂＊＞"), ("tab\tnul\0del\u{7F}", "tab␉nul␀del␡"), ("a\r\nb", "a␍␊b"),
            (" a ", "␠a␠"), (" ", "␠"), ("  ", "␠␠"), ("a..", "a.．"), ("..", ".．"), (".a", ".a"), ("a b.c", "a b.c"),
            ("CON", "ＣON"), ("con.txt", "ｃon.txt"), ("nul .tar.gz", "ｎul .tar.gz"), ("console", "console"),
            ("COM1", "ＣOM1"), ("com¹", "ｃom¹"), (".lock", "．lock"), ("Desktop.INI", "Ｄesktop.INI"),
            ("why？", "why‛？"), ("‛", "‛"), ("‛a", "‛a"), ("‛?", "‛‛？"), ("‛‛", "‛‛‛"), ("‛？", "‛‛‛？"),
            ("ＣON", "‛ＣON"), ("‛ＣON", "‛‛ＣON"), ("．a．", "．a‛．"), ("日本語？é", "日本語‛？é"),
        ]
    )
    func table(name: String, encoded: String) {
        #expect(Array(Self.windows.encode(name).unicodeScalars) == Array(encoded.unicodeScalars))
        #expect(Array(Self.windows.decode(encoded).unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test("gives every name back as it was, and only what is allowed", arguments: encodings.indices)
    func roundTrip(index: Int) {
        let encoding = Self.encodings[index]
        var random = SeededGenerator(seed: UInt64(index))
        for _ in 0..<4_000 {
            let name = Self.randomName(using: &random)
            let encoded = encoding.encode(name)
            #expect(Array(encoding.decode(encoded).utf8) == Array(name.utf8), "\(name.debugDescription)")
            if index == 0 {
                #expect(!encoded.unicodeScalars.contains { "\"*:<>?/\\|".unicodeScalars.contains($0) || $0.value < 32 })
                #expect(encoded.isEmpty || !" .".unicodeScalars.contains(encoded.unicodeScalars.last ?? " "))
                #expect(!["con", "nul", "con.x", "nul.x"].contains(encoded.lowercased()))
            }
        }
    }

    @Test("finds names again that others gave on the storage", arguments: encodings.indices)
    func foreignNames(index: Int) {
        let encoding = Self.encodings[index]
        var random = SeededGenerator(seed: 99)
        for _ in 0..<4_000 {
            let name = Self.randomName(using: &random)
            // A name that encoding changes can't be on the storage; a quotation mark there is our own.
            guard !name.unicodeScalars.contains("\u{201B}") else { continue }
            let isAllowed = !encoding.encode(name).unicodeScalars.contains { !name.unicodeScalars.contains($0) }
            guard isAllowed || encoding.decode(name) != name else { continue }
            let shown = encoding.decode(name)
            guard !Self.isForbidden(name, by: index) else { continue }
            #expect(Array(encoding.encode(shown).utf8) == Array(name.utf8), "\(name.debugDescription)")
        }
    }

    private static func randomName(using random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "b", "\u{201B}", "?", "？", ".", "．", " ", "␠", "\n", "␊", "\0", "␀", "/", "／", "c", "o", "n", "ｃ", "ｏ",
            "CON", "ＣON", "nul", "ｎul", ".x", "~", "～", "é", "\u{301}", "日", "x", "ｘ", "*", "\u{7F}", "␡",
        ]
        var name = ""
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            name.unicodeScalars.append(
                contentsOf: pieces[Int.random(in: pieces.indices, using: &random)].unicodeScalars
            )
        }
        return name
    }

    /// Returns whether a storage that needs one of the encodings could not hold a name.
    private static func isForbidden(_ name: String, by index: Int) -> Bool {
        let scalars = name.unicodeScalars
        let lower = name.lowercased()
        let stem = lower.prefix { $0 != "." }.trimmingSuffix(" ")
        guard let first = scalars.first, let last = scalars.last else { return false }
        switch index {
        case 0:
            return scalars.contains { "\"*:<>?/\\|\u{7F}".unicodeScalars.contains($0) || $0.value < 32 } || first == " "
                || last == " " || last == "." || ["con", "nul"].contains(stem)
        case 1: return scalars.contains("/") || scalars.contains("\0")
        case 2: return first == "~" || first == " " || last == "."
        case 3: return scalars.contains("?") || ["con", "~x"].contains(lower)
        case 4: return scalars.contains("o") || first == "c" || last == "n" || ["con", "x"].contains(stem)
        default: return false
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = String(self)
        while text.last == character { text.removeLast() }
        return text
    }
}
