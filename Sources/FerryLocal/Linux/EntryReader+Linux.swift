#if os(Linux)
import CFerryLinux
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
    private let buffer: UnsafeMutableRawBufferPointer
    private var position = 0
    private var end = 0

    /// Begins at the descriptor's position.
    ///
    /// - Parameters:
    ///   - folder: A folder opened for reading; its position moves.
    ///   - bufferSize: Bytes to read at once.
    init(_ folder: Descriptor, bufferSize: Int = 32 * 1024) {
        self.folder = folder
        buffer = .allocate(byteCount: bufferSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// The next entry, without `.` and `..`.
    ///
    /// - Returns: `nil` at the end.
    func next() throws(Errno) -> Entry? {
        while true {
            if position == end {
                end = try system { ferry_getdents64(folder.raw, buffer.baseAddress, buffer.count) }
                position = 0
                if end == 0 { return nil }
            }
            // struct linux_dirent64: ino (8 bytes), offset (8), length of the entry (2), type (1), name with a NUL.
            let start = position
            position += Int(buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
            guard let bytes = buffer.baseAddress else { return nil }
            let name = UnsafePointer((bytes + start + 19).assumingMemoryBound(to: CChar.self))
            if name.isDots { continue }
            return Entry(format: mode_t(buffer[start + 18]) << 12, name: name)
        }
    }

    /// Begins again, with what the folder holds then.
    func rewind() throws(Errno) {
        position = 0
        end = 0
        try folder.seek(0)
    }
}
#endif
