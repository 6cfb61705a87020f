import FerryCore
import Foundation
import TOMLKit

/// A person's preferences for the cache: `config.toml` in the folder of ferry's configuration.
///
/// ```toml
/// [cache]
/// limit = "5G"
/// ```
struct CachePreferences: Hashable, Sendable {
    /// Bytes that may be kept on the disk, 0 for nothing; `nil` if nothing is said.
    var limit: Int64?

    /// Reads the file.
    ///
    /// - Parameter folders: Where a person's programs keep their things.
    /// - Returns: The settings; none if there is no such file.
    /// - Throws: `CocoaError` that names the file, and what is wrong with it.
    static func read(_ folders: UserFolders) throws -> CachePreferences {
        let file = PrivateFile(path: folders.settings)
        guard let bytes = try file.read() else { return CachePreferences() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CocoaError.location(file.path, "not UTF-8", "correct it, or move it away")
        }
        return try CachePreferences(text, path: file.path)
    }

    /// No settings.
    init() {}

    /// Reads the text.
    ///
    /// - Parameters:
    ///   - text: TOML.
    ///   - path: Where it stands, for errors.
    /// - Throws: `CocoaError` that names the file and what is wrong.
    init(_ text: String, path: String) throws {
        let table = try TOMLTable.read(text, path: path)
        guard let cache = table["cache"] else { return }
        guard let entry = cache.table else {
            throw CocoaError.location(path, "'cache' is no table", "begin it with [cache]")
        }
        guard let value = entry["limit"] else { return }
        guard let bytes = value.int.map(Int64.init) ?? value.string.flatMap(ByteSize.init(argument:))?.bytes, bytes >= 0
        else {
            throw CocoaError.location(path, "the cache's limit is no number of bytes", "write it as in limit = \"5G\"")
        }
        limit = bytes
    }
}
