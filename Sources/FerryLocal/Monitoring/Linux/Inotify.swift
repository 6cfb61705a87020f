#if os(Linux)
import CFerryLinux
import Foundation

/// The kernel's list of what happens in some folders.
///
/// It ends, and frees all its watches, when nobody holds it any longer.
final class Inotify: Sendable {
    /// One happening.
    struct Event: Sendable {
        /// The folder that it happened in, or to; -1 if the kernel has dropped events.
        let watch: Int32
        let mask: UInt32
        /// Joins the two halves of a move.
        let cookie: UInt32
        /// The item in the folder; empty if it happened to the folder itself.
        let name: ArraySlice<UInt8>

        /// Returns whether it has some of these bits.
        func has(_ bits: UInt32) -> Bool { mask & bits != 0 }

        /// Indicates whether the item is a folder.
        var isFolder: Bool { has(UInt32(IN_ISDIR)) }

        /// Indicates whether names of the folder have changed: nothing of the kind comes between the two halves of a
        /// move.
        var isAboutNames: Bool { has(.created | .removed | .movedAway | .movedHere) && !name.isEmpty }
    }

    private let descriptor: Descriptor

    /// Begins a list.
    ///
    /// - Throws: `EMFILE` when this user has too many, or this process too many open files.
    init() throws(Errno) {
        descriptor = Descriptor(owning: try system { inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) })
    }

    /// To wait for.
    var raw: CInt { descriptor.raw }

    /// Watches a folder.
    ///
    /// By its descriptor: whatever is renamed meanwhile, it is this one.
    ///
    /// - Parameters:
    ///   - folder: An open folder.
    ///   - mask: The kinds of events to report.
    /// - Returns: The number by which events name it; the same number for the same folder.
    /// - Throws: `ENOSPC` when the user's watches are used up; `EACCES` without permission to read it.
    func add(_ folder: Descriptor, _ mask: UInt32 = .everything) throws(Errno) -> Int32 {
        let path = "/proc/self/fd/\(folder.raw)"
        return try system { inotify_add_watch(descriptor.raw, path, mask) }
    }

    /// Watches a folder no longer; an answer comes among the events.
    func remove(_ watch: Int32) {
        // EINVAL: the kernel has done it already.
        _ = inotify_rm_watch(descriptor.raw, watch)
    }

    /// Takes events.
    ///
    /// - Parameter buffer: For some of them; at least 4 KiB.
    /// - Returns: None if there are none now.
    /// - Throws: The system's error.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> [Event] {
        let count: Int
        do {
            count = try descriptor.read(into: buffer)
        } catch let error where error.code == EAGAIN {
            return []
        }
        var events: [Event] = []
        var position = 0
        while position + 16 <= count {
            // struct inotify_event: wd (4 bytes), mask (4), cookie (4), length of the name with its NULs (4), name.
            let length = Int(buffer.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
            let name = buffer[(position + 16)..<min(position + 16 + length, count)].prefix { $0 != 0 }
            events.append(
                Event(
                    watch: buffer.loadUnaligned(fromByteOffset: position, as: Int32.self),
                    mask: buffer.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self),
                    cookie: buffer.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self),
                    name: Array(name)[...]
                )
            )
            position += 16 + length
        }
        return events
    }
}

extension UInt32 {
    /// A name is new.
    static let created = UInt32(IN_CREATE)
    /// A name is gone.
    static let removed = UInt32(IN_DELETE)
    /// A name is gone, for another.
    static let movedAway = UInt32(IN_MOVED_FROM)
    /// A name is there instead of another.
    static let movedHere = UInt32(IN_MOVED_TO)
    /// The watched folder itself has another name.
    static let movedItself = UInt32(IN_MOVE_SELF)
    /// The watched folder itself is gone.
    static let removedItself = UInt32(IN_DELETE_SELF)
    /// Something was written.
    static let modified = UInt32(IN_MODIFY)
    /// Whoever could write has closed the file.
    static let closed = UInt32(IN_CLOSE_WRITE)
    /// Dates, permissions and the like are others.
    static let attributes = UInt32(IN_ATTRIB)
    /// The file system is no longer mounted.
    static let unmounted = UInt32(IN_UNMOUNT)
    /// The watch is over.
    static let ignored = UInt32(IN_IGNORED)
    /// Events were dropped.
    static let overflowed = UInt32(IN_Q_OVERFLOW)

    /// All that a watched tree wants to know.
    static let everything =
        created | removed | movedAway | movedHere | movedItself | removedItself | modified | closed | attributes
        | UInt32(IN_ONLYDIR) | ferry_IN_EXCL_UNLINK
}
#endif
