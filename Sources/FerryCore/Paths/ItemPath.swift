import Foundation

/// The place of an item on a storage: a path of names from the root, or from an identifier that the storage gave out.
///
/// Paths are `/`-separated and normalised: no empty component, no `.`, no `..`, no trailing slash; the root is `/`.
/// Two paths are equal when their bytes are: `é` as one scalar and as two are different names, as they are on most
/// storages (Swift's own `String` comparison would call them equal).
///
/// ```swift
/// let inbox: ItemPath = "/mail/inbox"
/// let report = inbox.appending("report 50%.pdf")   // a name is data, it is encoded once, at the wire
/// ```
///
/// A string that starts with `id:` or `rev:` addresses by identifier: `ItemPath("id:abcd1234")`. Names below an
/// identifier are those of what is in that folder: `id:abcd1234/report.txt`. An item that is really *named* `id:x` has
/// the path `/id:x`.
///
/// A name may hold anything: bytes that can't stand in a path (`/`, NUL, what is not UTF-8) are kept as
/// ``NameEscape`` says, so that ``lastName`` gives back what ``appending(_:)`` took.
public struct ItemPath: Sendable {
    /// The path as text: `/`, `/a/b`, `id:abcd1234`, `id:abcd1234/a/b` or `rev:abcd1234`.
    public let string: String

    private init(unchecked string: String) {
        self.string = string
    }

    /// The top of the storage.
    public static let root = ItemPath(unchecked: "/")

    /// Reads a path that a person or a program wrote.
    ///
    /// A missing leading slash is added, `.` and empty components are dropped and `..` goes up.
    ///
    /// - Parameter text: A path such as `/a/b`, `a/b`, `id:abcd1234`, `id:abcd1234/a/b`.
    /// - Throws: `CocoaError.fileReadInvalidFileName` when `..` would climb out of the root or of the folder with the
    ///   identifier, when the text holds a NUL, or when an identifier is empty.
    public init(parsing text: String) throws {
        guard let path = ItemPath(normalising: text, clampsAtRoot: false) else {
            throw CocoaError.invalidPath(text)
        }
        self = path
    }

    /// The item that a storage knows by an identifier of its own, whatever its name and place.
    ///
    /// - Parameter identifier: As the storage gave it; the empty identifier addresses the root. A slash in it is kept as
    ///   ``NameEscape`` says.
    public init(identifier: String) {
        self.init(unchecked: identifier.isEmpty ? "/" : "id:" + NameEscape.component(ofName: identifier))
    }

    /// One revision of an item's content, by the storage's own name for it.
    ///
    /// - Parameter revision: As the storage gave it; the empty revision addresses the root.
    public init(revision: String) {
        self.init(unchecked: revision.isEmpty ? "/" : "rev:" + NameEscape.component(ofName: revision))
    }

    private init?(normalising text: String, clampsAtRoot: Bool) {
        for scheme in ["id:", "rev:"] where text.utf8.starts(with: scheme.utf8) {
            self.init(normalising: text, after: scheme, clampsAtRoot: clampsAtRoot)
            return
        }
        if Self.isNormal(text) {
            self.init(unchecked: text)
            return
        }
        var components: [Substring] = []
        for component in text.utf8.split(separator: UInt8(ascii: "/")) {
            switch Substring(component) {
            case ".": continue
            case "..":
                guard !components.isEmpty || clampsAtRoot else { return nil }
                _ = components.popLast()
            case let name: components.append(name)
            }
        }
        guard !text.utf8.contains(0) else { return nil }
        self.init(unchecked: components.isEmpty ? "/" : components.reduce(into: "") { $0 += "/" + $1 })
    }

    private init?(normalising text: String, after scheme: String, clampsAtRoot: Bool) {
        let start = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard start.count > scheme.utf8.count, !text.utf8.contains(0) else { return nil }
        let rest = text.utf8[start.endIndex...]
        guard let names = ItemPath(normalising: String(Substring(rest)), clampsAtRoot: clampsAtRoot) else { return nil }
        self.init(unchecked: String(Substring(start)) + (names.isRoot ? "" : names.string))
    }

