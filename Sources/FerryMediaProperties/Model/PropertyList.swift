import FerryMediaWire

/// Properties as they are found, each key once.
struct PropertyList {
    private(set) var entries: [PropertyEntry] = []
    private var seen: Set<String> = []

    mutating func add(_ key: String, _ value: PropertyEntryValue?) {
        guard let value, seen.insert(key).inserted else { return }
        entries.append(PropertyEntry(key, value))
    }

    mutating func add(_ key: String, text: String?) {
        guard let text = text.flatMap({ Texts.trimmed($0) }) else { return }
        add(key, .text(text))
    }

    mutating func add(_ key: String, integer: (some BinaryInteger)?) {
        guard let integer, let number = Int64(exactly: integer) else { return }
        add(key, .integer(number))
    }

    mutating func add(_ key: String, texts: [String]) {
        let texts = texts.prefix(1000).compactMap { Texts.trimmed($0) }
        if !texts.isEmpty { add(key, .list(texts.map { .text($0) })) }
    }

    mutating func add(_ key: String, date: CivilDate?) {
        add(key, date.map { .date(seconds: $0.seconds, offset: $0.offset.map { Int32($0) }) })
    }

    var isEmpty: Bool { entries.isEmpty }
}
