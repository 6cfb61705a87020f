import FerryCore
import FerryHTTP
import Foundation

extension WebDAVProvider {
    /// Does something while nobody else can change a file, which must still be what it was.
    ///
    /// So a write can depend on an eTag where the server looks at no condition. In this process one write after the other
    /// gives the file its new content: the lock of one is no lock against the others.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - eTag: The eTag that it must have; `nil` to do it without more ado.
    ///   - body: The work.
    /// - Throws: ``PreconditionFailedError`` for a file that is another, or gone; `CocoaError.fileWriteNoPermission` for one
    ///   that somebody else has locked; what `body` throws.
    func whileLocked(_ path: ItemPath, with eTag: String?, _ body: () async throws -> Void) async throws {
        await connection.turns.take(path)
        defer { connection.turns.leave(path) }
        try Task.checkCancellation()
        guard let eTag else { return try await body() }
        let isOurs = connection.locks.locks(touchedBy: path).contains { lock in
            lock.path == path || lock.includesItemsBelow && path.isBelow(lock.path)
        }
        if isOurs { return try await ifUnchanged(path, eTag, body) }
        let own = try await lockBriefly(path)
        try await withCleanUp {
            try await ifUnchanged(path, eTag, body)
        } cleaningUp: { [self] in
            // With the file that was replaced, its lock is gone on some servers.
            do { try await unlock(own) } catch { connection.locks.release(token: own.token) }
        }
    }

    /// Locks a file for as long as a few requests take; waits a little for somebody who does the same.
    private func lockBriefly(_ path: ItemPath) async throws -> FileLock {
        var attempt = 1
        while true {
            do {
                // It ends by itself if we do first: the content lies there already, so that what follows is short.
                let options = FileLockOptions(includesItemsBelow: false, timeout: .seconds(120))
                return try await lock(path: path, options: options)
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                throw PreconditionFailedError(path: path)
            } catch let error as CocoaError where attempt < WebDAVConnection.attempts {
                guard error.serverAnswer?.statusCode == 423 else { throw error }
            }
            try await connection.waitBriefly(attempt: attempt)
            attempt += 1
        }
    }

    private func ifUnchanged(_ path: ItemPath, _ eTag: String, _ body: () async throws -> Void) async throws {
        guard case .file(let file) = try await state(of: path), file.eTag == eTag else {
            throw PreconditionFailedError(path: path)
        }
        try await body()
    }
}
