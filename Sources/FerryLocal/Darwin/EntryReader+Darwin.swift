#if canImport(Darwin)
import Darwin
import Foundation

/// Reads the names in an open folder, in the order in which the file system keeps them.
///
/// Not to be used by two threads at a time.
final class EntryReader {
    /// One name in a folder.
    ///
    /// The pointer holds until the next one is asked for.
    struct Entry {
        /// The item's kind as `S_IF…`, or 0 where the file system doesn't say.
        let format: mode_t
        let name: UnsafePointer<CChar>
    }

    private let folder: Descriptor
    private var stream: UnsafeMutablePointer<DIR>?

    /// Begins at the descriptor's position.
    init(_ folder: Descriptor, bufferSize: Int = 0) {
        self.folder = folder
    }

    deinit {
        if let stream { closedir(stream) }
    }

    /// The next entry, without `.` and `..`.
    ///
    /// - Returns: `nil` at the end.
    func next() throws(Errno) -> Entry? {
        if stream == nil {
            // closedir() closes its descriptor: it gets one of its own.
            let own = try system { fcntl(folder.raw, F_DUPFD_CLOEXEC, 0) }
            stream = fdopendir(own)
            if stream == nil {
                let failure = Errno.last
                close(own)
                throw failure
            }
        }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .last }
                return nil
            }
            let format = mode_t(entry.pointee.d_type) << 12
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            if name.isDots { continue }
            return Entry(format: format, name: name)
        }
    }

    /// Begins again, with what the folder holds then.
    func rewind() throws(Errno) {
        if let stream { rewinddir(stream) } else { try folder.seek(0) }
    }
}
#endif
