import Foundation
import Synchronization

/// An open file or folder, closed when nobody holds it any longer.
final class Descriptor: Sendable {
    private static let closed: CInt = -1
    private let number: Atomic<CInt>

    /// Takes over a descriptor that was just opened.
    init(owning number: CInt) {
        self.number = Atomic(number)
    }

    deinit {
        let number = number.load(ordering: .relaxed)
        if number != Self.closed { _ = Foundation.close(number) }
    }

    /// The number that the system knows it by.
    var raw: CInt { number.load(ordering: .relaxed) }

    /// Closes it now.
    ///
    /// - Throws: An error that the file system had kept for the last moment: on network file systems, a write that
    ///   failed.
    func close() throws(Errno) {
        let number = number.exchange(Self.closed, ordering: .relaxed)
        guard number != Self.closed, Foundation.close(number) < 0 else { return }
        let failure = Errno.last
        if failure.code != EINTR { throw failure }
    }

    /// Makes the file system say now what it would say when the last descriptor is closed.
    func flush() throws(Errno) {
        try Descriptor(owning: try system { fcntl(raw, F_DUPFD_CLOEXEC, 0) }).close()
    }
}

// MARK: - Contents

extension Descriptor {
    /// Reads from the current position.
    ///
    /// - Parameter buffer: Where the bytes go.
    /// - Returns: How many came; 0 at the end.
    /// - Throws: The system's error.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try system { Foundation.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// Reads from an offset in bytes.
    ///
    /// - Parameters:
    ///   - buffer: Where the bytes go.
    ///   - offset: Where to begin.
    /// - Returns: How many came; 0 at the end.
    /// - Throws: The system's error.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
        try system { pread(raw, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes all of the bytes at the current position.
    func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = try system { Foundation.write(raw, start, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes all of the bytes from an offset on.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
        var rest = bytes
        var offset = offset
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = try system { pwrite(raw, start, rest.count, off_t(offset)) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            offset += Int64(count)
        }
    }

    /// Moves the position.
    @discardableResult
    func seek(_ offset: Int64, from whence: CInt = SEEK_SET) throws(Errno) -> Int64 {
        Int64(try system { lseek(raw, off_t(offset), whence) })
    }

    /// Sets the length.
    func truncate(to length: Int64) throws(Errno) {
        try system { ftruncate(raw, off_t(length)) }
    }

    /// Waits until the storage itself holds what was written.
    func synchronize() throws(Errno) {
        try system { fsync(raw) }
    }
}

// MARK: - Attributes

extension Descriptor {
    func setPermissions(_ mode: mode_t) throws(Errno) {
        try system { fchmod(raw, mode) }
    }

    func setOwner(_ user: uid_t, _ group: gid_t) throws(Errno) {
        try system { fchown(raw, user, group) }
    }

    func setDates(accessed: timespec, modified: timespec) throws(Errno) {
        let times = (accessed, modified)
        try withUnsafeBytes(of: times) { bytes throws(Errno) in
            _ = try system { futimens(raw, bytes.assumingMemoryBound(to: timespec.self).baseAddress) }
        }
    }

    /// Sets when the content was changed; when it was last read stays.
    func setModified(_ date: timespec) throws(Errno) {
        try setDates(accessed: timespec(tv_sec: 0, tv_nsec: utimeOmit), modified: date)
    }
}
