import Foundation
import Synchronization

/// Remembers files with several names, so that the names of a copied tree belong together as those of the original do.
final class HardLinks: Sendable {
    /// Where the copy of a file has its first name, and how many names are still to come.
    private struct First {
        let path: RawPath
        var left: UInt64
    }

    private let firsts = Mutex<[FileIdentity: First]>([:])

    /// Copies the first name that is met of a file, and links the others.
    ///
    /// - Parameters:
    ///   - status: The known status of the file.
    ///   - path: The name's place in the copy, seen from its top.
    ///   - link: Makes the name belong to a copy made before; `false` if it can't be done.
    ///   - copy: Copies the file.
    /// - Throws: Any error that `copy` throws.
    func handle(
        _ status: FileStatus,
        at path: RawPath,
        link: (RawPath) -> Bool,
        copy: () throws -> Void
    ) throws {
        // Held while copying: a second name must not be linked to a copy that may still fail.
        try firsts.withLock { firsts in
            if var first = firsts[status.identity], link(first.path) {
                first.left -= 1
                firsts[status.identity] = first.left == 0 ? nil : first
                return
            }
            try copy()
            firsts[status.identity] = First(path: path, left: status.linkCount - 1)
        }
    }
}
