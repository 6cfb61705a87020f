#if os(Linux)
import CFerryLinux
import Foundation

/// A flag for `open` that names an item without reading it, so that no permission to read is needed.
var openPathOnly: CInt { ferry_O_PATH }

/// Instead of nanoseconds: the date stays (utimensat(2)).
let utimeOmit = (1 << 30) - 2

extension Descriptor {
    /// Opens an item below this folder, whatever links are on the way; `EXDEV` if they lead out.
    ///
    /// - Parameters:
    ///   - path: A relative path, `..` and all.
    ///   - flags: `O_` flags; `O_CLOEXEC` is added.
    ///   - mode: The permissions of a file that is created.
    ///   - further: The further `RESOLVE_` flags for the kernel (openat2(2)).
    /// - Returns: The open item.
    /// - Throws: `EXDEV`, and what else the system says.
    func openBeneath(
        _ path: UnsafePointer<CChar>,
        _ flags: CInt,
        mode: mode_t = 0,
        resolving further: UInt64 = 0
    ) throws(Errno) -> Descriptor {
        let resolve = ferry_RESOLVE_BENEATH | ferry_RESOLVE_NO_MAGICLINKS | further
        var attempts = 0
        while true {
            do {
                let flags = UInt64(UInt32(bitPattern: flags | O_CLOEXEC))
                return Descriptor(owning: try system { ferry_openat2(raw, path, flags, UInt64(mode), resolve) })
            } catch let error where error.code == EAGAIN && attempts < 256 {
                attempts += 1  // something was renamed meanwhile, and the kernel can't vouch for a `..`
            }
        }
    }

    /// Indicates whether the kernel has, and lets us use, `openat2`.
    var canOpenBeneath: Bool {
        (try? openBeneath(".", ferry_O_PATH)) != nil
    }

    /// Renames unless something has the name already: `EEXIST`.
    ///
    /// - Throws: `EINVAL` or `ENOSYS` where the file system can't.
    func renameExclusively(
        _ name: UnsafePointer<CChar>,
        to folder: Descriptor,
        _ target: UnsafePointer<CChar>
    ) throws(Errno) {
        try system { ferry_rename_noreplace(raw, name, folder.raw, target) }
    }

    /// A new file in this folder that has no name yet, and vanishes with its descriptor if it never gets one.
    ///
    /// - Throws: `EOPNOTSUPP` and the like where the file system can't.
    func createUnnamed(mode: mode_t) throws(Errno) -> Descriptor {
        Descriptor(owning: try system { openat(raw, ".", ferry_O_TMPFILE | O_RDWR | O_CLOEXEC, mode) })
    }

    /// Gives a file without a name its name; `EEXIST` if something has it.
    func linkUnnamed(_ file: Descriptor, as name: UnsafePointer<CChar>) throws(Errno) {
        do {
            // The quick way, which newer kernels allow, or a privilege.
            try system { linkat(file.raw, "", raw, name, ferry_AT_EMPTY_PATH) }
        } catch let error where error.code == ENOENT {
            let own = "/proc/self/fd/\(file.raw)"
            try system { linkat(AT_FDCWD, own, raw, name, AT_SYMLINK_FOLLOW) }
        }
    }

    /// Waits until the storage itself holds all that was written to this folder's file system.
    func synchronizeFileSystem() throws(Errno) {
        do {
            let folder = try openFolder(".")
            try system { ferry_syncfs(folder.raw) }
        } catch {
            guard error.isUnsupported || error.isAny(of: EACCES, EPERM) else { throw error }
            sync()
        }
    }
}

// MARK: - Permissions

extension Descriptor {
    /// Sets permissions; not of a link, which has none: `ELOOP`.
    ///
    /// The item is opened first, since a link that takes its place meanwhile would be followed.
    func setPermissions(of name: UnsafePointer<CChar>, _ mode: mode_t) throws(Errno) {
        let item = try open(name, openPathOnly)
        if try item.status().isLink { throw Errno(ELOOP) }
        do {
            try system { chmod("/proc/self/fd/\(item.raw)", mode) }
        } catch let error where error.code == ENOENT {
            // No `/proc` here: what can be read can be opened.
            try open(name, O_RDONLY | O_NONBLOCK).setPermissions(mode)
        }
    }
}

// MARK: - Copying

extension Descriptor {
    /// Makes this file share the blocks of another: a copy that costs nothing, on file systems that can.
    func clone(_ source: Descriptor) throws(Errno) {
        try system { ferry_clone(raw, source.raw) }
    }

    /// Lets the kernel copy from another file to the same offset here.
    ///
    /// - Returns: How many bytes it copied; 0 at the source's end.
    func copyRange(from source: Descriptor, at offset: Int64, length: Int) throws(Errno) -> Int {
        var from = offset
        var to = offset
        return try system { ferry_copy_file_range(source.raw, &from, raw, &to, length) }
    }

    /// Where the next data begins, from an offset; `ENXIO` if there is none.
    func nextData(from offset: Int64) throws(Errno) -> Int64 { try seek(offset, from: ferry_SEEK_DATA) }

    /// Where the next hole begins, from an offset; the end of the file counts as one.
    func nextHole(from offset: Int64) throws(Errno) -> Int64 { try seek(offset, from: ferry_SEEK_HOLE) }
}

// MARK: - Extended attributes

extension Descriptor {
    /// The names of the extended attributes, each with a NUL.
    func extendedAttributeNames() throws(Errno) -> [RawName] {
        try Self.grown { buffer, size in ferry_flistxattr(raw, buffer, size) }
            .split(separator: 0).map { $0.map { CChar(bitPattern: $0) } + [0] }
    }

    func extendedAttribute(_ name: RawName) throws(Errno) -> [UInt8] {
        try Self.grown { buffer, size in ferry_fgetxattr(raw, name, buffer, size) }
    }

    func setExtendedAttribute(_ name: RawName, _ value: [UInt8]) throws(Errno) {
        try system { ferry_fsetxattr(raw, name, value, value.count) }
    }

    /// Indicates whether new items in this folder get permissions from it (its default access control list).
    var hasDefaultPermissions: Bool {
        ferry_fgetxattr(raw, "system.posix_acl_default", nil, 0) >= 0
    }

    /// Calls until the buffer is large enough; most files have none, which one call tells.
    private static func grown(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(Errno) -> [UInt8] {
        while true {
            let size = try system { call(nil, 0) }
            if size == 0 { return [] }
            var bytes = [UInt8](repeating: 0, count: size)
            do {
                let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(Errno) in
                    let start = UnsafeMutableRawPointer(buffer.baseAddress)
                    return try system { call(start?.assumingMemoryBound(to: CChar.self), size) }
                }
                bytes.removeLast(size - count)
                return bytes
            } catch let error where error.code == ERANGE {
                continue
            }
        }
    }
}
#endif
