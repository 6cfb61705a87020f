import FerryCore
import Foundation
import NIOCore

/// A file of contents.
///
/// Its name is its number, or, once all of it is there, the content's hash and its number. The folders are named after the
/// number's last two digits, so that no folder has many files, and one can be compared with the index at a time.
final class ContentFile: Sendable {
    let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    // MARK: Names

    static func name(_ id: Int64, hash: Data? = nil) -> String {
        let number = UInt64(bitPattern: id).hexadecimal
        return hash.map { $0.map(\.hexadecimal).joined() + "-" + number } ?? number
    }

    /// The number in a name.
    static func id(_ name: String) -> Int64? {
        let number = name.utf8.suffix(16)
        guard number.count == 16 else { return nil }
        return UInt64(String(decoding: number, as: UTF8.self), radix: 16).map { Int64(bitPattern: $0) }
    }

    static func path(_ name: String, in folder: String) -> String {
        "\(folder)/\(name.suffix(2))/\(name)"
    }

    // MARK: Opening

    /// Opens a file for reading, under whichever name it has.
    static func open(_ id: Int64, hash: Data?, in folder: String) -> ContentFile? {
        for name in hash.map({ [name(id, hash: $0), name(id)] }) ?? [name(id)] {
            let descriptor = Foundation.open(path(name, in: folder), O_RDONLY | openFlags)
            if let file = ordinary(descriptor) { return file }
        }
        return nil
    }

    /// Opens a file for writing that is not whole yet.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - creates: `true` if it is made; then it must not be there yet.
    ///   - folder: Of all files.
    /// - Returns: `nil` if it can't be opened.
    static func openForWriting(_ id: Int64, creates: Bool, in folder: String) -> ContentFile? {
        let path = path(name(id), in: folder)
        let flags = O_RDWR | openFlags | (creates ? O_CREAT | O_EXCL : 0)
        var descriptor = Foundation.open(path, flags, 0o600)
        if descriptor < 0, creates, errno == ENOENT {
            mkdir(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), 0o700)
            descriptor = Foundation.open(path, flags, 0o600)
        }
        return ordinary(descriptor)
    }

    /// Somebody may have put a pipe there, which nobody is to wait for, or a link.
    private static let openFlags = O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW

    /// Returns what was opened, if it is an ordinary file.
    private static func ordinary(_ descriptor: CInt) -> ContentFile? {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        return ContentFile(descriptor: descriptor)
    }

    /// Gives a file that is whole the name of its hash.
    ///
    /// A process that is killed before leaves it under its first name, where it is found too.
    static func rename(_ id: Int64, hash: Data, in folder: String) {
        _ = Foundation.rename(path(name(id), in: folder), path(name(id, hash: hash), in: folder))
    }

    /// Removes a file, if it is there.
    static func remove(_ name: String, in folder: String) -> Bool {
        unlink(path(name, in: folder)) == 0 || errno == ENOENT || errno == ENOTDIR
    }

    // MARK: Bytes

    /// Bytes at an offset; `nil` unless all are there.
    func read(_ range: Range<Int64>) -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: range.count)
        return read(range, into: &buffer) ? buffer : nil
    }

    /// Appends bytes at an offset; `false` unless all are there.
    func read(_ range: Range<Int64>, into buffer: inout ByteBuffer) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(range.upperBound - position)) {
                let count = pread(descriptor, $0.baseAddress, Int(range.upperBound - position), off_t(position))
                return max(0, count)
            }
            if count == 0 { return false }
            position += Int64(count)
        }
        return true
    }

    /// Writes bytes; `false` if not all could be written.
    func write(_ bytes: ByteBuffer, at offset: Int64) -> Bool {
        bytes.withUnsafeReadableBytes { write($0, at: offset) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Bytes of the file.
    var length: Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }
}
