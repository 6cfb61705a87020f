#if canImport(Darwin)
import Darwin
import Foundation

/// A flag for `open` that names a folder without reading it; only folders are opened with it.
var openPathOnly: CInt { O_SEARCH }

/// Instead of nanoseconds: the date stays (utimensat(2)).
let utimeOmit = -2

extension Descriptor {
    /// Not used: paths are walked step by step here.
    func openBeneath(_ path: UnsafePointer<CChar>, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
        throw Errno(ENOSYS)
    }

    /// Indicates whether the kernel walks paths without leaving a folder.
    var canOpenBeneath: Bool { false }

    /// Renames unless something has the name already: `EEXIST`.
    func renameExclusively(
        _ name: UnsafePointer<CChar>,
        to folder: Descriptor,
        _ target: UnsafePointer<CChar>
    ) throws(Errno) {
        try system { renameatx_np(raw, name, folder.raw, target, UInt32(RENAME_EXCL)) }
    }

    /// Waits until the storage itself holds all that was written to this folder's file system (fsync_volume_np(2)).
    func synchronizeFileSystem() throws(Errno) {
        let folder = try openFolder(".")
        try system { fsync_volume_np(folder.raw, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT) }
    }

    /// There are no files without a name here.
    func createUnnamed(mode: mode_t) throws(Errno) -> Descriptor {
        throw Errno(EOPNOTSUPP)
    }

    /// There are no files without a name here.
    func linkUnnamed(_ file: Descriptor, as name: UnsafePointer<CChar>) throws(Errno) {
        throw Errno(EOPNOTSUPP)
    }

    /// The path of an open folder, without links.
    func realPath() throws(Errno) -> [UInt8] {
        var path = [CChar](repeating: 0, count: Int(MAXPATHLEN))
        try system { fcntl(raw, F_GETPATH, &path) }
        return path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }
}

// MARK: - Copying

extension Descriptor {
    /// Clones are made by name here, before there is a target to open: the content is copied instead.
    func clone(_ source: Descriptor) throws(Errno) {
        throw Errno(EOPNOTSUPP)
    }

    /// The kernel has no such call: the content goes through memory.
    func copyRange(from source: Descriptor, at offset: Int64, length: Int) throws(Errno) -> Int {
        throw Errno(ENOSYS)
    }

    /// Where the next data begins, from an offset; `ENXIO` if there is none.
    func nextData(from offset: Int64) throws(Errno) -> Int64 { try seek(offset, from: SEEK_DATA) }

    /// Where the next hole begins, from an offset; the end of the file counts as one.
    func nextHole(from offset: Int64) throws(Errno) -> Int64 { try seek(offset, from: SEEK_HOLE) }
}

// MARK: - Extended attributes

extension Descriptor {
    /// The names of the extended attributes, each with a NUL.
    func extendedAttributeNames() throws(Errno) -> [RawName] {
        let size = try system { flistxattr(raw, nil, 0, 0) }
        var names = [CChar](repeating: 0, count: size)
        let count = try system { flistxattr(raw, &names, size, 0) }
        return names[..<count].split(separator: 0).map { $0 + [0] }
    }

    func extendedAttribute(_ name: RawName) throws(Errno) -> [UInt8] {
        let size = try system { fgetxattr(raw, name, nil, 0, 0, 0) }
        var value = [UInt8](repeating: 0, count: size)
        let count = try system { fgetxattr(raw, name, &value, size, 0, 0) }
        return Array(value[..<count])
    }

    func setExtendedAttribute(_ name: RawName, _ value: [UInt8]) throws(Errno) {
        try system { fsetxattr(raw, name, value, value.count, 0, 0) }
    }

    /// Sets permissions; not those of what a link leads to.
    func setPermissions(of name: UnsafePointer<CChar>, _ mode: mode_t) throws(Errno) {
        try system { fchmodat(raw, name, mode, AT_SYMLINK_NOFOLLOW) }
    }

    /// Indicates whether new items in this folder may get permissions from it: there are inherited access control
    /// lists.
    var hasDefaultPermissions: Bool { true }
}

/// The permissions that the system takes away from new files: not known, so that they are always set.
func processFileModeMask() -> mode_t { 0o777 }

/// The trash is the system's own here, and needs none of this.
func mountPoints() -> [String] { [] }

/// Returns what a file system is; nobody asks by its number here.
func fileSystemType(of device: UInt64) -> String? { nil }

/// The kind of a file system, and whether its disk is encrypted.
func volumeFacts(of device: UInt64, at url: URL?) -> (format: String?, isEncrypted: Bool?) {
    let keys: Set<URLResourceKey> = [.volumeLocalizedFormatDescriptionKey, .volumeIsEncryptedKey]
    let values = try? url?.resourceValues(forKeys: keys)
    return (values?.volumeLocalizedFormatDescription, values?.volumeIsEncrypted)
}
#endif
