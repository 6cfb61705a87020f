import FerryCore
import Foundation

/// One line that is sent on the control connection.
///
/// It can't hold a line's end: a name with one in it would be a second command (CWE-93).
struct FTPCommand: Sendable, Hashable {
    /// The bytes that are sent, without the line's end.
    let bytes: [UInt8]

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - verb: The command and what else is known to hold no line's end.
    ///   - argument: The argument after a space; `nil` for none.
    /// - Throws: `CocoaError.fileWriteInvalidFileName` for CR, LF or NUL in the argument.
    init(_ verb: String, _ argument: FTPPath? = nil) throws {
        let bytes = Array(verb.utf8) + (argument.map { [UInt8(ascii: " ")] + $0.bytes } ?? [])
        guard !bytes.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw CocoaError.file(
                .fileWriteInvalidFileName,
                path: argument?.item ?? .root,
                description: "a name can't hold a line break on an FTP server"
            )
        }
        self.bytes = bytes
    }

    /// The command's name, for logs: no argument, which may be a secret.
    var verb: String { String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self) }
}
