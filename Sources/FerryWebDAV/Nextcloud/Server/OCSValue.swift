import Foundation

/// A value in an answer of the OCS API, whose types are not always what the descriptions say: numbers come as text, and
/// empty objects as empty lists.
enum OCSValue: Decodable, Sendable, Hashable {
    case object([String: OCSValue])
    case list([OCSValue])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let object = try? container.decode([String: OCSValue].self) {
            self = .object(object)
        } else {
            self = .list(try container.decode([OCSValue].self))
        }
    }

    /// A member of an object; `null` if there is none.
    subscript(name: String) -> OCSValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The members of a list.
    var items: [OCSValue] {
        switch self {
        case .list(let items): items
        case .object(let members): members.sorted { $0.key < $1.key }.map(\.value)
        default: []
        }
    }

    /// The members of an object.
    var members: [String: OCSValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The value as text, if it is text or a number; never empty.
    var text: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        default: nil
        }
    }

    /// The value as a whole number.
    var integer: Int64? {
        switch self {
        case .number(let number): Int64(exactly: number.rounded(.towardZero))
        case .text(let text): Int64(text)
        case .flag(let flag): flag ? 1 : 0
        default: nil
        }
    }

    /// The value as yes or no.
    var flag: Bool? {
        switch self {
        case .flag(let flag): flag
        case .number(let number): number != 0
        case .text(let text): text == "1" || text == "true" ? true : text == "0" || text == "false" ? false : nil
        default: nil
        }
    }
}
