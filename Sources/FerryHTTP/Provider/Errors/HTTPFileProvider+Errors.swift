public import FerryCore
import Foundation
import HTTPTypes
import NIOCore

extension HTTPFileProvider {
    /// The error of the table for a server's answer, which travels inside it.
    ///
    /// - Parameters:
    ///   - error: The error that ``serverError(with:path:data:)`` made of the answer.
    ///   - isWriting: `true` if the request was to change something.
    /// - Returns: An error with the code that the situation has on every storage; the server's answer as it is where no
    ///   code fits.
    public func mappedError(_ error: any FileProviderHTTPError, whileWriting isWriting: Bool = false) -> any Error {
        let plain =
            error as? HTTPServerError
            ?? HTTPServerError(
                HTTPResponse.Status(code: error.statusCode),
                path: error.path,
                serverDescription: error.serverDescription
            )
        // The provider's own type is what travels inside.
        return switch plain.mapped(whileWriting: isWriting, url: url(of: error.path)) {
        case let mapped as CocoaError: mapped.with(underlying: error)
        case let mapped as URLError: mapped.with(underlying: error)
        default: error
        }
    }

    /// Reads the beginning of an answer that is no success, and makes its error.
    func serverError(of reply: HTTPReply, path: ItemPath) async throws -> any FileProviderHTTPError {
        var reply = reply
        let words = try await refusalWords(&reply)
        let error = serverError(with: reply.status, path: path, data: words)
        guard let plain = error as? HTTPServerError, plain.retryAfter == nil,
            let retryAfter = reply.head.headerFields.retryAfter(now: transport.now())
        else { return error }
        return HTTPServerError(
            HTTPResponse.Status(code: plain.statusCode),
            path: plain.path,
            serverDescription: plain.serverDescription,
            retryAfter: retryAfter
        )
    }

    /// Reads the beginning of a refusal's body, which is all that is left of it then.
    func refusalWords(_ reply: inout HTTPReply) async throws -> Data {
        // Packed in a way that nobody knows, it has no words.
        reply = reply.decoded(limit: 1 << 20)
        let words = try await reply.body.beginning(of: 16 << 10)
        reply.head.headerFields[.contentLength] = String(words.count)
        reply.body = HTTPReplyBody(ByteBuffer(bytes: words))
        return words
    }

    /// Why a file or folder could not be read: an answer that may mean several things makes us look at the item.
    func refusalOfReading(
        _ error: any FileProviderHTTPError,
        path: ItemPath,
        wantsFolder: Bool
    ) async throws -> any Error {
        let mapped = mappedError(error)
        // 404 is clear about a file: where a folder has no content, it says so otherwise.
        guard (400..<500).contains(error.statusCode), ![401, 403, 407, 408, 416, 429].contains(error.statusCode),
            wantsFolder || (error.statusCode != 404 && error.statusCode != 410), error.path == path
        else { return mapped }
        return try await looking(else: mapped) {
            guard let item = try await attributesIfExists(path: path) else { return nil }
            if wantsFolder { return item.isDirectory ? nil : CocoaError.notAFolder(path) }
            return item.isDirectory ? CocoaError.isAFolder(path) : nil
        }
    }

    /// Why something could not be written: servers say 400, 404, 405, 409, 412 and 500 for a target that exists, and for
    /// a folder that is missing.
    func refusalOfWriting(
        _ error: any FileProviderHTTPError,
        to target: ItemPath,
        overwrite: Bool,
        ifMatch: String? = nil,
        isDirectory: Bool
    ) async throws -> any Error {
        let mapped = mappedError(error, whileWriting: true)
        guard [400, 404, 405, 409, 410, 412, 422, 428, 500].contains(error.statusCode) else { return mapped }
        return try await looking(else: mapped) {
            if let existing = try await attributesIfExists(path: target) {
                if ifMatch != nil, existing.isRegularFile { return nil }
                let fits = overwrite && existing.isDirectory == isDirectory
                return fits ? nil : CocoaError.itemExists(target, underlying: error)
            }
            if let missing = try await missingFolder(for: target) { return missing }
            return ifMatch == nil ? nil : CocoaError.noSuchItem(target, underlying: error)
        }
    }

    /// Why nothing can be put under a path: its folder is missing, or is a file.
    func missingFolder(for path: ItemPath) async throws -> CocoaError? {
        let parent = path.parent
        guard !parent.isRoot, !parent.beginsWithIdentifier else { return nil }
        guard let folder = try await attributesIfExists(path: parent) else { return .noSuchItem(parent) }
        return folder.isRegularFile ? .notAFolder(parent, whileWriting: true) : nil
    }

    /// Returns what a closer look tells; if the look fails too, the first error says more.
    private func looking(
        else error: any Error,
        _ look: () async throws -> (any Error)?
    ) async throws -> any Error {
        do {
            return try await look() ?? error
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            return error
        }
    }
}

extension HTTPReplyBody {
    /// The first bytes; the rest is let go of.
    fileprivate func beginning(of limit: Int) async throws -> Data {
        var bytes = Data()
        do {
            for try await chunk in self {
                bytes.append(contentsOf: chunk.readableBytesView.prefix(limit - bytes.count))
                if bytes.count == limit { break }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The status is the answer. That its explanation was cut short changes nothing.
        }
        return bytes
    }
}

extension CocoaError {
    fileprivate func with(underlying: any Error) -> CocoaError {
        CocoaError(code, userInfo: userInfo.merging([NSUnderlyingErrorKey: underlying]) { $1 })
    }
}

extension URLError {
    fileprivate func with(underlying: any Error) -> URLError {
        URLError(code, userInfo: userInfo.merging([NSUnderlyingErrorKey: underlying]) { $1 })
    }
}
