import FerryCore
import Foundation

/// Names for what is not complete yet: hidden, never guessed, and telling which process writes.
enum FTPTemporaryName {
    /// A name that nobody else has, for the file that is to have a path.
    ///
    /// - Parameter path: The final path.
    /// - Returns: A path in the same folder: `.ferry-`, a UUID, `.tmp`.
    static func make(for path: ItemPath) -> ItemPath {
        path.parent.appending(".ferry-\(TemporaryOwner.uuid().uuidString.lowercased()).tmp")
    }
}
