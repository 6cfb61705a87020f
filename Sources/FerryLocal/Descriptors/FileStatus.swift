import FerryCore
import Foundation

/// The numbers that tell an item from every other on this machine, as long as it exists.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The facts that the system knows about an item.
struct FileStatus: Sendable {
    /// Kind and permissions, as `st_mode` has them.
    var mode: mode_t
    var identity: FileIdentity
    /// Bytes of content.
    var size: Int64
    /// Bytes that the storage uses for it.
    var allocatedSize: Int64
    /// How many names it has.
    var linkCount: UInt64
    var user: uid_t
    var group: gid_t
    /// The device that it stands for, if it is one.
    var specialDevice: dev_t
    var accessed: timespec
    var modified: timespec
    /// When its attributes changed.
    var changed: timespec
    /// When it came to be, where the file system keeps that.
    var created: timespec?
}

extension FileStatus {
    var format: mode_t { mode & S_IFMT }
    var isFolder: Bool { format == S_IFDIR }
    var isFile: Bool { format == S_IFREG }
    var isLink: Bool { format == S_IFLNK }

    /// The permission bits, with set-user-id and the like.
    var permissions: mode_t { mode & 0o7777 }

    /// Indicates whether new items in this folder get its group.
    var bequeathsGroup: Bool { mode & S_ISGID != 0 }

    var kind: FileObject.Kind {
        switch format {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .symlink
        default: .other
        }
    }

    /// Indicates whether parts of the file take no space on the storage: worth looking for the holes.
    var isSparse: Bool { allocatedSize < size }

    /// Returns whether the content is, as far as dates and length can tell, what it was.
    func hasSameContent(as other: FileStatus) -> Bool {
        identity == other.identity && size == other.size && modified.isSame(as: other.modified)
    }
}

extension FileStatus {
    /// Returns whether anything may have changed after a moment; some file systems know only every second one, others
    /// full seconds.
    func mayHaveChanged(since moment: timespec) -> Bool {
        changed.isAfter(moment) || (changed.tv_nsec == 0 && changed.tv_sec >= moment.tv_sec - 2)
    }
}

extension Descriptor {
    /// The attributes of an item in this folder, or `nil` if there is none.
    func statusIfExists(of name: UnsafePointer<CChar>) throws(Errno) -> FileStatus? {
        do {
            return try status(of: name)
        } catch let error where error.code == ENOENT {
            return nil
        }
    }
}

extension timespec {
    /// The clock's idea of now; the file systems' own is some milliseconds behind it.
    static var now: timespec {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now
    }

    func isAfter(_ other: timespec) -> Bool {
        tv_sec != other.tv_sec ? tv_sec > other.tv_sec : tv_nsec > other.tv_nsec
    }

    /// Returns whether it is the same moment, to the nanosecond.
    func isSame(as other: timespec) -> Bool { tv_sec == other.tv_sec && tv_nsec == other.tv_nsec }

    /// The time that a file system may record instead of this: its clock may be some milliseconds behind.
    var beforeTick: timespec {
        let tick = 20_000_000
        if tv_nsec >= tick { return timespec(tv_sec: tv_sec, tv_nsec: tv_nsec - tick) }
        return timespec(tv_sec: tv_sec - 1, tv_nsec: tv_nsec + 1_000_000_000 - tick)
    }
}
