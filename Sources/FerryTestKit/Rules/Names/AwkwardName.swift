/// A name that has broken some program before.
struct AwkwardName: Sendable {
    /// The difficulty, in a word or two; unique.
    let kind: String
    let name: String

    static let all: [AwkwardName] = [
        Self(kind: "control characters", name: "bell\u{7}tab\tescape\u{1B}delete\u{7F}"),
        Self(kind: "newline", name: "two\nlines"),
        Self(kind: "carriage return", name: "end\r"),
        Self(kind: "leading space", name: " lead"),
        Self(kind: "trailing space", name: "trail "),
        Self(kind: "only a space", name: " "),
        Self(kind: "double space", name: "a  b"),
        Self(kind: "leading dot", name: ".hidden"),
        Self(kind: "trailing dot", name: "trail."),
        Self(kind: "three dots", name: "..."),
        Self(kind: "dots inside", name: "a..b"),
        Self(kind: "ASCII punctuation", name: "!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~"),
        Self(kind: "percent escape", name: "%46"),
        Self(kind: "escaped slash", name: "a%2Fb"),
        Self(kind: "escaped dots", name: "%2e%2e"),
        Self(kind: "lone percent", name: "100%"),
        Self(kind: "plus and ampersand", name: "a+b&c=d;e"),
        Self(kind: "question mark", name: "what?x=1#part"),
        Self(kind: "entity", name: "&amp;<b>&#65;"),
        Self(kind: "quotes", name: "it's \"so\""),
        Self(kind: "shell", name: "$HOME `id` * | > x"),
        Self(kind: "backslash", name: "..\\up"),
        Self(kind: "leading dash", name: "-rf"),
        Self(kind: "tilde", name: "~"),
        Self(kind: "drive letter", name: "C:"),
        Self(kind: "device CON", name: "CON"),
        Self(kind: "device aux.txt", name: "aux.txt"),
        Self(kind: "emoji", name: "👩‍👩‍👧‍👦 🇩🇪 1️⃣"),
        Self(kind: "combining", name: "cafe\u{301}"),
        Self(kind: "precomposed", name: "caf\u{E9}"),
        Self(kind: "compatibility", name: "\u{212B}ngstr\u{F6}m ﬁ ½"),
        Self(kind: "right to left", name: "שלום עולם.txt"),
        Self(kind: "direction override", name: "\u{202E}gpj.exe"),
        Self(kind: "zero width", name: "\u{FEFF}zero\u{200B}width\u{200D}"),
        Self(kind: "beyond 16 bits", name: "𐐷𝕏𠀋"),
        // How `NameEscape` keeps a byte that is not UTF-8, here Latin 1.
        Self(kind: "not UTF-8", name: "caf\u{10F7E9}"),
        Self(kind: "like an identifier", name: "id:x"),
        Self(kind: "like a revision", name: "rev:x"),
        Self(kind: "255 bytes", name: String(repeating: "n", count: 255)),
        Self(kind: "255 bytes of 127 letters", name: String(repeating: "é", count: 127) + "n"),
    ]

    /// The slugs of those that are tried where others were tried on the storage below: a name that has to be escaped in
    /// URLs, one that is not ASCII, one that is not UTF-8, one that looks like an identifier, and the longest.
    static let few: Set<String> = ["ascii-punctuation", "combining", "not-utf-8", "like-an-identifier", "255-bytes"]

    /// Its kind as the last part of a rule's identifier.
    var slug: String { kind.lowercased().replacing(" ", with: "-") }

    /// Returns the slug of the name that a rule is about.
    ///
    /// - Parameter id: The rule's identifier.
    /// - Returns: The slug; `nil` for a rule that is about no awkward name.
    static func slug(ofRule id: ConformanceCheck.ID) -> String? {
        ["names.file-", "names.folder-"].lazy
            .filter { id.rawValue.hasPrefix($0) }
            .map { String(id.rawValue.dropFirst($0.count)) }
            .first { slug in all.contains { $0.slug == slug } }
    }
}
