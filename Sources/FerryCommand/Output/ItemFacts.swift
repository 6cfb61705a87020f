import FerryCore
import Foundation

/// All that is known about one item, ready to be shown.
struct ItemFacts {
    /// A property's value, as programs want it.
    private enum Value {
        case text(String)
        case number(Int64)
        case flag(Bool)
        case date(Date)
    }

    private let item: FileObject
    private let rarer: [(key: String, value: Value)]

    /// Collects the facts.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - linkTarget: The target of the link, if it is one.
    init(_ item: FileObject, linkTarget: String?) {
        self.item = item
        let extras = item.extras
        var rarer: [(key: String, value: Value)] = []
        func add(_ key: String, _ value: Value?) {
            if let value { rarer.append((key, value)) }
        }
        add("permissions", item.permissions.map { .text("0" + String($0, radix: 8)) })
        add("linkDestination", linkTarget.map { .text($0) })
        add("owner", extras[.owner].map { .text($0) })
        add("group", extras[.group].map { .text($0) })
        add("allocatedSize", extras[.allocatedSize].map { .number($0) })
        add("linkCount", extras[.linkCount].map { .number($0) })
        add("childCount", extras[.childCount].map { .number($0) })
        add("accessed", extras[.accessDate].map { .date($0) })
        add("attributesModified", extras[.attributeModificationDate].map { .date($0) })
        add("hidden", extras[.isHidden].map { .flag($0) })
        add("readOnly", extras[.isReadOnly].map { .flag($0) })
        for (kind, sum) in (extras[.checksums] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            add(kind.rawValue, .text(sum))
        }
        let known = Set(rarer.map(\.key) + ["path", "checksums"])
        for (name, value) in extras.descriptions where !known.contains(name) { add(name, .text(value)) }
        self.rarer = rarer
    }

    /// Adds what `ferry ls --json` leaves out.
    func addRarer(to line: inout JSONLine) {
        for (key, value) in rarer {
            line.key(key)
            switch value {
            case .text(let text): line.string(text)
            case .number(let number): line.number(number)
            case .flag(let flag): line.boolean(flag)
            case .date(let date): line.date(date)
            }
        }
    }

    /// Writes a fact a line.
    func write(to sink: ByteSink, styling: Styling) throws {
        var facts: [(String, String)] = [
            ("path", item.path.string), ("name", item.name), ("type", item.type.word),
        ]
        if let size = item.size {
            let words = Quantity.words(bytes: size)
            facts.append(("size", size < 1024 ? words : "\(size) (\(words))"))
        }
        if let date = item.modifiedDate { facts.append(("modified", UTCTime.text(date))) }
        if let date = item.creationDate { facts.append(("created", UTCTime.text(date))) }
        for (key, value) in [("id", item.id), ("eTag", item.eTag), ("contentType", item.contentType)] {
            if let value { facts.append((key, value)) }
        }
        if item.permissions != nil { facts.append(("mode", ListingStyle.mode(of: item))) }
        try FactLines(facts + rarer.map { ($0.key, Self.text($0.value)) }).write(to: sink, styling: styling)
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .date(let date): UTCTime.text(date)
        }
    }
}

/// Facts for people: a key and its value a line, keys aligned to the right.
struct FactLines {
    private let facts: [(String, String)]

    /// Collects the facts.
    init(_ facts: [(String, String)]) {
        self.facts = facts
    }

    /// Writes them.
    ///
    /// - Parameters:
    ///   - sink: Where they go.
    ///   - styling: Colours.
    /// - Throws: Any error that writing throws.
    func write(to sink: ByteSink, styling: Styling) throws {
        let width = facts.reduce(0) { max($0, $1.0.utf8.count) }
        for (key, value) in facts {
            sink.write(styling.text(String(repeating: " ", count: width - key.utf8.count) + key, .faint) + "  ")
            sink.write(name: value)
            try sink.endLine()
        }
    }
}

extension ByteSink {
    /// Writes what is known of one thing on a line of its own.
    ///
    /// - Parameter facts: The facts; what is unknown is left out.
    /// - Throws: Any error that writing throws.
    func writeLine(of facts: [String?]) throws {
        write(name: facts.compactMap { $0 }.joined(separator: "  "))
        try endLine()
    }
}
