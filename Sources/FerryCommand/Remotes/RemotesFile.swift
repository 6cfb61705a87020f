import FerryCore
import Foundation
import TOMLKit

/// The text of `remotes.toml`: a table for each remote.
///
/// ```toml
/// [work]
/// type = "example"
/// url = "https://files.example.org/dav/"
/// user = "alice"
/// id = "0a4e5c1e-1f0e-4f3a-9d5b-5f0f8a3f8b57"
/// cache = false
/// undo = false
///
/// [work.options]
/// authentication = "digest"
/// ```
///
/// Keys that it does not know stay in it when a remote is added or removed; comments don't.
struct RemotesFile {
    private static let header = """
        # The remotes of ferry: see 'ferry remote --help'. Edit it as you like; comments are lost when ferry changes it.
        # No password is in here.

        """

    private let table: TOMLTable
    private let path: String

    /// Reads the text.
    ///
    /// - Parameters:
    ///   - text: TOML; empty for no remotes.
    ///   - path: Where it stands, for errors.
    /// - Throws: `CocoaError` that names the file and the line of the mistake.
    init(_ text: String, path: String) throws {
        self.path = path
        table = try TOMLTable.read(text, path: path)
    }

    /// The remotes' names, sorted.
    var names: [String] { table.keys.sorted() }

    /// A remote.
    ///
    /// - Parameter name: Its name.
    /// - Returns: The remote, or `nil` if there is none of that name.
    /// - Throws: `CocoaError` when its table does not say what it must.
    func remote(named name: String) throws -> Remote? {
        guard let value = table[name] else { return nil }
        guard let entry = value.table else { throw problem(name, "is no table") }
        guard let type = entry["type"]?.string else { throw problem(name, "has no type") }
        var url: URL?
        if let value = entry["url"] {
            guard let text = value.string, let parsed = URL(written: text) else {
                throw problem(name, "has no valid url")
            }
            url = parsed
        }
        var options: [String: String] = [:]
        if let table = entry["options"]?.table {
            for key in table.keys {
                guard let value = table[key], let text = Self.text(value) else {
                    throw problem(name, "has an option '\(key)' that is neither text, number nor true or false")
                }
                options[key] = text
            }
        }
        let user = entry["user"]?.string
        let cache = entry["cache"]
        if cache != nil, cache?.bool == nil { throw problem(name, "has a cache that is neither true nor false") }
        let undo = entry["undo"]
        if undo != nil, undo?.bool == nil { throw problem(name, "has an undo that is neither true nor false") }
        return Remote(
            name: name,
            configuration: ProviderConfiguration(type: type, baseURL: url, user: user, options: options),
            // One that a person has written needs none, as long as it keeps its name.
            id: entry["id"]?.string ?? name,
            isCached: cache?.bool ?? true,
            isUndoable: undo?.bool ?? true
        )
    }

    /// Adds a remote, or changes the one of that name; keys that are not ours stay.
    func set(_ remote: Remote) {
        let entry = table[remote.name]?.table ?? TOMLTable()
        let configuration = remote.configuration
        let texts = [
            ("type", configuration.type), ("url", configuration.baseURL?.absoluteString), ("user", configuration.user),
            ("id", remote.id == remote.name ? nil : remote.id),
        ]
        for (key, text) in texts {
            entry.remove(at: key)
            if let text { entry[key] = text }
        }
        // Only what isn't usual is written.
        entry.remove(at: "cache")
        if !remote.isCached { entry["cache"] = false }
        entry.remove(at: "undo")
        if !remote.isUndoable { entry["undo"] = false }
        entry.remove(at: "options")
        if !configuration.options.isEmpty {
            entry["options"] = TOMLTable(configuration.options.mapValues { $0 as any TOMLValueConvertible })
        }
        if table[remote.name]?.table == nil {
            table.remove(at: remote.name)
            table[remote.name] = entry
        }
    }

    /// Removes a remote, if there is one.
    func remove(_ name: String) {
        table.remove(at: name)
    }

    /// Gives a remote another name; all that is in its table stays.
    func rename(_ name: String, to newName: String) {
        // Its secrets went by its name.
        if let entry = table[name]?.table, entry["id"]?.string == nil { entry["id"] = name }
        guard let entry = table.remove(at: name) else { return }
        table[newName] = entry
    }

    /// The text to write.
    var text: String {
        Self.header + "\n" + table.convert(options: [.allowLiteralStrings, .allowUnicodeStrings]) + "\n"
    }

    private func problem(_ name: String, _ words: String) -> CocoaError {
        .location(path, "the remote '\(name)' \(words)", "correct it, or remove it with 'ferry remote remove \(name)'")
    }

    private static func text(_ value: any TOMLValueConvertible) -> String? {
        if let text = value.string { return text }
        if let number = value.int { return String(number) }
        return value.bool.map { $0 ? "true" : "false" }
    }
}
