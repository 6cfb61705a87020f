import FerryCore
import Foundation

/// Paths as the API writes them.
enum DropboxPath {
    /// The encoding of characters that Dropbox does not take in names, which is rclone's too.
    static let encoding = NameEncoding(
        forbidding: "/\\\0\u{7F}",
        trailing: " ",
        reserving: [".", ".."],
        reservesStems: false
    )

    /// Returns the reason why a name is too long.
    ///
    /// See <https://help.dropbox.com/organize/file-names>.
    ///
    /// - Parameter path: The item.
    /// - Returns: `nil` for a name of a length that Dropbox takes.
    static func excess(of path: ItemPath) -> String? {
        let length = path.lastName.utf8.count
        return length > 255 ? "the name has \(length) bytes, and Dropbox takes 255 at most" : nil
    }

    /// Returns a path as the API takes it.
    ///
    /// - Parameter path: The path of an item, also below an identifier, or its identifier or revision.
    /// - Returns: The empty text for the root.
    static func text(_ path: ItemPath) -> String {
        if path.isRoot { return "" }
        if path.isIdentifier { return path.string }
        let start = path.beginsWithIdentifier ? path.string.utf8.prefix { $0 != UInt8(ascii: "/") } : "".utf8[...]
        return path.components.reduce(into: String(Substring(start))) {
            $0 += "/" + encoding.encode(NameEscape.name(ofComponent: $1))
        }
    }

    /// Refuses a revision that none can have, which the server would not understand.
    ///
    /// - Parameter path: The path of an item, or its identifier or revision.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    static func checkAddress(_ path: ItemPath) throws {
        guard path.beginsWithIdentifier, path.leadingIdentifier == nil else { return }
        // Nothing is below a revision.
        guard let rev = path.revision, DropboxCommit.isRevision(rev) else { throw CocoaError.noSuchItem(path) }
    }

    /// Reads a path of the server.
    ///
    /// - Parameter text: Such as `path_display`.
    /// - Returns: The path; `nil` for what is none.
    static func path(_ text: String) -> ItemPath? {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        return text.split(separator: "/").reduce(ItemPath.root) { $0.appending(name(String($1))) }
    }

    /// Returns the name to show for a name of the server.
    ///
    /// - Parameter name: The name as the server has it.
    /// - Returns: The name.
    static func name(_ name: String) -> String { encoding.decode(name) }

    /// Returns the folder of a path that is in the form that is the same for any spelling.
    ///
    /// - Parameter key: The path in that form.
    /// - Returns: Its folder in that form; the empty text for the root.
    static func parent(ofKey key: String) -> String {
        key.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(key[..<$0]) } ?? ""
    }

    /// Returns the text by which the same item is known in any spelling.
    ///
    /// - Parameter path: The path.
    /// - Returns: In lower case, composed.
    static func key(_ path: ItemPath) -> String { key(text(path)) }

    /// Returns the text by which the same item is known in any spelling.
    ///
    /// - Parameter text: A path of the server.
    /// - Returns: In lower case, composed.
    static func key(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.lowercased() : text.precomposedStringWithCanonicalMapping.lowercased()
    }
}
