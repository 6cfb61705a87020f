import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// Requests to an account at Dropbox.
final class DropboxConnection: Sendable {
    private static let longestAnswer = 64 << 20

    /// The number of times that a change is sent that Dropbox refuses since others are under way.
    static let busyAttempts = 8

    let session: HTTPSession
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    private let api: DropboxHost
    private let content: DropboxHost
    private let notify: DropboxHost
    private let wantedRoot: DropboxPathRoot
    private let rootField = Mutex<String?>(nil)

    /// Makes a connection; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - options: The addresses, and where paths begin.
    ///   - authenticator: The proof of who we are; it goes to the stated addresses only.
    ///   - transport: The transport that carries the requests.
    ///   - environment: The logger.
    ///   - retryPolicy: How often and when requests are repeated.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    init(
        options: DropboxOptions,
        authenticator: (any HTTPAuthenticator)?,
        transport: any HTTPTransport,
        environment: FileProviderEnvironment,
        retryPolicy: RetryPolicy,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) throws {
        api = try DropboxHost(options.endpoints.api)
        content = try DropboxHost(options.endpoints.content)
        notify = try DropboxHost(options.endpoints.notify)
        wantedRoot = options.pathRoot
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.now = now
        session = HTTPSession(
            transport: transport,
            // A request for changes takes no login, wherever it goes.
            origins: [api.origin, content.origin],
            authenticator: authenticator,
            retryPolicy: retryPolicy,
            throttlingStatuses: [429, 503],
            logger: environment.logger,
            clock: clock,
            now: now
        )
    }

    /// Makes a connection of the same account whose paths begin elsewhere.
    ///
    /// - Parameters:
    ///   - other: The connection of the account, whose session is used.
    ///   - namespace: The folder at which paths begin.
    init(_ other: DropboxConnection, namespace: String) {
        (api, content, notify) = (other.api, other.content, other.notify)
        (session, retryPolicy) = (other.session, other.retryPolicy)
        (clock, now) = (other.clock, other.now)
        wantedRoot = .namespace(namespace)
    }

    // MARK: Requests

    /// Makes the request for a route that takes and answers JSON.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - argument: Its argument.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm.
    /// - Returns: The request, without credentials.
    /// - Throws: Errors of asking for the account's root.
    func request(_ route: DropboxRoute, _ argument: JSONValue, isIdempotent: Bool = true) async throws
        -> HTTPFileRequest
    {
        let fields: HTTPFields = [.contentType: "application/json"]
        let head = host(of: route).request(route, try await withRoot(fields, for: route))
        return HTTPFileRequest(
            head,
            body: HTTPRequestBody(try JSONEncoder().encode(argument)),
            isIdempotent: isIdempotent
        )
    }

    /// Makes the request for a route whose argument is in a field, since its body is a content or nothing.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - argument: Its argument.
    ///   - isUpload: A Boolean value that indicates whether a content is sent.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm.
    /// - Returns: The request, without credentials and body.
    /// - Throws: Errors of asking for the account's root.
    func contentRequest(
        _ route: DropboxRoute,
        _ argument: JSONValue,
        isUpload: Bool,
        isIdempotent: Bool
    ) async throws -> HTTPFileRequest {
        var fields: HTTPFields = [.dropboxArgument: try HeaderSafeJSON.text(argument)]
        if isUpload { fields[.contentType] = "application/octet-stream" }
        let head = host(of: route).request(route, try await withRoot(fields, for: route))
        return HTTPFileRequest(head, isIdempotent: isIdempotent)
    }

    private func host(of route: DropboxRoute) -> DropboxHost {
        switch route.host {
        case .api: api
        case .content: content
        case .notify: notify
        }
    }

    // MARK: Calls

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item that it is about.
    ///   - isSigned: A Boolean value that indicates whether the login goes with it.
    /// - Returns: The answer, whatever its status.
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

    /// Sends a request whose answer is JSON, again where Dropbox says that it has done nothing since it is busy.
    ///
    /// - Parameters:
    ///   - request: The request; its body can be read again.
    ///   - path: The item that it is about.
    ///   - isSigned: A Boolean value that indicates whether the login goes with it.
    /// - Returns: The body of a successful answer.
    /// - Throws: ``DropboxError``; errors of the connection and the login.
    func answer(to request: HTTPFileRequest, about path: ItemPath, isSigned: Bool = true) async throws -> Data {
        try await patiently {
            var attempt = 1
            while true {
                let reply = try await send(request, about: path, isSigned: isSigned)
                do {
                    guard reply.status.kind == .successful else { throw try await refusal(reply, about: path) }
                    let decoded = reply.decoded(limit: Int64(Self.longestAnswer))
                    return try await decoded.body.collect(upTo: Self.longestAnswer)
                } catch let error as URLError where request.isIdempotent == true && retryPolicy.isTransient(error) {
                    // The session repeats what has no answer; this one broke off.
                    guard attempt < retryPolicy.maximumAttempts else { throw error }
                    try await retryPolicy.wait(after: error, attempt: attempt, clock: clock)
                    attempt += 1
                }
            }
        }
    }

    /// Calls a route that takes and answers JSON.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - argument: Its argument.
    ///   - type: The answer's type.
    ///   - path: The item that it is about.
    ///   - isIdempotent: A Boolean value that indicates whether a second request after a lost answer does no harm.
    /// - Returns: The answer.
    /// - Throws: ``DropboxError``; `URLError.cannotParseResponse`; errors of the connection and the login.
    func call<Answer: Decodable>(
        _ route: DropboxRoute,
        _ argument: JSONValue,
        as type: Answer.Type = JSONValue.self,
        about path: ItemPath = .root,
        isIdempotent: Bool = true
    ) async throws -> Answer {
        let request = try await request(route, argument, isIdempotent: isIdempotent)
        return try Self.decoded(type, from: try await answer(to: request, about: path, isSigned: route.host != .notify))
    }

    /// Reads the error of an answer that is no success.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - path: The item that the request was about.
    /// - Returns: The error; the account is left alone for as long as it says.
    /// - Throws: `CancellationError`; errors of the connection for a 409, which says nothing without its tags.
    func refusal(_ reply: HTTPReply, about path: ItemPath) async throws -> DropboxError {
        var body = Data()
        do {
            body = try await reply.decoded(limit: 1 << 20).body.collect(upTo: 1 << 20)
        } catch let error as CancellationError {
            throw error
        } catch  where reply.status != .conflict {
            // The status is the answer. That its explanation was cut short changes nothing.
        }
        let error = DropboxError(
            status: reply.status.code,
            path: path,
            body: body,
            retryAfter: reply.head.headerFields.retryAfter(now: now())
        )
        // The team's space may have another namespace by now: the next call asks for it.
        if error.answeredStatusCode == 422 { rootField.withLock { $0 = nil } }
        // A delay in a body; one in the header has held the requests already.
        if error.answeredStatusCode == 429, let delay = error.retryAfter { session.hold(for: delay) }
        return error
    }

    /// Repeats what Dropbox refuses since it is busy: then nothing was done.
    ///
    /// - Parameter body: The work.
    /// - Returns: The result of the body.
    /// - Throws: ``DropboxError``; what the body throws.
    func patiently<Value>(_ body: () async throws -> Value) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch var error as DropboxError where error.reason == .busy && !error.wasRepeated {
                OperationContext.current.overloadListener?.heard()
                guard attempt < Self.busyAttempts, !retryPolicy.isTooSoon(after: error) else {
                    // Work that is made of several requests gives up with the first one that does.
                    error.wasRepeated = true
                    throw error
                }
                try await retryPolicy.wait(after: error, attempt: attempt, clock: clock)
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

    /// Reads JSON of the server.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The JSON.
    /// - Returns: The value.
    /// - Throws: `URLError.cannotParseResponse`.
    static func decoded<Answer: Decodable>(_ type: Answer.Type, from data: Data) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw URLError.answer(
                .cannotParseResponse,
                description: "the answer of the server makes no sense",
                underlying: error
            )
        }
    }

    // MARK: Where paths begin

    /// Adds where paths begin, where that is not the account's own folder.
    private func withRoot(_ fields: HTTPFields, for route: DropboxRoute) async throws -> HTTPFields {
        guard route.host != .notify, let root = try await root() else { return fields }
        var fields = fields
        fields[.dropboxPathRoot] = root
        return fields
    }

    private func root() async throws -> String? {
        switch wantedRoot {
        case .home: return nil
        case .namespace(let id):
            let root: JSONValue = [".tag": "namespace_id", "namespace_id": .text(id)]
            return try HeaderSafeJSON.text(root)
        case .team:
            if let known = rootField.withLock({ $0 }) { return known }
            let route: DropboxRoute = "users/get_current_account"
            let question = HTTPFileRequest(
                api.request(route, [.contentType: "application/json"]),
                body: HTTPRequestBody("null"),
                isIdempotent: true
            )
            let account: JSONValue
            do {
                account = try Self.decoded(JSONValue.self, from: try await answer(to: question, about: .root))
            } catch let error as DropboxError {
                throw error.mapped()
            }
            guard let id = account["root_info"]["root_namespace_id"].string else {
                throw URLError.answer(.cannotParseResponse, description: "Dropbox does not say where paths begin")
            }
            let field = try HeaderSafeJSON.text([".tag": "root", "root": .text(id)] as JSONValue)
            rootField.withLock { $0 = field }
            return field
        }
    }
}
