import Foundation

extension Descriptor {
    /// Renames an item unless something has the name already.
    ///
    /// - Parameters:
    ///   - name: The item in this folder.
    ///   - folder: The folder to put it into.
    ///   - target: Its name there.
    ///   - isFolder: `true` if the item is a folder.
    /// - Throws: `EEXIST`; `EXDEV` if the target is on another file system.
    func moveExclusively(
        _ name: UnsafePointer<CChar>,
        to folder: Descriptor,
        _ target: UnsafePointer<CChar>,
        isFolder: Bool
    ) throws(Errno) {
        do {
            try renameExclusively(name, to: folder, target)
        } catch let error where error.isAny(of: EINVAL, ENOSYS, EOPNOTSUPP) {
            // The file system can't: NFS, some of FUSE.
            if isFolder {
                try moveFolderOntoEmpty(name, to: folder, target)
            } else {
                try moveByLinking(name, to: folder, target)
            }
        }
    }

    /// Renames a folder over an empty one that we have just made: somebody else's would have made that fail.
    private func moveFolderOntoEmpty(
        _ name: UnsafePointer<CChar>,
        to folder: Descriptor,
        _ target: UnsafePointer<CChar>
    ) throws(Errno) {
        try folder.createFolder(target, mode: 0o700)
        do {
            try rename(name, to: folder, target)
        } catch {
            try? folder.removeFolder(target)
            throw error
        }
    }

    private func moveByLinking(
        _ name: UnsafePointer<CChar>,
        to folder: Descriptor,
        _ target: UnsafePointer<CChar>
    ) throws(Errno) {
        do {
            try link(name, to: folder, target)
        } catch let error where error.isAny(of: EPERM, EOPNOTSUPP, ENOSYS, EMLINK) {
            // No hard links either (FAT): here alone, somebody who creates the target between these lines loses.
            if (try? folder.status(of: target)) != nil { throw Errno(EEXIST) }
            return try rename(name, to: folder, target)
        }
        try unlink(name)
    }
}