    /// Returns whether the text already is a normal absolute path: the common case, which then costs no copy.
    private static func isNormal(_ text: String) -> Bool {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.first == slash else { return false }
            if bytes.count == 1 { return true }
            var start = 1
            for index in 1...bytes.count {
                guard index == bytes.count || bytes[index] == slash else {
                    if bytes[index] == 0 { return false }
                    continue
                }
                switch index - start {
                case 0: return false
                case 1 where bytes[start] == dot: return false
                case 2 where bytes[start] == dot && bytes[start + 1] == dot: return false
                default: start = index + 1
                }
            }
            return true
        }
    }
}

// MARK: - Taking apart

extension ItemPath {
    /// Indicates whether this is the top of the storage.
    public var isRoot: Bool { string.utf8.count == 1 }

    /// The identifier of an `id:` path without names below it, else `nil`.
    public var identifier: String? { isIdentifier ? leadingIdentifier : nil }

    /// The identifier that an `id:` path begins with, whether or not names follow; `nil` for other paths.
    public var leadingIdentifier: String? { start(after: "id:") }

    /// The revision of a `rev:` path, else `nil`.
    public var revision: String? { isIdentifier ? start(after: "rev:") : nil }

    /// Indicates whether the path addresses an item by its identifier or revision alone, without names.
    public var isIdentifier: Bool { beginsWithIdentifier && !string.utf8.contains(UInt8(ascii: "/")) }

    /// Indicates whether the path begins with an identifier or revision instead of the root, also if names follow.
    ///
    /// Such a path doesn't say in which folders the item is.
    public var beginsWithIdentifier: Bool { string.utf8.first != UInt8(ascii: "/") }

    private func start(after scheme: String) -> String? {
        // By bytes: a combining mark behind the colon is one character with it.
        guard string.utf8.starts(with: scheme.utf8) else { return nil }
        let text = string.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
        return NameEscape.name(ofComponent: Substring(text))
    }

    /// The names from the top, or from the identifier, down, escaped as they stand in the path; none for the root and
    /// for an identifier alone.
    public var components: [Substring] {
        let parts = string.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        return beginsWithIdentifier ? Array(parts.dropFirst()) : parts
    }

    /// The last component, escaped as it stands in the path; empty for the root and for identifiers.
    public var lastComponent: Substring {
        guard !isIdentifier, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return string[string.utf8.index(after: slash)...]
    }

    /// The name that the last component stands for, slashes included; empty for the root and for identifiers.
    ///
    /// A storage may show an item under another name than its path's: prefer ``FileObject/name`` where there is one.
    public var lastName: String { NameEscape.name(ofComponent: lastComponent) }

    /// The part of the name after its last dot, in the case it was written; empty if there is none.
    ///
    /// A leading dot does not begin an extension: `.profile` has none.
    public var pathExtension: String { NameEscape.pathExtension(of: lastName) }

    /// The folder that holds the item; the root's parent is the root, and so is the parent of an identifier alone.
    public var parent: ItemPath {
        guard !isIdentifier, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")), slash != string.startIndex else {
            return .root
        }
        return ItemPath(unchecked: String(string[..<slash]))
    }
}

// MARK: - Putting together

extension ItemPath {
    /// The item called `name` in this folder.
    ///
    /// The name is data: a slash in it, or a whole name `..`, stays part of the name (see ``NameEscape``).
    ///
    /// - Parameter name: The name as the storage shows it. An empty name gives the path itself.
    /// - Returns: A path with one component more.
    @specialized(where Name == String)
    @specialized(where Name == Substring)
    public func appending<Name: StringProtocol>(_ name: Name) -> ItemPath {
        name.isEmpty ? self : appending(component: NameEscape.component(ofName: name))
    }

