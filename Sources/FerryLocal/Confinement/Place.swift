import FerryCore
import Foundation

/// Where an item is, or shall be: a name in an open folder.
struct Place: Sendable {
    let folder: Descriptor
    let name: RawName

    /// The attributes of the item, of a link itself.
    func status() throws(Errno) -> FileStatus { try folder.status(of: name) }

    /// The attributes of the item, or `nil` if there is none.
    func statusIfExists() throws(Errno) -> FileStatus? { try folder.statusIfExists(of: name) }

    /// Looks whether a file may be put here.
    ///
    /// - Parameters:
    ///   - overwrite: `true` if what is here may be replaced.
    ///   - path: The place's path, for errors.
    /// - Returns: The status of the item that would be replaced, or `nil` if nothing is here.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileWriteNoPermission` for a file that may not be written to, though
    ///   its folder may; `.fileWriteUnknown` for a device or the like, which would be gone.
    @discardableResult
    func requireReplaceable(overwrite: Bool, path: ItemPath) throws -> FileStatus? {
        do {
            guard let old = try statusIfExists() else { return nil }
            if old.isFolder || !overwrite { throw Errno(EEXIST) }
            if !old.isFile && !old.isLink { throw CocoaError.notAnOrdinaryFile(path, .writing) }
            if old.isFile { try system { faccessat(folder.raw, name, W_OK, AT_EACCESS) } }
            return old
        } catch let error as Errno {
            throw error.mapped(.naming, path)
        }
    }
}
