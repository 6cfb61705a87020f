import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// The error that a refusal to take content means.
    ///
    /// Some servers answer 500 or 405, whatever keeps them from making a file. So it is looked for what they do tell: the
    /// room that is left, and why no folder can be made there either.
    ///
    /// - Parameters:
    ///   - reply: The refusal, whose body is read.
    ///   - path: The file that the content is for.
    ///   - length: Bytes of the content; `nil` if nobody knows.
    ///   - condition: The condition of the request.
    /// - Returns: The error of the table.
    func refusalToPut(
        _ reply: HTTPReply,
        at path: ItemPath,
        length: Int64?,
        condition: WebDAVRefusal.Condition
    ) async -> any Error {
        do {
            let answer = try await connection.refusal(reply, path: path)
            return await refusalToPut(answer, at: path, length: length, condition: condition)
        } catch {
            return error
        }
    }

    /// The error that a refusal to take content means.
    ///
    /// - Parameters:
    ///   - answer: The refusal.
    ///   - path: The file that the content is for.
    ///   - length: Bytes of the content; `nil` if nobody knows.
    ///   - condition: The condition of the request.
    /// - Returns: The error of the table.
    func refusalToPut(
        _ answer: HTTPServerError,
        at path: ItemPath,
        length: Int64?,
        condition: WebDAVRefusal.Condition
    ) async -> any Error {
        let error = await refusal(answer, at: path, condition: condition)
        guard [405, 500].contains(answer.statusCode), error.isVague else { return error }
        if let explanation = await explanation(of: answer, in: path.parent, length: length) {
            return explanation.error(for: path, answer)
        }
        // That a server can't take content at all is no explanation.
        return answer.statusCode == 405 ? CocoaError.file(.fileWriteUnknown, path: path, underlying: answer) : error
    }

    /// Looks for what else the server tells; `nil` also if that fails: then the refusal itself is the error to tell.
    private func explanation(
        of answer: HTTPServerError,
        in folder: ItemPath,
        length: Int64?
    ) async -> WebDAVExplanation? {
        guard let traits = try? await connection.traits() else { return nil }
        let room = WebDAVPropertyName("quota-available-bytes")
        // Less than nothing means that there is no limit.
        if let left = try? await properties(of: folder, [room]).quotaAvailable, left >= 0,
            left < max(WebDAVExplanation.leastRoom, length ?? 0)
        {
            return .full
        }
        guard traits.explainsByFolders else { return nil }
        let probe = folder.appending(TemporaryName.make(for: traits))
        let request = connection.changeRequest(.mkcol, probe, isFolder: true, isIdempotent: false)
        guard let reply = try? await connection.change(request, about: probe) else { return nil }
        await reply.discard()
        switch reply.status.code {
        case 200..<300:
            let connection = connection
            await uncancelled { await connection.removeTemporary(probe, isFolder: true) }
            return nil
        case 507: return .full
        case 403: return .forbidden
        // Where every refusal is a 405, both are refused alike.
        case 405 where answer.statusCode == 405: return .forbidden
        default: return nil
        }
    }
}

/// Why nothing can be put into a folder.
private enum WebDAVExplanation {
    /// There is no room.
    case full
    /// We may not.
    case forbidden

    /// The bytes that a file takes up at least on any file system.
    static let leastRoom: Int64 = 4096

    func error(for path: ItemPath, _ answer: HTTPServerError) -> CocoaError {
        let code: CocoaError.Code = self == .full ? .fileWriteOutOfSpace : .fileWriteNoPermission
        return CocoaError.file(code, path: path, underlying: answer)
    }
}

extension Error {
    /// Indicates whether it says only that something went wrong, or that it can't be done.
    fileprivate var isVague: Bool {
        if let error = self as? URLError { return error.code == .badServerResponse }
        return (self as? CocoaError)?.code == .featureUnsupported
    }
}
