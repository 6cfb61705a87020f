import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Requests to Microsoft Graph.
///
/// The login goes to the API's origin only. A URL that carries its own permission (of an upload session, a download, a
/// job) is asked without it, even at that origin: the service answers 401 otherwise.
final class GraphConnection: Sendable {
    private static let longestAnswer = 64 << 20

    /// The number of times that a request is sent that the service refuses since it is busy.
    static let busyAttempts = 8

    let session: HTTPSession
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    private let service: GraphService

    /// Makes a connection; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - graphURL: The address of the API, version included.
    ///   - authenticator: The proof of who we are; it goes to the API's origin only.
    ///   - transport: The transport that carries the requests.
    ///   - environment: The logger.
    ///   - retryPolicy: The policy for repeating requests.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    init(
        graphURL: URL,
        authenticator: (any HTTPAuthenticator)?,
        transport: any HTTPTransport,
        environment: FileProviderEnvironment,
        retryPolicy: RetryPolicy,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) throws {
        service = try GraphService(graphURL)
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.now = now
        session = HTTPSession(
            transport: transport,
            origins: [service.origin],
            authenticator: authenticator,
            retryPolicy: retryPolicy,
            throttlingStatuses: [429, 503, 509],
            logger: environment.logger,
            clock: clock,
            now: now
        )
    }

    // MARK: Requests

    /// Makes a request of the API.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and query behind the version, percent-encoded, as ``GraphAddress/route(_:_:)`` makes it.
    ///   - body: The JSON that is sent with it.
    ///   - fields: The fields of the request.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm; `nil`
    ///     to judge by the method.
    /// - Returns: The request, without credentials.
    /// - Throws: `EncodingError`.
    func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        fields: HTTPFields = HTTPFields(),
        isIdempotent: Bool? = nil
    ) throws -> HTTPFileRequest {
        let head = service.request(method, path, fields)
        guard let body else { return HTTPFileRequest(head, isIdempotent: isIdempotent) }
        return try HTTPFileRequest(head, json: body, isIdempotent: isIdempotent)
    }

    /// Makes a request for a URL of the server's, which is followed as it is.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - method: The method.
    ///   - fields: The fields of the request.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm; `nil`
    ///     to judge by the method.
    /// - Returns: The request, without credentials.
    /// - Throws: `URLError.cannotParseResponse` for what is no such URL.
    func request(
        following url: String,
        _ method: HTTPRequest.Method = .get,
        fields: HTTPFields = HTTPFields(),
        isIdempotent: Bool? = nil
    ) throws -> HTTPFileRequest {
        HTTPFileRequest(try service.request(following: url, method, fields), isIdempotent: isIdempotent)
    }

    // MARK: Answers

    /// Sends a request once; the session repeats what can be repeated.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item that it is about.
    ///   - isSigned: A Boolean value that indicates whether the login goes with it, if it is for the API's origin.
    /// - Returns: The answer, whatever its status; a redirect is not followed.
    /// - Throws: Errors of the connection and the login.
    func send(_ request: HTTPFileRequest, about path: ItemPath, isSigned: Bool = true) async throws -> HTTPReply {
        try await session.send(
            request.head,
            body: request.body,
            options: HTTPRequestOptions(
                path: path,
                isIdempotent: request.isIdempotent,
                followsRedirects: false,
                credentials: isSigned ? .forOwnOrigins : .never
            )
        )
    }

    /// Sends a request, again where the service has done nothing, or a second request does no harm.
    ///
    /// - Parameters:
    ///   - request: The request; its body can be read again.
    ///   - path: The item that it is about.
    ///   - isSigned: A Boolean value that indicates whether the login goes with it.
    ///   - accepts: Returns `true` for a status that is no failure; by default those of success.
    /// - Returns: Status, fields and all of the body of an answer that is no failure.
    /// - Throws: ``OneDriveError``; errors of the connection and the login.
    func answer(
        to request: HTTPFileRequest,
        about path: ItemPath,
        isSigned: Bool = true,
        accepting accepts: (HTTPResponse.Status) -> Bool = { $0.kind == .successful }
    ) async throws -> HTTPFileAnswer {
        let repeats = request.isIdempotent ?? [.get, .head].contains(request.head.method)
        return try await retryingWhenBusy(isIdempotent: repeats) {
            var attempt = 1
            while true {
                let reply = try await send(request, about: path, isSigned: isSigned)
                do {
                    guard accepts(reply.status) else {
                        throw try await refusal(reply, about: path, needsBody: repeats)
                    }
                    let decoded = reply.decoded(limit: Int64(Self.longestAnswer))
                    return HTTPFileAnswer(reply.head, body: try await decoded.body.collect(upTo: Self.longestAnswer))
                } catch let error as URLError where repeats && retryPolicy.isTransient(error) {
                    // The session repeats what has no answer; this one broke off.
                    guard attempt < retryPolicy.maximumAttempts else { throw error }
                    try await wait(after: error, attempt: attempt)
                    attempt += 1
                }
            }
        }
    }

    /// Calls the API.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and query behind the version, percent-encoded, as ``GraphAddress/route(_:_:)`` makes it.
    ///   - body: The JSON that is sent with it.
    ///   - type: The answer's type; ``JSONValue`` for any JSON, and for none.
    ///   - item: The item that it is about.
    ///   - fields: The fields of the request.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm; `nil`
    ///     to judge by the method.
    /// - Returns: The answer.
    /// - Throws: ``OneDriveError``; `URLError.cannotParseResponse`; errors of the connection and the login.
    func call<Answer: Decodable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        as type: Answer.Type = JSONValue.self,
        about item: ItemPath,
        fields: HTTPFields = HTTPFields(),
        isIdempotent: Bool? = nil
    ) async throws -> Answer {
        let request = try request(method, path, body, fields: fields, isIdempotent: isIdempotent)
        return try Self.decoded(type, from: try await answer(to: request, about: item).body)
    }

    /// Asks for a URL of the server's, such as the next page; the login goes with it if it is at the API's origin.
    ///
    /// - Parameters:
    ///   - url: The URL, which is followed as it is.
    ///   - type: The answer's type.
    ///   - item: The item that it is about.
    /// - Returns: The answer.
    /// - Throws: ``OneDriveError``; `URLError.cannotParseResponse`; errors of the connection and the login.
    func follow<Answer: Decodable>(
        _ url: String,
        as type: Answer.Type,
        about item: ItemPath
    ) async throws -> Answer {
        try Self.decoded(type, from: try await answer(to: try request(following: url), about: item).body)
    }

    /// Reads the error of an answer that is no success.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - path: The item that the request was about.
    ///   - needsBody: A Boolean value that indicates whether a body that was cut short is an error of the connection, so
    ///     that the request is repeated: without its code, a refusal of 4xx says little.
    /// - Returns: The error.
    /// - Throws: `CancellationError`; errors of the connection where the body is needed.
    func refusal(_ reply: HTTPReply, about path: ItemPath, needsBody: Bool = false) async throws -> OneDriveError {
        var body = Data()
        do {
            body = try await reply.decoded(limit: 1 << 20).body.collect(upTo: 1 << 20)
        } catch let error as CancellationError {
            throw error
        } catch let error as URLError
            where needsBody && reply.status.kind == .clientError && retryPolicy.isTransient(error)
        {
            throw error
        } catch {
            // The status is the answer. That its explanation was cut short changes nothing.
        }
        return OneDriveError(
            status: reply.status.code,
            path: path,
            body: body,
            retryAfter: reply.head.headerFields.retryAfter(now: now()),
            requestID: reply.head.headerFields[.graphRequestID]
        )
    }

    // MARK: Repeating

    /// Repeats what the service refuses since it is busy: then nothing was done.
    ///
    /// - Parameters:
    ///   - isIdempotent: A Boolean value that indicates whether to repeat also what may have been done.
    ///   - body: The work.
    /// - Returns: The result of the body.
    /// - Throws: ``OneDriveError``; what the body throws.
    private func retryingWhenBusy<Value>(
        isIdempotent: Bool,
        _ body: () async throws -> Value
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch let error as OneDriveError
                where error.reason == .busy || (isIdempotent && error.reason == .unavailable)
            {
                OperationContext.current.overloadListener?.heard()
                guard attempt < Self.busyAttempts, !retryPolicy.isTooSoon(after: error) else { throw error }
                try await wait(after: error, attempt: attempt)
                attempt += 1
            }
        }
    }

    /// Does work that must not be done twice: after an answer that was lost, it checks whether the work was done.
    ///
    /// - Parameters:
    ///   - repeats: A Boolean value that indicates whether it is done again if it was not done.
    ///   - body: The work.
    ///   - outcome: Returns what the body would have, if it was done after all; `nil` if it was not.
    /// - Returns: The result of the body, or the outcome.
    /// - Throws: The last error of the body, also where nobody can say what has come of it.
    func onceOnly<Value>(
        repeats: Bool = true,
        _ body: () async throws -> Value,
        outcome: () async throws -> Value?
    ) async throws -> Value {
        try await retryPolicy.onceOnly(
            clock: clock,
            repeats: repeats,
            mayHaveBeenDone: { $0.mayHaveBeenDone },
            body,
            outcome: outcome
        )
    }

    /// Waits before a further try.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - attempt: The number of the try that failed, from 1.
    /// - Throws: `CancellationError`.
    func wait(after error: any Error, attempt: Int) async throws {
        try await retryPolicy.wait(after: error, attempt: attempt, clock: clock)
    }

    /// Reads JSON of the server.
    ///
    /// - Parameters:
    ///   - type: The type of the value; an answer without a body is `null`.
    ///   - data: The JSON.
    /// - Returns: The value.
    /// - Throws: `URLError.cannotParseResponse`.
    static func decoded<Answer: Decodable>(_ type: Answer.Type, from data: Data) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: data.isEmpty ? Data("null".utf8) : data)
        } catch {
            throw URLError.answer(
                .cannotParseResponse,
                description: "the answer of the server makes no sense",
                underlying: error
            )
        }
    }
}

extension HTTPField.Name {
    /// The service's name for a request, by which its support finds it.
    static let graphRequestID = known("request-id")
}
