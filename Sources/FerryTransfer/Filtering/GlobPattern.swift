public import FerryCore

/// One line of a list of what to leave out, with the meaning that it has for git (gitignore(5)).
///
/// - `*` is any text without a `/`, `?` one character but `/`, `[a-z]` and `[!a-z]` one of several, `\` takes the next
///   character as it is. A component that is `**` is any number of folders, none included.
/// - In brackets `[:alpha:]` and the other classes of POSIX mean characters of ASCII.
/// - An incomplete pattern, such as `[a` or a `\` at the end, matches nothing.
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

    /// Indicates whether it takes back what an earlier pattern said.
    public let isNegated: Bool

    /// Indicates whether it is about folders only.
    public let isForFolders: Bool

    /// `nil` if the line is not complete: then it is about nothing.
    private let components: [Component]?

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
        guard let names = Self.components(of: rest) else {
            components = nil
            return
        }
        guard !names.isEmpty else { return nil }
        components = isAnchored ? names : [.anyFolders] + names
    }

    /// Returns whether an item is meant.
    ///
    /// - Parameters:
    ///   - path: The item's path, from the top to which the pattern is relative.
    ///   - isFolder: `true` if it is a folder.
    /// - Returns: `true` if the pattern is about it, negated or not.
    public func matches(_ path: ItemPath, isFolder: Bool) -> Bool {
        guard let components, isFolder || !isForFolders else { return false }
        let names = path.components.map { NameEscape.name(ofComponent: $0) }
        // The match of a pattern's rest depends on the two positions only: each pair is looked at once.
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

    // MARK: Reading

    /// Takes a line apart, at each slash that is not in brackets.
    ///
    /// - Parameter text: The line.
    /// - Returns: Its components; `nil` if it is not complete.
    private static func components(of text: Substring) -> [Component]? {
        var components: [Component] = []
        var parts: [Part] = []
        var rest = text.unicodeScalars[...]
        var start = rest.startIndex
        func end() {
            let raw = text.unicodeScalars[start..<rest.startIndex]
            if raw.elementsEqual("**".unicodeScalars) {
                components.append(.anyFolders)
            } else if !parts.isEmpty {
                components.append(.name(parts))
            }
            parts = []
        }
        while let scalar = rest.first {
            if scalar == "/" {
                end()
                rest.removeFirst()
                start = rest.startIndex
                continue
            }
            rest.removeFirst()
            switch scalar {
            case "*":
                if parts.last != .anyText { parts.append(.anyText) }
            case "?": parts.append(.anyCharacter)
            case "[":
                guard let set = oneOf(&rest) else { return nil }
                parts.append(set)
            case "\\":
                guard let next = rest.first else { return nil }
                // A slash is one however it is written.
                if next == "/" { continue }
                rest.removeFirst()
                append(next, to: &parts)
            default: append(scalar, to: &parts)
            }
        }
        end()
        return components
    }

    private static func append(_ scalar: Unicode.Scalar, to parts: inout [Part]) {
        parts += UTF8.encode(scalar).map { $0.map(Part.text) } ?? []
    }

    /// Returns what follows a `[`; `nil` if there is no `]`, or a class that nobody knows.
    private static func oneOf(_ rest: inout Substring.UnicodeScalarView) -> Part? {
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return .oneOf(ranges, isNegated: isNegated) }
            isFirst = false
            if scalar == "[", rest.first == ":", let name = className(&rest) {
                guard let members = classes[name] else { return nil }
                ranges += members
                continue
            }
            guard let low = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
            var afterDash = rest
            if afterDash.popFirst() == "-", let high = afterDash.popFirst(), high != "]" {
                guard let end = high == "\\" ? afterDash.popFirst() : high else { return nil }
                ranges.append(low...max(low, end))
                rest = afterDash
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// Returns what stands between `[:` and `:]`; `nil`, and nothing taken, if it doesn't end like that before the next
    /// `]`.
    private static func className(_ rest: inout Substring.UnicodeScalarView) -> String? {
        guard let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[..<end].dropFirst()
        guard inside.last == ":" else { return nil }
        rest = rest[rest.index(after: end)...]
        return String(inside.dropLast())
    }

    /// As git has them.
    private static let classes: [String: [ClosedRange<Unicode.Scalar>]] = [
        "alnum": ["0"..."9", "A"..."Z", "a"..."z"],
        "alpha": ["A"..."Z", "a"..."z"],
        "blank": [" "..." ", "\t"..."\t"],
        "cntrl": ["\0"..."\u{1F}", "\u{7F}"..."\u{7F}"],
        "digit": ["0"..."9"],
        "graph": ["!"..."~"],
        "lower": ["a"..."z"],
        "print": [" "..."~"],
        "punct": ["!"..."/", ":"..."@", "["..."`", "{"..."~"],
        "space": [" "..." ", "\t"..."\n", "\r"..."\r"],
        "upper": ["A"..."Z"],
        "xdigit": ["0"..."9", "A"..."F", "a"..."f"],
    ]

    // MARK: One name

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
