public import FerryCore
import Foundation
import HTTPTypes

/// More than any page of a listing needs.
private let longestAnswer = 64 << 20

extension HTTPFileProvider {
    /// Sends a request, and returns its answer whatever its status.
    ///
    /// It is sent again while the service says "slow down" in the body of a refusal, see
    /// ``serverError(with:path:data:)``; by the session alone where the status has it repeated anyway, as 503 has.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item that it is about.
    /// - Returns: The answer, its body unread; of a refusal's body the first 16 KiB.
    /// - Throws: Errors of the connection; `CancellationError`.
    public func send(_ request: HTTPFileRequest, about path: ItemPath) async throws -> HTTPReply {
        let repeatability = RequestRepeatability(request.head.method, isIdempotent: request.isIdempotent)
        var attempt = 1
        while true {
            var reply = try await transport.send(
                request.head,
                body: request.body,
                options: HTTPRequestOptions(path: path, isIdempotent: request.isIdempotent)
            )
            // A status that says it itself is the session's to obey.
            guard reply.status.code >= 400, ![401, 416, 429].contains(reply.status.code),
                request.body?.isReplayable ?? true
            else { return reply }
            let words = try await refusalWords(&reply)
            guard let refusal = busyRefusal(reply, words, about: path) else { return reply }
            // One that the session repeats has had all its tries, and only holds the account's other requests.
            if repeatability.repeats(reply.status.code) { attempt = .max }
            guard try await transport.pause(after: refusal, to: request.head, attempt: attempt) else { return reply }
            attempt += 1
        }
    }

    /// Returns what a refusal means, if it means that the service is busy.
    private func busyRefusal(_ reply: HTTPReply, _ words: Data, about path: ItemPath) -> HTTPServerError? {
        let error = serverError(with: reply.status, path: path, data: words)
        guard error.statusCode == 429 else { return nil }
        let hint = RetryPolicy.hint(of: error) ?? reply.head.headerFields.retryAfter(now: transport.now())
        return HTTPServerError(.tooManyRequests, path: path, retryAfter: hint)
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

    /// Makes sense of an answer, as the general way of doing things does: for operations that a provider writes anew.
    ///
    /// - Parameters:
    ///   - isWriting: `true` if the request was to change something, for the error.
    ///   - body: Reads the answer; it may ask further.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error of the table for a `FileProviderHTTPError`, see ``mappedError(_:whileWriting:)``; a
    ///   `CocoaError`, a `URLError` and a `CancellationError` as they are; `URLError.cannotParseResponse` for any other
    ///   error.
    public func understood<Value>(
        whileWriting isWriting: Bool = false,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as CancellationError {
            throw error
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
