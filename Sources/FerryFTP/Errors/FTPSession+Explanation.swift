import FerryCore
import Foundation

extension FTPSession {
    /// The error for a folder that can't be listed, once it is clear what stands there.
    func explained(_ failure: FTPFailure, listing path: ItemPath) throws -> any Error {
        guard let reply = failure.answer, isUsable else { return failure }
        let underlying = FTPServerError(reply, path)
        guard let item = try item(at: path) else { return CocoaError.noSuchItem(path, underlying: underlying) }
        switch item.type {
        case .file, .other: return CocoaError.notAFolder(path)
        case .directory, .symlink: return refusal(reply, of: path, orElse: .fileReadNoPermission)
        }
    }

    /// The error for a file that can't be read.
    func explained(_ failure: FTPFailure, reading path: ItemPath) throws -> any Error {
        guard let reply = failure.answer, isUsable else { return failure }
        guard let item = try item(at: path) else {
            return CocoaError.noSuchItem(path, underlying: FTPServerError(reply, path))
        }
        if item.isDirectory { return CocoaError.isAFolder(path) }
        if item.isSymbolicLink, FTPRefusalMeaning(reply) == .missing {
            return CocoaError.noSuchItem(path, underlying: FTPServerError(reply, path))
        }
        return refusal(reply, of: path, orElse: .fileReadNoPermission)
    }

    /// The error for something that can't be put at a path.
    ///
    /// - Parameters:
    ///   - failure: The server's refusal.
    ///   - path: Where it was to go.
    /// - Returns: The error.
    /// - Throws: Why that can't be found out.
    func explained(_ failure: FTPFailure, writing path: ItemPath) throws -> any Error {
        guard let reply = failure.answer, isUsable else { return failure }
        switch FTPRefusalMeaning(reply) {
        case .full, .readOnly, .badName, .unsupported, .notLoggedIn, .unavailable:
            return failure.mapped(path: path, isWriting: true, at: server.address)
        default: break
        }
        let parent = path.parent
        if try quickKind(at: parent) != .directory {
            guard let folder = try item(at: parent) else {
                return CocoaError.noSuchItem(parent, underlying: FTPServerError(reply, path))
            }
            guard folder.isDirectory || folder.isSymbolicLink else {
                return CocoaError.notAFolder(parent, whileWriting: true)
            }
        }
        if Array(path.lastComponent.utf8).count > 255 {
            return CocoaError.file(.fileWriteInvalidFileName, path: path, underlying: FTPServerError(reply, path))
        }
        return refusal(reply, of: path, orElse: .fileWriteNoPermission)
    }

    /// The error for an item that can't be removed, moved or changed.
    ///
    /// - Parameters:
    ///   - failure: The server's refusal.
    ///   - path: The item.
    ///   - isThere: `true` if it is known to exist.
    /// - Returns: The error.
    /// - Throws: Why that can't be found out.
    func explained(_ failure: FTPFailure, changing path: ItemPath, isThere: Bool = false) throws -> any Error {
        guard let reply = failure.answer, isUsable else { return failure }
        guard try isThere || quickKind(at: path) != nil || item(at: path) != nil else {
            return CocoaError.noSuchItem(path, underlying: FTPServerError(reply, path))
        }
        return refusal(reply, of: path, orElse: .fileWriteNoPermission)
    }

    /// The refusal's own meaning, if it has a clear one that fits an item that exists; else the usual reason.
    private func refusal(_ reply: FTPReply, of path: ItemPath, orElse code: CocoaError.Code) -> any Error {
        switch FTPRefusalMeaning(reply) {
        case .unclear, .missing, .denied, .notAFolder, .isAFolder, .exists:
            CocoaError.file(code, path: path, underlying: FTPServerError(reply, path))
        default:
            FTPFailure.refusal(reply).mapped(path: path, isWriting: code != .fileReadNoPermission, at: server.address)
        }
    }
}

extension FTPFailure {
    /// The server's answer to the question, as opposed to what keeps it from answering.
    fileprivate var answer: FTPReply? {
        guard case .refusal(let reply) = self, FTPRefusalMeaning(reply) != .unavailable else { return nil }
        return reply
    }
}
