import FerryCore
import Foundation
import Logging

/// Keeps two processes from undoing, redoing or forgetting commands at the same time: both would read the same history, and
/// act on the same kept items.
final class HistoryLock: Sendable {
    private static let pause = Duration.milliseconds(100)
    private static let notice = "ferry: waits for another ferry process that changes the history"

    private let path: String
    private let descriptor: CInt

    private init(_ session: Session) async throws {
        let path = UserFolders(environment: session.environment).history + ".lock"
        descriptor = try await BlockingWork.run { try Self.open(path) }
        self.path = path
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
    ///   - isNeeded: `false` if the body runs also where the lock can't be had, as in a folder that is read-only.
    ///   - body: The work, which reads the history and changes it.
    /// - Returns: The value that the body returns.
    /// - Throws: `CocoaError` that names the lock's file; `CancellationError`; any error that the body throws.
    static func hold<Result>(
        _ session: Session,
        isNeeded: Bool = true,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let lock: HistoryLock
        var isFree: Bool
        do {
            lock = try await HistoryLock(session)
            isFree = try await lock.take()
        } catch let error as CocoaError where !isNeeded {
            session.providerLogger.debug("the history is not locked", metadata: ["error": "\(error)"])
            return try await body()
        }
        if !isFree { session.console.tell(notice) }
        while !isFree {
            try await Task.sleep(for: pause)
            isFree = try await lock.take()
        }
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }

    /// Runs a body if no other process holds the lock, and holds it meanwhile.
    ///
    /// - Parameters:
    ///   - session: The session, whose history is locked.
    ///   - body: The work, which reads the history and changes it.
    /// - Throws: `CocoaError` that names the lock's file; any error that the body throws.
    static func holdIfFree(_ session: Session, _ body: () async throws -> Void) async throws {
        let lock = try await HistoryLock(session)
        guard try await lock.take() else { return }
        defer { withExtendedLifetime(lock) {} }
        try await body()
    }

    private static func open(_ path: String) throws -> CInt {
        _ = try PrivateFile.makeFolder(of: path)
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        return descriptor
    }

    /// Takes the lock; returns `false` if another process holds it.
    private func take() async throws -> Bool {
        try await BlockingWork.run { [self] in
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                let code = errno
                if code == EWOULDBLOCK { return false }
                if code != EINTR { throw Self.failure(path, code) }
            }
            return true
        }
    }

    private static func failure(_ path: String, _ code: CInt) -> CocoaError {
        let reason = String(cString: strerror(code)).lowercased()
        return .location(path, "can't be locked (\(reason))", "check its permissions and its folder's")
    }
}
