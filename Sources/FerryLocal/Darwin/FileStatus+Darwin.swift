#if canImport(Darwin)
import Darwin
import Foundation

extension FileStatus {
    init(_ status: stat) {
        self.init(
            mode: status.st_mode,
            identity: FileIdentity(device: UInt64(UInt32(bitPattern: status.st_dev)), inode: status.st_ino),
            size: Int64(status.st_size),
            allocatedSize: Int64(status.st_blocks) * 512,
            linkCount: UInt64(status.st_nlink),
            user: status.st_uid,
            group: status.st_gid,
            specialDevice: status.st_rdev,
            accessed: status.st_atimespec,
            modified: status.st_mtimespec,
            changed: status.st_ctimespec,
            created: status.st_birthtimespec
        )
    }
}

extension Descriptor {
    /// The attributes of the open item.
    func status() throws(Errno) -> FileStatus {
        var result = stat()
        try system { fstat(raw, &result) }
        return FileStatus(result)
    }

    /// The attributes of an item in this folder; of a link itself.
    func status(of name: UnsafePointer<CChar>) throws(Errno) -> FileStatus {
        var result = stat()
        try system { fstatat(raw, name, &result, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(result)
    }
}
#endif
