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
