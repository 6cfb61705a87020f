package import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import Synchronization

extension WebDAVProvider {
    /// Gives what is complete under a temporary name its final one.
    ///
    /// When the answer is lost, we look: gone here and there at the new name, it was moved. And it can be tried again, when
    /// two that replace the same file at the same time are in each other's way, as on servers that remove the old file
    /// first.
    ///
    /// - Parameters:
    ///   - temporary: Where it is.
    ///   - path: Where it goes.
    ///   - isFolder: `true` if it is a folder.
    ///   - isReplacing: `true` if a file there is to be replaced; the caller has looked that there is no folder.
    ///   - isTemporary: `true` if nobody knows the item by the name that it has; then errors speak of the new one only.
    ///   - mayFallBack: `true` if the caller has another way where nothing can be moved.
    /// - Throws: See ``FileProviderOperations``; ``WebDAVMoveRefusal`` to a caller that has another way; what is under
    ///   the temporary name then is still there. The error of a part
    ///   that could not be moved names the part.
    package func settle(
        _ temporary: ItemPath,
        at path: ItemPath,
        isFolder: Bool,
        replacing isReplacing: Bool,
        isTemporary: Bool = true,
        mayFallBack: Bool = false
    ) async throws {
        var isUnsure = false
        var attempt = 1
        while true {
            do {
                let reply = try await change(
                    .move(source: temporary, destination: path),
                    overwrite: isReplacing,
                    isFolder: isFolder
                )
                let name = isTemporary ? temporary : nil
                guard let failure = try await connection.failure(in: reply, path: path, under: name) else { return }
                // Sent before, it may have been done late.
                if isUnsure, try await isMoved(temporary, to: path) == true { return }
                // Of a folder, the one of an item in it: lighttpd lists the folder itself, too.
                if failure.path != path, failure.path != temporary { throw await refusal(failure) }
                let error = await refusal(failure, at: path, condition: isReplacing ? .none : .absence)
                if failure.meansMoveRefused, !error.meansOtherwise, isTemporary || failure.statusCode != 403 {
                    // A server behind a proxy may only be away for a moment.
                    if failure.statusCode == 502, attempt < 2 { throw URLError(.badServerResponse) }
                    let told = moveRefusal(at: isTemporary ? path : temporary, failure)
                    throw mayFallBack ? WebDAVMoveRefusal(told: told) : told
                }
                guard failure.meansDisturbed, !error.isFinal, attempt < WebDAVConnection.attempts else { throw error }
            } catch let error as URLError where error.meansLostAnswer {
                let isMoved = try await isMoved(temporary, to: path)
                if isMoved == true { return }
                guard isMoved == nil, attempt < 3 else { throw error }
                isUnsure = true
            }
            try await connection.waitBriefly(attempt: attempt)
            attempt += 1
        }
    }

    /// Returns what has become of a move whose answer was lost: `nil` if nothing, `false` if the item is in neither
    /// place, so that somebody else was at it.
    private func isMoved(_ source: ItemPath, to target: ItemPath) async throws -> Bool? {
        guard case .missing = try await state(of: source) else { return nil }
        if case .missing = try await state(of: target) { return false }
        return true
    }
}

extension WebDAVConnection {
    /// Does something that makes an item under a temporary name, and removes that if it fails.
    ///
    /// - Parameters:
    ///   - path: The temporary item.
    ///   - isFolder: `true` if it is a folder.
    ///   - body: The work; it calls `answered` when the server has answered the request that makes the item.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    func withTemporary<Result: Sendable>(
        _ path: ItemPath,
        isFolder: Bool = false,
        perform body: (_ answered: () -> Void) async throws -> Result
    ) async throws -> Result {
        let isAnswered = Mutex(false)
        return try await withCleanUpAfterFailure {
            try await body { isAnswered.withLock { $0 = true } }
        } cleaningUp: {
            await self.removeTemporary(path, isFolder: isFolder, mayStillCome: isAnswered.withLock { !$0 })
        }
    }

    /// Removes what was not to stay; if that fails too, there is nothing more to do about it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    ///   - mayStillCome: `true` if the server has not answered the request that makes it: a busy one may hear of the
    ///     removal first, so that what is not there is removed up to three times more, within about half a second.
    package func removeTemporary(_ path: ItemPath, isFolder: Bool, mayStillCome: Bool = false) async {
        do {
            var attempt = 3
            while true {
                let reply = try await change(changeRequest(.delete, path, isFolder: isFolder), about: path)
                await reply.discard()
                if reply.status.kind == .successful { return }
                guard reply.status == .notFound else {
                    environment.logger.debug("a temporary item stays", metadata: ["status": "\(reply.status.code)"])
                    return
                }
                if !mayStillCome || attempt > 5 { return }
                try await waitBriefly(attempt: attempt)
                attempt += 1
            }
        } catch {
            environment.logger.debug("a temporary item stays", metadata: ["error": "\(type(of: error))"])
        }
    }
}

extension HTTPServerError {
    /// Indicates whether nothing may be moved there at all: servers don't know their own names behind a proxy.
    fileprivate var meansMoveRefused: Bool { [400, 403, 405, 501, 502].contains(statusCode) }

    /// Indicates whether the server may only have been disturbed by another request for the same item.
    fileprivate var meansDisturbed: Bool { [404, 409, 500].contains(statusCode) }
}

extension Error {
    /// Indicates whether it explains a refused move by what stands there, or by the name.
    fileprivate var meansOtherwise: Bool {
        switch (self as? CocoaError)?.code {
        case .fileNoSuchFile, .fileWriteFileExists, .fileWriteInvalidFileName: true
        case .fileWriteUnknown: (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] is POSIXError
        default: self is CancellationError || (self as? URLError)?.code == .userAuthenticationRequired
        }
    }

    /// Indicates whether it says for certain why nothing can be put there.
    fileprivate var isFinal: Bool {
        switch (self as? CocoaError)?.code {
        case .fileNoSuchFile, .fileWriteFileExists, .fileWriteNoPermission, .fileWriteInvalidFileName: true
        case .fileWriteUnknown: (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] is POSIXError
        default: self is CancellationError
        }
    }
}

extension URLError {
    /// Indicates whether the request may have been carried out all the same.
    fileprivate var meansLostAnswer: Bool {
        [.networkConnectionLost, .timedOut, .badServerResponse, .cannotParseResponse].contains(code)
    }
}
