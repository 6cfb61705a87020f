import Foundation

extension JSONLine {
    /// Adds a key with a string; nothing for `nil`.
    mutating func text(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    /// Adds a key with a number; nothing for `nil`.
    mutating func number(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        number(value)
    }

    /// Adds a key with `true` or `false`; nothing for `nil`.
    mutating func flag(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.key(key)
        boolean(value)
    }

    /// Adds a key with a date; nothing for `nil`.
    mutating func date(_ key: StaticString, _ value: Date?) {
        guard let value else { return }
        self.key(key)
        date(value)
    }

    /// Adds a key of any text with a number.
    mutating func number(_ key: String, _ value: Int64) {
        self.key(key)
        number(value)
    }

    /// Adds a key with a number of three decimals.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: A number, at least 0.
    mutating func number(_ key: StaticString, decimal value: Double) {
        self.key(key)
        let thousandths = Int64((value * 1_000).rounded())
        number(thousandths / 1_000)
        raw(".")
        let rest = thousandths % 1_000
        for divisor in [Int64(100), 10, 1] { number(rest / divisor % 10) }
    }

    /// Adds a key with an object.
    mutating func object(_ key: StaticString, _ body: (inout JSONLine) -> Void) {
        self.key(key)
        begin()
        body(&self)
        endInner()
    }

    /// Adds a key with a list of objects.
    mutating func objects<Value>(
        _ key: StaticString,
        _ values: [Value],
        _ body: (Value, inout JSONLine) -> Void
    ) {
        self.key(key)
        raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { raw(",") }
            begin()
            body(value, &self)
            endInner()
        }
        raw("]")
    }

    /// Adds a key with a list of strings.
    mutating func list(_ key: StaticString, _ values: [String]) {
        self.key(key)
        raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { raw(",") }
            string(value)
        }
        raw("]")
    }
}

extension ByteSink {
    /// Writes a JSON object on a line of its own.
    ///
    /// - Parameter body: Adds the keys.
    /// - Throws: Any error that writing throws.
    func writeObject(_ body: (inout JSONLine) throws -> Void) throws {
        var line = JSONLine()
        line.begin()
        try body(&line)
        line.end()
        append { $0.append(contentsOf: line.bytes.dropLast()) }
        try endLine()
    }
}
