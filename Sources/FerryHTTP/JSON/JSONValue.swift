import Foundation

/// A value of JSON, for APIs whose requests and answers have many shapes.
package enum JSONValue: Codable, Sendable, Hashable {
    /// An object.
    case object([String: JSONValue])
    /// An array.
    case list([JSONValue])
    /// A string.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case decimal(Double)
    /// A Boolean value.
    case flag(Bool)
    /// No value.
    case null

    /// Reads a value.
    ///
    /// - Parameter decoder: Where it is.
    /// - Throws: `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            // Most values are strings, and each attempt that fails costs an error.
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .decimal(number)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else {
            self = .list(try container.decode([JSONValue].self))
        }
    }

    /// Writes the value.
    ///
    /// - Parameter encoder: Where it goes.
    /// - Throws: Errors of the encoder.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .list(let items): try container.encode(items)
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .null: try container.encodeNil()
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Makes an object; members whose value is ``null`` are left out.
    ///
    /// - Parameter elements: The members.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements.filter { $0.1 != .null }) { $1 })
    }

    /// Makes an array.
    ///
    /// - Parameter elements: The items.
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }

    /// Makes a string.
    ///
    /// - Parameter value: The string.
    package init(stringLiteral value: String) { self = .text(value) }

    /// Makes a whole number.
    ///
    /// - Parameter value: The number.
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// Makes a Boolean value.
    ///
    /// - Parameter value: The value.
    package init(booleanLiteral value: Bool) { self = .flag(value) }

    /// Makes no value.
    ///
    /// - Parameter nilLiteral: Nothing.
    package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// Makes a string, or no value.
    ///
    /// - Parameter text: The string.
    /// - Returns: ``null`` for `nil`, which an object leaves out.
    package static func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

    /// A member of an object; ``null`` where there is none.
    package subscript(name: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The string; `nil` for another kind.
    package var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The whole number; `nil` for another kind.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .decimal(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number, whole or not; `nil` for another kind.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number): number
        default: nil
        }
    }

    /// The Boolean value; `nil` for another kind.
    package var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    /// The items of an array; none for another kind.
    package var items: [JSONValue] {
        if case .list(let items) = self { items } else { [] }
    }
}
