import Foundation

/// A `LIKE` pattern: `*` is any text, `?` one character, `\` takes the next character literally.
///
/// The time is bounded by (length of the text × length of the pattern).
struct WildcardPattern: Sendable {
    private enum Part: Sendable {
        case anything
        case anyCharacter
        /// A character, folded as the options say.
        case character(String)

        var isAnything: Bool {
            if case .anything = self { true } else { false }
        }
    }

    private let parts: [Part]
    /// The pattern for ASCII texts, where a character is a byte, `*` is 0x80, `?` 0x81; `nil` if none can match.
    private let asciiParts: [UInt8]?
    private let options: FileQuery.TextOptions

    private static let anything: UInt8 = 0x80
    private static let anyCharacter: UInt8 = 0x81

    init(_ pattern: String, options: FileQuery.TextOptions) {
        var parts: [Part] = []
        var isEscaped = false
        for character in pattern {
            switch character {
            case "\\" where !isEscaped: isEscaped = true
            case "*" where !isEscaped:
                // Two in a row are as good as one.
                if case .anything? = parts.last { continue }
                parts.append(.anything)
            case "?" where !isEscaped: parts.append(.anyCharacter)
            default:
                parts.append(.character(Self.folded(character, options)))
                isEscaped = false
            }
        }
        if isEscaped { parts.append(.character("\\")) }
        self.parts = parts
        self.options = options
        asciiParts = Self.ascii(parts)
    }

    func matches(_ text: String) -> Bool {
        // A line break of two bytes is one character.
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
            guard let asciiParts else { return false }
            let fold: UInt8 = options.contains(.caseInsensitive) ? 0x20 : 0
            return Self.matches(Array(text.utf8), asciiParts, isAnything: { $0 == Self.anything }) { byte, part in
                part == Self.anyCharacter || part == (byte &- UInt8(ascii: "A") < 26 ? byte | fold : byte)
            }
        }
        let characters = text.map { Self.folded($0, options) }
        return Self.matches(characters, parts, isAnything: { $0.isAnything }) { [options] character, part in
            switch part {
            case .anything: false
            case .anyCharacter: true
            case .character(let wanted):
                options.isEmpty ? character.utf8.elementsEqual(wanted.utf8) : character == wanted
            }
        }
    }

    private static func folded(_ character: Character, _ options: FileQuery.TextOptions) -> String {
        let text = String(character)
        return options.isEmpty ? text : text.folding(options: options.compareOptions, locale: nil)
    }

    private static func ascii(_ parts: [Part]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .anything: bytes.append(anything)
            case .anyCharacter: bytes.append(anyCharacter)
            case .character(let character):
                guard character.utf8.count == 1, let byte = character.utf8.first else { return nil }
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Goes through the text once; after a mismatch it goes on behind the last `*`, which takes one element more.
    private static func matches<Element, Part>(
        _ text: [Element],
        _ parts: [Part],
        isAnything: (Part) -> Bool,
        fits: (Element, Part) -> Bool
    ) -> Bool {
        var (position, part) = (0, 0)
        var retry: (position: Int, part: Int)?
        while position < text.count {
            if part < parts.count, isAnything(parts[part]) {
                part += 1
                retry = (position, part)
            } else if part < parts.count, fits(text[position], parts[part]) {
                position += 1
                part += 1
            } else if let last = retry {
                position = last.position + 1
                part = last.part
                retry = (position, part)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy(isAnything)
    }
}
