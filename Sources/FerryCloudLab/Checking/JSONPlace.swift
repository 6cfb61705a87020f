/// A place inside a JSON value.
struct JSONPlace: Sendable {
    private enum Component: Sendable {
        case member(String)
        case element(Int)
    }

    private var components: [Component] = []

    mutating func enter(member name: String) { components.append(.member(name)) }
    mutating func enter(element index: Int) { components.append(.element(index)) }
    mutating func leave() { components.removeLast() }

    /// The place as a JSON path (RFC 9535), such as `$.entries[0]['.tag']`.
    var text: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .element(let index): text += "[\(index)]"
            case .member(let name):
                let isPlain =
                    !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                text += isPlain ? ".\(name)" : "['\(name)']"
            }
        }
    }
}

extension JSONValue {
    /// The value's kind in a sentence, with a short text in full.
    var article: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .integer(let integer): "the integer \(integer)"
        case .number(let number): "the number \(number)"
        case .string(let text): text.count <= 60 ? "'\(text)'" : "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
