import FerryCore
import FerryCrypto
import Foundation

/// The temporary names that a transfer gives, or finds.
package enum UnfinishedName {
    /// The one for an item: always the same, so that what a try leaves that dies there is found by the next.
    static func make(for path: ItemPath) -> String {
        TemporaryName.make(digits: HashAlgorithm.sha256.hash(Data(path.string.utf8)).prefix(8).hexadecimal)
    }

    /// Returns whether a process has left it behind that is gone, or an earlier run of the same job, and nobody needs
    /// it.
    ///
    /// Parts that the journal knows have names without an owner.
    ///
    /// - Parameter name: A temporary name.
    /// - Returns: `true` if it can be removed.
    package static func wasLeftBehind(_ name: String) -> Bool {
        guard let middle = TemporaryName.middle(of: name) else { return false }
        if let writer = UUID(uuidString: String(middle)).flatMap(TemporaryWriter.init) { return writer.isDead }
        return OperationContext.current.temporaryOwner?.wasLeftBehind(middle) ?? false
    }
}
