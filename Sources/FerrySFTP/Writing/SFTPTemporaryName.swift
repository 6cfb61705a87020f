import FerryCore
import Foundation

/// Names for what is not complete yet: hidden, and of nobody else.
enum SFTPTemporaryName {
    /// A name that says whose it is: who goes on with the same work removes what it has left behind.
    static func make() -> String { make(TemporaryOwner.uuid()) }

    /// A name of letters, digits, dots and hyphens.
    static func make(_ id: UUID) -> String { ".ferry-\(id.uuidString.lowercased()).tmp" }

    /// Returns whether a text is such a name, and leads nowhere else.
    static func isOne(_ name: String) -> Bool {
        guard name.hasPrefix(".ferry-"), name.hasSuffix(".tmp") else { return false }
        return UUID(uuidString: String(name.dropFirst(7).dropLast(4))) != nil
    }
}
