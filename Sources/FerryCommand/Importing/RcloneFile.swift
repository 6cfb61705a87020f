import FerryCore
import Foundation

/// The sections of an `rclone.conf`: INI, with `key = value` on a line.
struct RcloneFile {
    /// One remote of rclone's.
    struct Section {
        /// The name.
        let name: String

        /// The values that are set in it.
        var values: [String: String] = [:]
    }

    /// The remotes in the order of the file.
    private(set) var sections: [Section] = []

    /// Reads the text.
    ///
    /// - Parameters:
    ///   - text: All of the file.
    ///   - path: Where it stands, for errors.
    /// - Throws: `CocoaError` for a file that is encrypted, or no `rclone.conf`.
    init(_ text: String, path: String) throws {
        for (index, line) in text.withoutByteOrderMark.split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        ).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("RCLONE_ENCRYPT_V") {
                throw CocoaError.location(
                    path,
                    "the file is encrypted",
                    "write it in plain with 'rclone config encryption remove', or 'rclone config show'"
                )
            }
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                sections.append(Section(name: String(line.dropFirst().dropLast())))
                continue
            }
            guard let equals = line.firstIndex(of: "="), !sections.isEmpty else {
                throw CocoaError.location("\(path):\(index + 1)", "not a line of an rclone.conf", "correct it")
            }
            let key = line[..<equals].trimmingCharacters(in: .whitespaces)
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            sections[sections.count - 1].values[key] = value
        }
    }
}
