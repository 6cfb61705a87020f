package import FerryCore
package import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

extension WebDAVProvider {
    /// Returns what stands at a path.
    ///
    /// - Parameter path: The path.
    /// - Returns: A folder, a file, or nothing; never that it is unknown.
    /// - Throws: Errors that say no more than that it can't be told.
    package func state(of path: ItemPath) async throws -> WebDAVItemState {
        if path.isRoot { return .folder }
        guard let item = try await attributesIfExists(path: path) else { return .missing }
        return item.isDirectory ? .folder : .file(item)
    }

    /// The error that a refusal to put something at a path means; looks around where the status alone does not tell.
    ///
    /// - Parameters:
    ///   - reply: The refusal, whose body is read.
    ///   - path: Where something was to be put.
    ///   - condition: The condition of the request.
    /// - Returns: The error of the table.
    package func refusal(
        _ reply: HTTPReply,
        at path: ItemPath,
        condition: WebDAVRefusal.Condition
    ) async -> any Error {
        do {
            return await refusal(try await connection.refusal(reply, path: path), at: path, condition: condition)
        } catch {
            return error
        }
    }

    /// The error that a refusal to put something at a path means; looks around where the status alone does not tell.
    ///
    /// - Parameters:
    ///   - answer: The refusal.
    ///   - path: Where something was to be put.
    ///   - condition: The condition of the request.
    /// - Returns: The error of the table.
    package func refusal(
        _ answer: HTTPServerError,
        at path: ItemPath,
        condition: WebDAVRefusal.Condition
    ) async -> any Error {
        let refusal = WebDAVRefusal(answer: answer, path: path, condition: condition)
        guard refusal.needsLook, !path.isRoot else {
            if answer.statusCode == 423 { return await locked(answer, path: answer.path) }
            return refusal.error(parent: nil, target: nil)
        }
        let parent = await look(at: path.parent)
        let target: WebDAVItemState? = if case .folder = parent { await look(at: path) } else { nil }
        let error = refusal.error(parent: parent, target: target)
        if answer.statusCode == 423, (error as? CocoaError)?.code != .fileWriteFileExists {
            return await locked(answer, path: answer.path)
        }
        return error
    }

    /// The error that a refusal to change or remove an existing item means.
    ///
    /// - Parameter answer: The refusal.
    /// - Returns: The error of the table.
    package func refusal(_ answer: HTTPServerError) async -> any Error {
        switch answer.statusCode {
        case 412: PreconditionFailedError(path: answer.path, serverDescription: answer.serverDescription)
        case 423: await locked(answer, path: answer.path)
        default: answer.mapped(whileWriting: true, url: url(of: answer.path))
        }
    }

    private func look(at path: ItemPath) async -> WebDAVItemState {
        do {
            return try await state(of: path)
        } catch {
            return .unknown(error)
        }
    }

    /// Says who holds the lock, if the server tells.
    private func locked(_ answer: HTTPServerError, path: ItemPath) async -> any Error {
        let holder = await connection.holders(of: path.isRoot ? [path] : [path, path.parent]).first
        let words = holder.map { lock in "locked" + (lock.owner.map { " by \($0)" } ?? " by somebody else") }
        return CocoaError.file(
            .fileWriteNoPermission,
            path: path,
            description: words ?? "locked, or in use by somebody else",
            suggestion: "wait until the lock is released, or ask who holds it to do so",
            url: url(of: path),
            underlying: answer
        )
    }
}

extension WebDAVConnection {
    /// Returns whether an answer is a success through and through: of 207, whether every part is (RFC 4918 §13).
    ///
    /// - Parameters:
    ///   - reply: The answer, whose body is read.
    ///   - path: The item that the request was about.
    ///   - temporary: The name that the item has on the server meanwhile, if that is another.
    /// - Returns: `nil` for a success; else the refusal, of 207 that of the first part that failed.
    /// - Throws: Errors of the connection.
    package func failure(
        in reply: HTTPReply,
        path: ItemPath,
        under temporary: ItemPath? = nil
    ) async throws -> HTTPServerError? {
        switch reply.status.code {
        case 207:
            var reader = try WebDAVPartialFailures(connection: self, path: path)
            for try await chunk in reply.body {
                if let failure = try reader.read(chunk) { return failure.renamed(temporary, to: path) }
            }
            return try reader.finish()?.renamed(temporary, to: path)
        case 424: return try await dependencyFailure(reply, path: path).renamed(temporary, to: path)
        case 200..<300:
            await reply.discard()
            return nil
        default: return try await HTTPServerError.read(reply, path: path)
        }
    }

    /// Returns what Apache answers when one item keeps a folder from being moved or removed: 424 with a multistatus, in
    /// which that item has the status that tells why.
    private func dependencyFailure(_ reply: HTTPReply, path: ItemPath) async throws -> HTTPServerError {
        let body = try await reply.smallBody()
        do {
            var reader = try WebDAVPartialFailures(connection: self, path: path)
            if let part = try reader.read(ByteBuffer(bytes: body)) { return part }
            if let part = try reader.finish() { return part }
        } catch {
            // Words for people then, or nothing: the status says enough.
        }
        return HTTPServerError(reply, path: path, body: body)
    }

    /// The refusal that an answer is.
    ///
    /// - Parameters:
    ///   - reply: The answer, whose body is read.
    ///   - path: The item that the request was about.
    /// - Returns: The refusal, of 207 that of the first part that failed.
    /// - Throws: Errors of the connection.
    func refusal(_ reply: HTTPReply, path: ItemPath) async throws -> HTTPServerError {
        try await failure(in: reply, path: path)
            ?? HTTPServerError(reply.status, path: path, serverDescription: nil)
    }

}

extension HTTPServerError {
    /// The same error about the name that people know.
    fileprivate func renamed(_ temporary: ItemPath?, to path: ItemPath) -> HTTPServerError {
        guard let temporary else { return self }
        return HTTPServerError(
            HTTPResponse.Status(code: statusCode),
            path: self.path.replacing(temporary, with: path),
            serverDescription: serverDescription,
            retryAfter: retryAfter
        )
    }
}

extension WebDAVConnection {
    /// The error that an answer means, whatever else may be known.
    ///
    /// - Parameters:
    ///   - reply: The answer, whose body is read.
    ///   - path: The item that the request was about.
    ///   - isWriting: `true` if the request was to change something.
    /// - Returns: The error of the table.
    package func error(of reply: HTTPReply, path: ItemPath, whileWriting isWriting: Bool = false) async -> any Error {
        do {
            return try await HTTPServerError.read(reply, path: path).mapped(whileWriting: isWriting)
        } catch {
            return error
        }
    }
}
