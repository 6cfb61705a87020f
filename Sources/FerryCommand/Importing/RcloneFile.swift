import FerryCore
import FerryCrypto
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

/// Passwords as they stand in an `rclone.conf`: hidden from a glance over the shoulder, not encrypted.
///
/// AES-256 in counter mode with a key that everybody knows (rclone's `fs/config/obscure`), the 16 bytes of the
/// counter's start first, all in base64 for URLs without padding (RFC 4648 §5).
enum RcloneObscured {
    private static let key: [UInt8] = [
        0x9C, 0x93, 0x5B, 0x48, 0x73, 0x0A, 0x55, 0x4D, 0x6B, 0xFD, 0x7C, 0x63, 0xC8, 0x86, 0xA9, 0x2B,
        0xD3, 0x90, 0x19, 0x8E, 0xB8, 0x12, 0x8A, 0xFB, 0xF4, 0xDE, 0x16, 0x2B, 0x8B, 0x95, 0xF6, 0x38,
    ]

    /// The password itself.
    ///
    /// - Parameter text: The obscured password as the file has it.
    /// - Returns: The password, or `nil` if the text is none that rclone would write.
    static func reveal(_ text: String) -> String? {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: standard + padding), bytes.count > 16,
            let plain = AES256CTR.apply(to: [UInt8](bytes.dropFirst(16)), key: key, counter: [UInt8](bytes.prefix(16)))
        else { return nil }
        return String(validating: plain, as: UTF8.self)
    }
}
