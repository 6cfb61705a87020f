import Foundation

/// A file without a name, which is gone when nobody has it open.
final class ScratchFile: Sendable {
    let descriptor: Int32

    /// Makes one, which is read from its start.
    init(_ contents: Data = Data()) throws {
        var path = Array("\(NSTemporaryDirectory())/ferry-test-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(path)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: contents)
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    /// All that was written to it.
    var contents: Data {
        get throws {
            lseek(descriptor, 0, SEEK_SET)
            return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
        }
    }
}