    /// The item at a relative path below this folder; `..` stays inside.
    ///
    /// - Parameter path: A path whose components are appended.
    /// - Returns: The joined path.
    public func appending(path: ItemPath) -> ItemPath {
        if path.isRoot { return self }
        if path.beginsWithIdentifier { return path.components.reduce(self) { $0.appending(component: $1) } }
        return isRoot ? path : ItemPath(unchecked: string + path.string)
    }

    /// Appends a component that is known to be escaped and neither empty nor `.` or `..`.
    package func appending(component: some StringProtocol) -> ItemPath {
        var joined = string
        joined.reserveCapacity(string.utf8.count + component.utf8.count + 1)
        if !isRoot { joined += "/" }
        joined += component
        return ItemPath(unchecked: joined)
    }

    /// Returns whether this path is below a folder; nothing is below itself.
    ///
    /// - Parameter folder: The folder that may hold the item, at any depth.
    /// - Returns: `true` when every component of `folder` begins this path, and more follow. A path that begins with an
    ///   identifier is below that identifier only, not below the root.
    public func isBelow(_ folder: ItemPath) -> Bool {
        if folder.isRoot { return !isRoot && !beginsWithIdentifier }
        let own = string.utf8
        let count = folder.string.utf8.count
        return own.count > count && own[own.index(own.startIndex, offsetBy: count)] == UInt8(ascii: "/")
            && own.starts(with: folder.string.utf8)
    }

    /// The same path as seen from a folder above it.
    ///
    /// - Parameter folder: The folder to count from.
    /// - Returns: The rest as a path of its own (the root for the folder itself), or `nil` if it is not below.
    public func relative(to folder: ItemPath) -> ItemPath? {
        if self == folder { return .root }
        guard isBelow(folder) else { return nil }
        if folder.isRoot { return self }
        return ItemPath(unchecked: String(string.utf8.dropFirst(folder.string.utf8.count)) ?? "/")
    }

    /// Returns the item's path once a folder above it (or the item itself) has moved.
    ///
    /// - Parameters:
    ///   - folder: Where the folder was.
    ///   - target: Where the folder is now.
    /// - Returns: The new path; the same one if it is not below `folder`.
    public func replacing(_ folder: ItemPath, with target: ItemPath) -> ItemPath {
        guard let rest = relative(to: folder) else { return self }
        return target.appending(path: rest)
    }
}

// MARK: - Conformances

extension ItemPath: Hashable, Comparable {
    /// Compares byte by byte: names that only look alike are different.
    public static func == (first: ItemPath, second: ItemPath) -> Bool {
        first.string.hasSameBytes(as: second.string)
    }

    /// Orders component by component, by bytes, so that a folder stands right before what is below it.
    public static func < (first: ItemPath, second: ItemPath) -> Bool {
        let slash = UInt8(ascii: "/")
        return first.string.utf8.lexicographicallyPrecedes(second.string.utf8) { left, right in
            left != right && (left == slash || (right != slash && left < right))
        }
    }

    /// Feeds the path's bytes.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ItemPath: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a path from text in the source code; `..` stops at the root.
    ///
    /// - Parameter value: The literal. A NUL in it, or an empty identifier, is a programmer's error.
    public init(stringLiteral value: String) {
        guard let path = ItemPath(normalising: value, clampsAtRoot: true) else {
            preconditionFailure("not a path: \(value.debugDescription)")
        }
        self = path
    }
}

extension ItemPath: LosslessStringConvertible {
    /// Reads a path; `nil` where ``init(parsing:)`` would throw.
    ///
    /// - Parameter description: The text of a path.
    public init?(_ description: String) {
        self.init(normalising: description, clampsAtRoot: false)
    }

    /// The path as text.
    public var description: String { string }
}

extension ItemPath: Codable {
    /// Reads a path from a single string.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError.dataCorrupted` when the string is not a path.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let path = ItemPath(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a path: \(text)")
        }
        self = path
    }

    /// Writes the path as a single string.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}
