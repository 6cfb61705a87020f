import Foundation
import Synchronization

/// Says that a process is at a job; it ends with the process, however that ends.
final class JobLock: Sendable {
    private let descriptor: Mutex<CInt>
    private let path: String

    /// Takes the lock, or doesn't, at once.
    ///
    /// - Parameter path: A file of its own for the job.
    /// - Returns: `nil` if another has it.
    /// - Throws: `POSIXError` if there can't be such a file, or it can't be locked.
    static func take(_ path: String) throws -> JobLock? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                if reason == EINTR { continue }
                // Anything else, as of a file system without locks, is no sign that another has it.
                guard reason == EWOULDBLOCK else { throw POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO) }
                return nil
            }
            // The former holder may have removed the file meanwhile: then it locks nothing.
            var ours = stat()
            var theirs = stat()
            if fstat(descriptor, &ours) == 0, stat(path, &theirs) == 0, ours.st_ino == theirs.st_ino {
                return JobLock(descriptor, path)
            }
            close(descriptor)
        }
    }

    private init(_ descriptor: CInt, _ path: String) {
        self.descriptor = Mutex(descriptor)
        self.path = path
    }

    deinit { release() }

    /// Lets go of it.
    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            unlink(path)
            close(descriptor)
            descriptor = -1
        }
    }
}
