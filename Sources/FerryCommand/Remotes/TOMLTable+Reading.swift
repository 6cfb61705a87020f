import FerryCore
import Foundation
import TOMLKit

extension TOMLTable {
    /// Reads a file's text.
    ///
    /// - Parameters:
    ///   - text: TOML.
    ///   - path: The file, for errors.
    /// - Returns: The table.
    /// - Throws: `CocoaError` that names the file and the line of the mistake.
    static func read(_ text: String, path: String) throws -> TOMLTable {
        guard !text.utf8.contains(0) else {
            throw CocoaError.location(path, "not a text", "correct it, or move it away")
        }
        do {
            return try TOMLTable(string: text.withoutByteOrderMark)
        } catch let error as TOMLParseError {
            throw CocoaError.location(
                "\(path):\(error.source.begin.line)",
                "not valid TOML (\(error.description))",
                "correct the line, or move the file away"
            )
        }
    }
}
