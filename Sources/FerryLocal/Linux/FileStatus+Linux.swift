#if os(Linux)
import CFerryLinux
import Foundation

extension FileStatus {
    init(_ status: statx) {
        self.init(
            mode: mode_t(status.stx_mode),
            identity: FileIdentity(
                device: UInt64(status.stx_dev_major) << 20 | UInt64(status.stx_dev_minor),
                inode: status.stx_ino
            ),
            size: Int64(clamping: status.stx_size),
            allocatedSize: Int64(clamping: status.stx_blocks) * 512,
            linkCount: UInt64(status.stx_nlink),
            user: status.stx_uid,
            group: status.stx_gid,
            specialDevice: Self.device(status.stx_rdev_major, status.stx_rdev_minor),
            accessed: timespec(status.stx_atime),
            modified: timespec(status.stx_mtime),
            changed: timespec(status.stx_ctime),
            created: status.stx_mask & UInt32(STATX_BTIME) != 0 ? timespec(status.stx_btime) : nil
        )
    }

    /// The number that `mknod` takes, as glibc and the kernel pack it.
    private static func device(_ major: UInt32, _ minor: UInt32) -> dev_t {
        let major = UInt64(major)
        let minor = UInt64(minor)
        return dev_t(minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32)
    }
}

extension timespec {
    init(_ time: statx_timestamp) {
        self.init(tv_sec: Int(time.tv_sec), tv_nsec: Int(time.tv_nsec))
    }
}

extension Descriptor {
    /// The attributes of the open item.
    func status() throws(Errno) -> FileStatus {
        FileStatus(try attributes(of: "", ferry_AT_EMPTY_PATH))
    }

    /// The attributes of an item in this folder; of a link itself.
    func status(of name: UnsafePointer<CChar>) throws(Errno) -> FileStatus {
        FileStatus(try attributes(of: name, AT_SYMLINK_NOFOLLOW))
    }

    @inline(__always)
    private func attributes(of name: UnsafePointer<CChar>, _ flags: CInt) throws(Errno) -> statx {
        var result = statx()
        let mask = UInt32(STATX_BASIC_STATS) | UInt32(STATX_BTIME)
        try system { ferry_statx(raw, name, flags, mask, &result) }
        return result
    }
}
#endif
