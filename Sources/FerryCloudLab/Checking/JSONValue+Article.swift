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
