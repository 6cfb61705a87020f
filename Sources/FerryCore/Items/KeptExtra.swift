package import Foundation

/// A property that was written somewhere, and whose type shows when somebody asks for it.
struct KeptExtra: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The value as JSON.
    let json: Data

    /// The value.
    ///
    /// - Parameter type: Its type.
    /// - Returns: `nil` if it is of another.
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        // Of another type it can't be decoded, and that is what `nil` says.
        try? JSONDecoder().decode(type, from: json)
    }

    /// The value as text, as one that was never written shows itself: text without quotes.
    var description: String {
        if let text = decoded(as: String.self) { return text }
        if let list = decoded(as: [String].self) { return String(describing: list) }
        return String(decoding: json, as: UTF8.self)
    }

    /// Returns whether two properties are the same, in whatever form.
    static func isSame(
        _ first: any (Sendable & Hashable & Codable),
        _ second: any (Sendable & Hashable & Codable)
    ) -> Bool {
        switch (first as? KeptExtra, second as? KeptExtra) {
        case (let first?, let second?): first.json == second.json
        case (let first?, nil): first.isSame(as: second)
        case (nil, let second?): second.isSame(as: first)
        case (nil, nil): AnyHashable(first) == AnyHashable(second)
        }
    }

    private func isSame<Value: Hashable & Codable>(as value: Value) -> Bool {
        decoded(as: Value.self) == value
    }
}

extension FileObjectExtras {
    /// All properties as JSON by their names, so that whoever keeps them need not know their types.
    package var kept: [String: Data] {
        get throws {
            var kept: [String: Data] = [:]
            for (name, value) in values ?? [:] {
                kept[name] = try (value as? KeptExtra)?.json ?? JSONEncoder().encode(value)
            }
            return kept
        }
    }

    /// Makes a bag of what was kept; each value is read when it is asked for.
    ///
    /// - Parameter kept: Values as JSON, by name.
    package init(kept: [String: Data]) {
        self.init()
        if !kept.isEmpty { values = kept.mapValues { KeptExtra(json: $0) } }
    }
}
