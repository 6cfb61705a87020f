public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// Locks an item (RFC 4918 §9.10).
    ///
    /// - Parameters:
    ///   - path: The item; it must exist.
    ///   - options: How it is to be locked.
    /// - Returns: The lock, as the server granted it.
    /// - Throws: `CocoaError.fileWriteNoPermission` if somebody else holds a lock; `.featureUnsupported` where nothing
    ///   can be locked, or not so; `.fileNoSuchFile`.
    public func lock(path: ItemPath, options: FileLockOptions) async throws -> FileLock {
        try await requireLocks(path)
        // To lock a name that is free makes an empty file, or on Apache a name that is taken by nothing.
        let isFolder =
            switch try await state(of: path) {
            case .missing: throw CocoaError.noSuchItem(path)
            case .unknown(let error): throw error
            case .folder: true
            case .file: false
            }
        var fields: HTTPFields = [.contentType: "application/xml"]
        fields[.depth] = isFolder && options.includesItemsBelow ? "infinity" : "0"
        fields[.timeout] = Self.timeout(options.timeout)
        let reply = try await connection.send(
            .lock,
            path,
            isFolder: isFolder,
            fields: fields,
            body: HTTPRequestBody(lockInfo(options)),
            isIdempotent: false
        )
        guard reply.status.kind == .successful, reply.status.code != 207 else {
            throw try await lockRefusal(reply, path: path)
        }
        guard let lock = try await granted(reply, path: path) else {
            throw URLError.answer(.cannotParseResponse, description: "the server granted a lock and did not say which")
        }
        connection.locks.hold(lock, isFolder: isFolder)
        return lock
    }

    /// Makes a lock hold longer (RFC 4918 §9.10.2).
    ///
    /// - Parameters:
    ///   - lock: The lock, from this process or an earlier one.
    ///   - timeout: How long from now; `nil` for what the server likes.
    /// - Returns: The lock with its new end.
    /// - Throws: ``/FerryCore/PreconditionFailedError`` when the lock is no longer held.
    public func refresh(_ lock: FileLock, timeout: Duration?) async throws -> FileLock {
        try await requireHeld(lock)
        var fields: HTTPFields = [.condition: "(<\(lock.token)>)"]
        fields[.timeout] = Self.timeout(timeout)
        let isFolder = try await isFolder(lock)
        let reply = try await connection.send(
            .lock,
            lock.path,
            isFolder: isFolder,
            fields: fields,
            isIdempotent: true
        )
        guard reply.status.kind == .successful else { throw try await lapsed(reply, lock) }
        let granted = try await granted(reply, path: lock.path, token: lock.token)
        let refreshed = FileLock(
            path: lock.path,
            token: lock.token,
            scope: lock.scope,
            includesItemsBelow: lock.includesItemsBelow,
            owner: lock.owner,
            expires: granted?.expires ?? timeout.map { Date(timeIntervalSinceNow: Double($0.components.seconds)) }
        )
        connection.locks.hold(refreshed, isFolder: isFolder)
        return refreshed
    }

    /// Ends a lock (RFC 4918 §9.11).
    ///
    /// - Parameter lock: The lock, from this process or an earlier one.
    /// - Throws: ``/FerryCore/PreconditionFailedError`` when the lock is no longer held.
    public func unlock(_ lock: FileLock) async throws {
        try await requireHeld(lock)
        let reply = try await connection.send(
            .unlock,
            lock.path,
            isFolder: try await isFolder(lock),
            fields: [.lockToken: "<\(lock.token)>"],
            isIdempotent: false
        )
        guard reply.status.kind == .successful else { throw try await lapsed(reply, lock) }
        await reply.discard()
        connection.locks.release(token: lock.token)
    }

    /// The locks on an item, whoever holds them.
    ///
    /// - Parameter path: The item.
    /// - Returns: Locks on the item, or on a folder above it that hold for it, as far as the server tells.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func locks(on path: ItemPath) async throws -> [FileLock] {
        let told = try await connection.discoverLocks(on: path)
        // Go's server tells no locks. Ours are known all the same.
        let own = connection.locks.locks(touchedBy: path).filter { lock in
            lock.path == path || lock.includesItemsBelow && path.isBelow(lock.path)
        }
        let now = connection.now()
        let isLive = { (lock: FileLock) in lock.expires.map { $0 > now } ?? true }
        return told + own.filter { lock in isLive(lock) && !told.contains { $0.token == lock.token } }
    }

    // MARK: Requests and answers

    private func requireLocks(_ path: ItemPath) async throws {
        _ = try await connection.traits()
        if !connection.facts.hasLocks { throw CocoaError.unsupported("locking", path: path) }
    }

    /// Asks whether a lock is still held, where the server would not tell.
    private func requireHeld(_ lock: FileLock) async throws {
        guard try await connection.traits().forgetsLocks else { return }
        do {
            if try await connection.discoverLocks(on: lock.path).contains(where: { $0.token == lock.token }) { return }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // With the item its locks are gone.
        }
        connection.locks.release(token: lock.token)
        throw PreconditionFailedError(path: lock.path)
    }

    private static func timeout(_ timeout: Duration?) -> String {
        timeout.map { "Second-\(max(1, $0.components.seconds))" } ?? "Infinite"
    }

    private func lockInfo(_ options: FileLockOptions) -> String {
        // It may be left out (RFC 4918 §14.17), but a server like ASGIWebDAV refuses a lock that nobody owns.
        let owner = options.owner ?? credential?.user ?? "Ferry"
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <D:lockinfo xmlns:D="DAV:"><D:lockscope><D:\(options.scope.rawValue)/></D:lockscope>\
            <D:locktype><D:write/></D:locktype>\
            <D:owner>\(owner.xmlEscaped)</D:owner></D:lockinfo>
            """
    }

    /// The lock that an answer speaks of: the one of the `Lock-Token` field, or of the given token.
    private func granted(_ reply: HTTPReply, path: ItemPath, token: String? = nil) async throws -> FileLock? {
        let field = reply.head.headerFields[.lockToken]?.trimmingCharacters(in: .whitespaces)
        // Go's tokens are numbers, in angle brackets here and bare elsewhere.
        let wanted = token ?? field?.trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
        let body = try await reply.smallBody()
        guard let discovery = try? MultistatusParser.tree(of: body).first("lockdiscovery") else { return nil }
        let locks = WebDAVActiveLock.locks(in: discovery, on: path, connection: connection)
        guard let wanted else { return locks.count == 1 ? locks.first : nil }
        return locks.first { $0.token == wanted }
    }

    private func isFolder(_ lock: FileLock) async throws -> Bool {
        if connection.locks.holds(token: lock.token) { return connection.locks.isFolder(lock.path) }
        if case .folder = try await state(of: lock.path) { return true }
        return false
    }

    private func lockRefusal(_ reply: HTTPReply, path: ItemPath) async throws -> any Error {
        let answer =
            try await connection.failure(in: reply, path: path)
            ?? HTTPServerError(reply.status, path: path, serverDescription: nil)
        // Some know one kind of lock only, and say so with 400, 403, 409 or 422.
        return await refusal(answer)
    }

    /// The lock is gone: RFC 4918 §9.10.6 has 412 for it, §9.11.1 has 409, and servers have more.
    private func lapsed(_ reply: HTTPReply, _ lock: FileLock) async throws -> any Error {
        let answer = try await HTTPServerError.read(reply, path: lock.path)
        guard [400, 403, 404, 409, 412, 423].contains(answer.statusCode) else { return await refusal(answer) }
        connection.locks.release(token: lock.token)
        return PreconditionFailedError(path: lock.path, serverDescription: answer.serverDescription)
    }
}
