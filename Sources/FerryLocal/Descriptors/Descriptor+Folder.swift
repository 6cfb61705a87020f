import Foundation

/// The operations of a folder's descriptor on the names in it. Nothing here follows a link in the last component.
extension Descriptor {
    /// Opens an item of this folder.
    ///
    /// - Parameters:
    ///   - name: The item's name, or `.` or `..`.
    ///   - flags: `O_` flags; `O_CLOEXEC` and `O_NOFOLLOW` are added.
    ///   - mode: The permissions of a file that is created, before the process's mask.
    /// - Returns: The open item.
    /// - Throws: `ELOOP` for a link, and what else the system says.
    func open(_ name: UnsafePointer<CChar>, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
        Descriptor(owning: try system { openat(raw, name, flags | O_CLOEXEC | O_NOFOLLOW, mode) })
    }

    /// Opens a folder in this folder, to be listed.
    func openFolder(_ name: UnsafePointer<CChar>) throws(Errno) -> Descriptor {
        try open(name, O_RDONLY | O_DIRECTORY)
    }

    /// Opens the folder above.
    ///
    /// - Parameter pathOnly: `true` if it is not to be listed, which needs no permission to read it.
    /// - Returns: The open folder; of the top of the system, itself.
    /// - Throws: The system's error.
    func above(pathOnly: Bool = false) throws(Errno) -> Descriptor {
        let flags = (pathOnly ? openPathOnly : O_RDONLY) | O_DIRECTORY | O_CLOEXEC
        return Descriptor(owning: try system { openat(raw, "..", flags, 0) })
    }

    func createFolder(_ name: UnsafePointer<CChar>, mode: mode_t) throws(Errno) {
        try system { mkdirat(raw, name, mode) }
    }

    func createLink(_ name: UnsafePointer<CChar>, to destination: UnsafePointer<CChar>) throws(Errno) {
        try system { symlinkat(destination, raw, name) }
    }

    /// Makes a pipe, a socket or a device.
    func createSpecial(_ name: UnsafePointer<CChar>, mode: mode_t, device: dev_t) throws(Errno) {
        try system { mknodat(raw, name, mode, device) }
    }

    /// Gives an item another name: a hard link.
    func link(_ name: UnsafePointer<CChar>, to folder: Descriptor, _ target: UnsafePointer<CChar>) throws(Errno) {
        try system { linkat(raw, name, folder.raw, target, 0) }
    }

    /// Returns what a link holds, with a NUL; `EINVAL` if it is none.
    func linkDestination(_ name: UnsafePointer<CChar>) throws(Errno) -> [CChar] {
        var size = 256
        while true {
            var text = [CChar](repeating: 0, count: size)
            let count = try text.withUnsafeMutableBufferPointer { buffer throws(Errno) in
                guard let start = buffer.baseAddress else { return 0 }
                return try system { readlinkat(raw, name, start, size) }
            }
            if count < size {
                text.removeLast(size - count - 1)
                return text
            }
            size *= 4
        }
    }

    /// Removes a name that is not a folder's.
    func unlink(_ name: UnsafePointer<CChar>) throws(Errno) {
        try system { unlinkat(raw, name, 0) }
    }

    func removeFolder(_ name: UnsafePointer<CChar>) throws(Errno) {
        try system { unlinkat(raw, name, AT_REMOVEDIR) }
    }

    /// Renames, and replaces what has the name.
    func rename(_ name: UnsafePointer<CChar>, to folder: Descriptor, _ target: UnsafePointer<CChar>) throws(Errno) {
        try system { renameat(raw, name, folder.raw, target) }
    }

    func setOwner(of name: UnsafePointer<CChar>, _ user: uid_t, _ group: gid_t) throws(Errno) {
        try system { fchownat(raw, name, user, group, AT_SYMLINK_NOFOLLOW) }
    }

    func setDates(of name: UnsafePointer<CChar>, accessed: timespec, modified: timespec) throws(Errno) {
        let times = (accessed, modified)
        try withUnsafeBytes(of: times) { bytes throws(Errno) in
            let start = bytes.assumingMemoryBound(to: timespec.self).baseAddress
            _ = try system { utimensat(raw, name, start, AT_SYMLINK_NOFOLLOW) }
        }
    }
}
