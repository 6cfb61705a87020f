/// A JSON value whose objects keep the order of their members.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The members, if the value is an object.
    var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, if the value is an array.
    var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, if the value is a string.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if the value is a number without a fraction.
    var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The truth value, if the value is `true` or `false`.
    var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The JSON type as services name it in their complaints.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "float"
        case .string: "string"
        case .array: "list"
        case .object: "object"
        }
    }

    /// A member of an object; `nil` if the value is no object or has no such member.
    subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(booleanLiteral truth: Bool) { self = .bool(truth) }
    init(integerLiteral integer: Int64) { self = .integer(integer) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
}

/// The members of a JSON object, in order.
struct JSONObject: Sendable, Equatable {
    /// A name and its value.
    struct Member: Sendable, Equatable {
        var name: String
        var value: JSONValue
    }

    private(set) var members: [Member] = []

    init(_ members: [(String, JSONValue)] = []) {
        self.members = members.map { Member(name: $0, value: $1) }
    }

    /// The value of a member; setting `nil` removes it.
    subscript(name: String) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The names of the members, in order.
    var names: [String] { members.map(\.name) }
}
