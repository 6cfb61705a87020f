import FerryCore
import Foundation

/// Tells whether an item is still the one that was listed.
enum ItemIdentity {
    /// Dates may have passed through text.
    private static let precision = 0.001

    /// Returns whether two descriptions are of the same item with the same content, as far as both tell.
    static func isSame(_ first: FileObject, _ second: FileObject) -> Bool {
        guard first.type == second.type else { return false }
        if first.isDirectory { return true }
        if let one = first.size, let other = second.size, one != other { return false }
        if let one = first.eTag, let other = second.eTag, SourceIdentity.opaque(one) != SourceIdentity.opaque(other) {
            return false
        }
        guard let one = first.modifiedDate, let other = second.modifiedDate else { return true }
        return abs(one.timeIntervalSince(other)) < precision
    }

    /// The error for an item that is not what it was.
    static func changed(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteUnknown,
            path: path,
            description: "it has changed since it was listed",
            suggestion: "list again",
            underlying: PreconditionFailedError(path: path)
        )
    }
}
