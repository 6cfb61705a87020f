public import FerryCore

/// One line of a list of what to leave out, with the meaning that it has for git (gitignore(5)).
///
/// - `*` is any text without a `/`, `?` one character but `/`, `[a-z]` and `[!a-z]` one of several, `\` takes the next
///   character as it is. A component that is `**` is any number of folders, none included.
/// - With a `/` at its beginning or in its middle a pattern is about the path from the top; without, about the name
///   in any folder.
/// - With a `/` at its end it is about folders only.
/// - With a `!` at its beginning it takes back what an earlier one said.
///
/// Comparing takes time bounded by (length of the path × length of the pattern).
public struct GlobPattern: Sendable, Hashable {
    /// A part of a component.
    private enum Part: Sendable, Hashable {
        case text(UInt8)
        case anyText
        case anyCharacter
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    private enum Component: Sendable, Hashable {
        case anyFolders
        case name([Part])
    }

    /// The line, as it was written.
    public let text: String

    /// Whether it takes back what an earlier pattern said.
    public let isNegated: Bool

    /// Whether it is about folders only.
    public let isForFolders: Bool

    private let components: [Component]

    /// Reads a line.
    ///
    /// It fails for an empty line, and for one that begins with `#`.
    ///
    /// - Parameter line: The line, without its end.
    public init?(_ line: some StringProtocol) {
        var rest = Substring(line)
        while rest.last == " ", !rest.hasSuffix("\\ ") { rest.removeLast() }
        guard let first = rest.first, first != "#" else { return nil }
        text = String(rest)
        isNegated = first == "!"
        if isNegated { rest.removeFirst() }
        isForFolders = rest.last == "/"
        if isForFolders { rest.removeLast() }
        let isAnchored = rest.contains("/")
        let names = rest.split(separator: "/").map { name in
            name == "**" ? Component.anyFolders : .name(Self.parts(of: name))
        }
        guard !names.isEmpty else { return nil }
        components = isAnchored ? names : [.anyFolders] + names
    }

    /// Whether an item is meant.
    ///
    /// - Parameters:
    ///   - path: The item's path, from the top to which the pattern is relative.
    ///   - isFolder: Whether it is a folder.
    /// - Returns: Whether the pattern is about it, negated or not.
    public func matches(_ path: ItemPath, isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        let names = path.components.map { NameEscape.name(ofComponent: $0) }
        // What a pattern's rest matches depends on the two positions only: each pair is looked at once.
        var reachable: Set<Int> = [0]
        for (index, component) in components.enumerated() {
            switch component {
            case .anyFolders:
                guard let least = reachable.min() else { return false }
                // At the end it means all that is in a folder, not the folder itself.
                let isLast = index == components.count - 1
                reachable = Set((isLast ? least + 1 : least)..<(max(names.count, least) + 1))
            case .name(let parts):
                reachable = Set(
                    reachable.lazy.filter { $0 < names.count && Self.matches(names[$0], parts) }.map { $0 + 1 }
                )
            }
            if reachable.isEmpty { return false }
        }
        return reachable.contains(names.count)
    }

    // MARK: One name

    private static func parts(of name: Substring) -> [Part] {
        var parts: [Part] = []
        var rest = name.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*":
                if parts.last != .anyText { parts.append(.anyText) }
            case "?": parts.append(.anyCharacter)
            case "[":
                if let set = oneOf(&rest) { parts.append(set) } else { append("[", to: &parts) }
            case "\\": append(rest.popFirst() ?? "\\", to: &parts)
            default: append(scalar, to: &parts)
            }
        }
        return parts
    }

    private static func append(_ scalar: Unicode.Scalar, to parts: inout [Part]) {
        parts += UTF8.encode(scalar).map { $0.map(Part.text) } ?? []
    }

    /// What follows a `[`; `nil`, and nothing taken, if there is no `]`.
    private static func oneOf(_ rest: inout Substring.UnicodeScalarView) -> Part? {
        var inside = rest
        let isNegated = inside.first == "!" || inside.first == "^"
        if isNegated { inside.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isFirst = true
        while let scalar = inside.popFirst() {
            if scalar == "]", !isFirst {
                rest = inside
                return .oneOf(ranges, isNegated: isNegated)
            }
            isFirst = false
            let low = scalar == "\\" ? inside.popFirst() ?? scalar : scalar
            var afterDash = inside
            if afterDash.popFirst() == "-", let high = afterDash.popFirst(), high != "]" {
                let end = high == "\\" ? afterDash.popFirst() ?? high : high
                if low <= end { ranges.append(low...end) }
                inside = afterDash
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    private static func matches(_ name: String, _ parts: [Part]) -> Bool {
        let bytes = Array(name.utf8)
        var (byte, part) = (0, 0)
        // Where to go on if what follows the last `*` doesn't fit: it then takes one more character.
        var retry: (byte: Int, part: Int)?
        while true {
            if part < parts.count, case .anyText = parts[part] {
                part += 1
                retry = (byte, part)
                continue
            }
            if part == parts.count, byte == bytes.count { return true }
            if part < parts.count, let length = length(of: parts[part], at: byte, in: bytes) {
                byte += length
                part += 1
                continue
            }
            guard let last = retry, last.byte < bytes.count else { return false }
            byte = last.byte + characterLength(at: last.byte, in: bytes)
            part = last.part
            retry = (byte, part)
        }
    }

    /// Bytes that a part takes up; `nil` if it doesn't fit.
    private static func length(of part: Part, at index: Int, in bytes: [UInt8]) -> Int? {
        guard index < bytes.count else { return nil }
        let length = characterLength(at: index, in: bytes)
        switch part {
        case .text(let byte): return bytes[index] == byte ? 1 : nil
        case .anyCharacter: return length
        case .anyText: return 0
        case .oneOf(let ranges, let isNegated):
            let text = String(decoding: bytes[index..<index + length], as: UTF8.self)
            guard let scalar = text.unicodeScalars.first else { return nil }
            return ranges.contains { $0.contains(scalar) } == isNegated ? nil : length
        }
    }

    private static func characterLength(at index: Int, in bytes: [UInt8]) -> Int {
        let length =
            switch bytes[index] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        return min(length, bytes.count - index)
    }
}
