import FerryCore
import FerryCrypto
import Foundation

/// The names that Ferry's storages give to what is not complete yet: `.ferry-` and digits or a UUID and `.tmp` on disks,
/// `ferry-` and a UUID on servers, hidden or not.
package enum UnfinishedName {
    /// The one for an item: always the same, so that what a try leaves that dies there is found by the next.
    static func make(for path: ItemPath) -> String {
        let digits = HashAlgorithm.sha256.hash(Data(path.string.utf8)).prefix(8).hexadecimal
        return ".ferry-\(digits).tmp"
    }

    /// One that nobody else has, and that says whose it is.
    static func make() -> String { ".ferry-\(TemporaryOwner.uuid().uuidString.lowercased()).tmp" }

    /// Returns whether a name is one of these.
    ///
    /// - Parameter name: Any name.
    /// - Returns: `true` if no listing of ours need show it.
    package static func isOne(_ name: String) -> Bool {
        guard let middle = middle(of: name) else { return false }
        return middle.utf8.count == 16 && middle.allSatisfy(\.isHexDigit) || UUID(uuidString: String(middle)) != nil
    }

    /// Returns whether a process has left it behind that is gone, or an earlier run of the same job, and nobody needs
    /// it.
    ///
    /// Parts that the journal knows have names without an owner.
    ///
    /// - Parameter name: A name of which ``isOne(_:)`` says so.
    /// - Returns: `true` if it can be removed.
    package static func wasLeftBehind(_ name: String) -> Bool {
        guard let middle = middle(of: name) else { return false }
        if let writer = UUID(uuidString: String(middle)).flatMap(TemporaryWriter.init) { return writer.isDead }
        return OperationContext.current.temporaryOwner?.wasLeftBehind(middle) ?? false
    }

    private static func middle(of name: String) -> Substring? {
        guard name.hasSuffix(".tmp") else { return nil }
        let rest = name.hasPrefix(".") ? name.dropFirst() : name[...]
        return rest.hasPrefix("ferry-") ? rest.dropFirst(6).dropLast(4) : nil
    }
}
