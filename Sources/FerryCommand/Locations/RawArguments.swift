import FerryCore
import Foundation

/// The arguments of the process without a loss: `CommandLine.arguments` would repair names that are not UTF-8.
enum RawArguments {
    /// All arguments but the command's own name; bytes that are not UTF-8 are escaped as ``NameEscape`` says.
    static func ofProcess() -> [String] {
        (1..<max(1, CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[Int(index)].map { name(ofCString: $0) }
        }
    }

    /// Text for a C string of any bytes.
    ///
    /// An escape that stands in valid text stays one: it was copied from `--json`, and leads back to the file.
    ///
    /// - Parameter string: Ends with a NUL.
    /// - Returns: The text, bytes that are not UTF-8 escaped.
    static func name(ofCString string: UnsafePointer<CChar>) -> String {
        let bytes = UnsafeRawBufferPointer(start: string, count: strlen(string))
        return String(validating: bytes, as: UTF8.self) ?? NameEscape.name(ofBytes: bytes)
    }
}
