import FerryCore
import Foundation

/// The rules for the name of a remote: it has to work before a colon.
enum RemoteName {
    /// Names that mean something else already.
    private static let taken: Set<String> = ["local", "file"]

    /// Makes sure that a name can be used.
    ///
    /// - Parameter name: The name that a person wants to give to a remote.
    /// - Throws: `CocoaError` that says what is wrong with it.
    static func check(_ name: String) throws {
        if let problem = problem(name) {
            throw CocoaError.location(
                name.isEmpty ? "''" : name,
                problem,
                "choose letters, digits, '-' and '_', such as 'work'"
            )
        }
    }

    /// The start of locations on a remote, which may be named with its colon or without, or by a URL.
    ///
    /// - Parameter name: The remote, as a person names it.
    /// - Returns: The name with its colon, or the URL.
    static func prefix(_ name: String) -> String { name.hasSuffix(":") || name.contains("://") ? name : name + ":" }

    private static func problem(_ name: String) -> String? {
        if name.isEmpty { return "a remote's name can't be empty" }
        if name.utf8.contains(UInt8(ascii: ":")) || name.utf8.contains(UInt8(ascii: "/")) {
            return "a remote's name can't have ':' or '/' in it"
        }
        if taken.contains(name) || StorageKind.builtIn(name) != nil || StorageKind.ofScheme(name) != nil {
            return "the name means something else already"
        }
        if TerminalText.harmless(name) != name { return "a remote's name can't have control characters in it" }
        if ["-", ".", "~", " "].contains(name.first) || name.last == " " {
            return "a remote's name can't begin with '-', '.' or '~', nor begin or end with a space"
        }
        return nil
    }
}
