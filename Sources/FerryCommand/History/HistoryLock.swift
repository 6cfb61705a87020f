import FerryCore
import Foundation

/// Keeps two processes from taking back, doing again or forgetting commands at the same time: both would read the same
/// history, and act on the same kept items.
final class HistoryLock: Sendable {
    private static let pause = Duration.milliseconds(100)
    private static let notice = "ferry: waits for another 'ferry undo', 'redo' or 'history clear' to end"

    private let descriptor: CInt

    private init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Runs a body while no other process holds the lock.
    ///
    /// A killed process holds nothing any more: the system releases its lock (flock(2)).
    ///
    /// - Parameters:
    ///   - session: The session; its history is locked, and its console shows that another process is waited for.
    ///   - body: What reads the history and changes it.
    /// - Returns: The value that the body returns.
    /// - Throws: `CocoaError` that names the lock's file; `CancellationError`; any error that the body throws.
    static func hold<Result>(_ session: Session, _ body: () async throws -> Result) async throws -> Result {
        let path = UserFolders(environment: session.environment).history + ".lock"
        let lock = HistoryLock(try await BlockingWork.run { try open(path) })
        var isTold = false
        while try await !BlockingWork.run({ try lock.take(path) }) {
            if !isTold { session.console.tell(notice) }
            isTold = true
            try await Task.sleep(for: pause)
        }
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }

    private static func open(_ path: String) throws -> CInt {
        _ = try PrivateFile.makeFolder(of: path)
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        return descriptor
    }

    /// Returns `false` if another process holds it.
    private func take(_ path: String) throws -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EWOULDBLOCK { return false }
            if code != EINTR { throw Self.failure(path, code) }
        }
        return true
    }

    private static func failure(_ path: String, _ code: CInt) -> CocoaError {
        let reason = String(cString: strerror(code)).lowercased()
        return .location(path, "can't be locked (\(reason))", "check its permissions and its folder's")
    }
}
