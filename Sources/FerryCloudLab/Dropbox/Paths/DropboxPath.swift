import Foundation

/// A place that a request names: a path below the root, a namespace or an item; or a revision.
enum DropboxPath: Sendable {
    case path([String], namespace: Int?)
    case id(CloudItem.ID, rest: [String])
    case revision(Int)
}

extension DropboxPath {
    /// The longest name, in characters.
    private static let maximumName = 255

    /// The names of files that the service never stores.
    private static let disallowedNames: Set<String> = [
        "desktop.ini", "thumbs.db", ".ds_store", "icon\r", ".dropbox", ".dropbox.attr", ".dropbox.cache",
    ]

    /// Reads a path that has the form of the description.
    ///
    /// - Parameter text: The path.
    /// - Throws: The tag `malformed_path`, or `not_found` for an id or a revision that can't exist.
    init(_ text: String) throws(DropboxTag) {
        if text.hasPrefix("rev:") {
            guard let number = Self.version(String(text.dropFirst(4))) else { throw DropboxTag("not_found") }
            self = .revision(number)
        } else if text.hasPrefix("id:") {
            let id = text.prefix { $0 != "/" }
            guard let number = Self.itemID(String(id)) else { throw DropboxTag("not_found") }
            self = .id(number, rest: try Self.names(text.dropFirst(id.count)))
        } else if text.hasPrefix("ns:") {
            let namespace = text.dropFirst(3).prefix { $0 != "/" }
            guard let number = Int(namespace) else { throw DropboxTag("not_found") }
            self = .path(try Self.names(text.dropFirst(3 + namespace.count)), namespace: number)
        } else {
            self = .path(try Self.names(Substring(text)), namespace: nil)
        }
    }

    private static func names(_ text: Substring) throws(DropboxTag) -> [String] {
        guard !text.isEmpty else { return [] }
        // rclone writes `//name` for what lies in the root, and the service takes it.
        let relative = text.hasPrefix("//") ? text.drop { $0 == "/" } : text.dropFirst()
        let names = relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for name in names where !isWellFormed(name) { throw .malformedPath }
        return names
    }

    private static func isWellFormed(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.count <= maximumName && name.last != " "
            && !name.unicodeScalars.contains { $0 == "\\" || $0.value == 0x7F || $0.value == 0 }
    }

    /// Returns `true` if the service stores files of this name.
    static func isAllowed(_ name: String) -> Bool { !disallowedNames.contains(name.lowercased()) }

    // The numbers of the storage, in the form of the service.

    static func text(id: CloudItem.ID) -> String {
        let digits = String(id, radix: 36, uppercase: true)
        return "id:FerryLab" + String(repeating: "A", count: max(0, 14 - digits.count - 1)) + "_" + digits
    }

    static func itemID(_ text: String) -> CloudItem.ID? {
        guard text.hasPrefix("id:FerryLab"), let separator = text.lastIndex(of: "_") else { return nil }
        guard let number = Int(text[text.index(after: separator)...], radix: 36) else { return nil }
        return self.text(id: number) == text ? number : nil
    }

    static func text(version: Int) -> String { String(0x5_0000_0000_0000 + version, radix: 16) }

    static func version(_ text: String) -> Int? {
        guard let number = Int(text, radix: 16), number > 0x5_0000_0000_0000 else { return nil }
        return number - 0x5_0000_0000_0000
    }
}
