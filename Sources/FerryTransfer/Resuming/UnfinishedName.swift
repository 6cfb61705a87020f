import Crypto
import FerryCore
import Foundation

/// The names that Ferry's storages give to what is not complete yet: `.ferry-0123456789abcdef.tmp` on disks,
/// `ferry-` and a UUID on servers, hidden or not.
enum UnfinishedName {
    /// The one for an item: always the same, so that what a try leaves that dies there is found by the next.
    static func make(for path: ItemPath) -> String {
        let digits = SHA256.hash(data: Data(path.string.utf8)).prefix(8).hexadecimal
        return ".ferry-\(digits).tmp"
    }

    /// Whether a name is one of these.
    static func isOne(_ name: String) -> Bool {
        guard name.hasSuffix(".tmp") else { return false }
        let rest = name.hasPrefix(".") ? name.dropFirst() : name[...]
        guard rest.hasPrefix("ferry-") else { return false }
        let middle = rest.dropFirst(6).dropLast(4)
        return middle.utf8.count == 16 && middle.allSatisfy(\.isHexDigit) || UUID(uuidString: String(middle)) != nil
    }

    /// Whether an earlier run of the same job has left it behind, and nobody needs it.
    ///
    /// Parts that the journal knows have names without an owner.
    ///
    /// - Parameter name: A name of which ``isOne(_:)`` says so.
    /// - Returns: Whether it can be removed.
    static func wasLeftBehind(_ name: String) -> Bool {
        let digits = (name.hasPrefix(".") ? name.dropFirst() : name[...]).dropFirst(6)
        return TemporaryOwner.current?.wasLeftBehind(digits) ?? false
    }
}
