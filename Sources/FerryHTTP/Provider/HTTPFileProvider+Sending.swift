public import FerryCore
import Foundation
import HTTPTypes

/// More than any page of a listing needs.
private let longestAnswer = 64 << 20

extension HTTPFileProvider {
    /// Sends a request, and returns its answer whatever its status.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item that it is about.
    /// - Returns: The answer, its body unread.
    /// - Throws: Errors of the connection; `CancellationError`.
    public func send(_ request: HTTPFileRequest, about path: ItemPath) async throws -> HTTPReply {
        try await transport.send(
            request.head,
            body: request.body,
            options: HTTPRequestOptions(path: path, isIdempotent: request.isIdempotent)
        )
    }

    /// Sends a request, and reads all of its answer, which must be a success.
    ///
    /// An answer that is packed (`Content-Encoding`), as the request may have allowed, is unpacked.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item that it is about.
    ///   - isWriting: `true` if it is to change something, for the error.
    /// - Returns: The answer.
    /// - Throws: The error of any other answer, see ``mappedError(_:whileWriting:)``; errors of the connection.
    public func answer(
        to request: HTTPFileRequest,
        about path: ItemPath,
        whileWriting isWriting: Bool = false
    ) async throws -> HTTPFileAnswer {
        let reply = try await send(request, about: path)
        guard reply.status.kind == .successful else {
            throw mappedError(try await serverError(of: reply, path: path), whileWriting: isWriting)
        }
        return try await whole(reply)
    }

    /// Reads all of a successful answer, unpacked.
    func whole(_ reply: HTTPReply) async throws -> HTTPFileAnswer {
        let reply = reply.decoded(limit: Int64(longestAnswer))
        return HTTPFileAnswer(reply.head, body: try await reply.body.collect(upTo: longestAnswer))
    }

    /// Makes sense of an answer; what does not succeed is an answer that makes none.
    func understood<Value>(whileWriting isWriting: Bool = false, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as URLError {
            throw error
        } catch let error as any FileProviderHTTPError {
            throw mappedError(error, whileWriting: isWriting)
        } catch let error as CocoaError
            where !(error.code == .propertyListReadCorrupt || error.code == .coderReadCorrupt)
        {
            throw error
        } catch {
            throw URLError.answer(
                .cannotParseResponse,
                description: "the answer of the server makes no sense",
                underlying: error
            )
        }
    }
}
