public import FerryCore
package import Foundation
public import HTTPTypes
public import Logging
import Synchronization

/// Sends requests for a provider: proves who we are, goes where redirects lead, tries again what a bad line has broken.
///
/// It answers whatever the server says in the end; which status is an error is the provider's to know.
///
/// - A login that is refused (401) is renewed by the authenticator, and the request sent once more.
/// - A redirect within the origin is followed. To another origin only `GET` and `HEAD` go, and nothing that is meant for
///   ours goes with them: no login, no cookie, no field of an API. Never from `https` to `http`.
/// - Requests that may be repeated are, after an increasing wait: lost connections, 429, 502, 503, 504, and 500 once.
///   `Retry-After` is obeyed; a server that wants to be left alone for longer than the policy waits gets its wish.
/// - One answer of 429 with `Retry-After` holds all requests of the session: services limit accounts, not connections.
///   That of an origin that is not ours, as of a URL that was signed beforehand, holds only those to that origin.
public final class HTTPSession: Sendable {
    /// The transport that carries the requests.
    public let transport: any HTTPTransport

    /// The origins that login and cookies are for; requests to others are sent without, unless they ask for it.
    public let origins: Set<HTTPOrigin>

    /// The authenticator that proves who we are; `nil` if nobody asks.
    public let authenticator: (any HTTPAuthenticator)?

    /// The cookies that the server has us remember; `nil` to remember none.
    public let cookies: CookieJar?

    /// The rules by which requests are repeated.
    public let retryPolicy: RetryPolicy

    /// The statuses whose `Retry-After` is meant for all requests of the session, if one of its ``origins`` says it;
    /// else for those to the origin that does.
    public let throttlingStatuses: Set<Int>

    /// The logger to which it says what it does, without secrets.
    public let logger: Logger

    private let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let invalidation = InvalidationSwitch()
    let firstLogin = SharedWork<Void>()
    private let repetitions = Mutex(0)
    let throttle: AccountThrottle

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - transport: The transport that carries the requests; the session ends it.
    ///   - origins: The origins that login and cookies are for; a request to another one, such as an upload URL that was
    ///     signed beforehand, is sent without them. Without origins nothing is signed.
    ///   - authenticator: The authenticator that proves who we are.
    ///   - cookies: The jar of cookies that the server has us remember; it is for the one origin that the login is for.
    ///   - retryPolicy: How often and when requests are repeated; its budget is the session's.
    ///   - throttlingStatuses: The statuses whose `Retry-After` is meant for all requests of the session.
    ///   - logger: Where to log.
    public convenience init(
        transport: any HTTPTransport,
        origins: Set<HTTPOrigin> = [],
        authenticator: (any HTTPAuthenticator)? = nil,
        cookies: CookieJar? = nil,
        retryPolicy: RetryPolicy = RetryPolicy(),
        throttlingStatuses: Set<Int> = [429],
        logger: Logger
    ) {
        self.init(
            transport: transport,
            origins: origins,
            authenticator: authenticator,
            cookies: cookies,
            retryPolicy: retryPolicy,
            throttlingStatuses: throttlingStatuses,
            logger: logger,
            clock: ContinuousClock()
        )
    }

    /// Makes a session whose time is somebody else's.
    ///
    /// - Parameters:
    ///   - transport: The transport that carries the requests; the session ends it.
    ///   - origins: The origins that login and cookies are for; a request to another one, such as an upload URL that was
    ///     signed beforehand, is sent without them. Without origins nothing is signed.
    ///   - authenticator: The authenticator that proves who we are.
    ///   - cookies: The jar of cookies that the server has us remember.
    ///   - retryPolicy: How often and when requests are repeated.
    ///   - throttlingStatuses: The statuses whose `Retry-After` is meant for all requests of the session.
    ///   - logger: Where to log.
    ///   - clock: The clock to wait on.
    ///   - now: The time of day.
    package init(
        transport: any HTTPTransport,
        origins: Set<HTTPOrigin> = [],
        authenticator: (any HTTPAuthenticator)? = nil,
        cookies: CookieJar? = nil,
        retryPolicy: RetryPolicy = RetryPolicy(),
        throttlingStatuses: Set<Int> = [429],
        logger: Logger,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.origins = origins
        self.authenticator = authenticator
        self.cookies = cookies
        self.retryPolicy = retryPolicy
        self.throttlingStatuses = throttlingStatuses
        self.logger = logger
        self.clock = clock
        self.now = now
        throttle = AccountThrottle(longestDelay: retryPolicy.longestDelay, clock: clock)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request. Login and cookies go with it if it is for one of the session's ``origins``.
    ///   - body: The body to send with it.
    ///   - options: How to treat it.
    /// - Returns: The answer, whatever its status.
    /// - Throws: As ``HTTPTransport/send(_:body:)``; `URLError.userAuthenticationRequired` when a new login is needed;
    ///   `.httpTooManyRedirects`, `.redirectToNonExistentLocation` for redirects that can't be followed;
    ///   `.resourceUnavailable` while the account wants no requests for longer than the policy waits;
    ///   `CancellationError` once the session is invalidated.
    public func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody? = nil,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> HTTPReply {
        let body = body.map { TrackedBody($0) }
        var state = RequestStateMachine(
            request,
            hasBody: body != nil,
            isReplayable: body?.isReplayable ?? true,
            hasAuthenticator: authenticator != nil,
            isSigned: isSigned(request, options),
            options: options,
            policy: retryPolicy
        )
        while true {
            try invalidation.check()
            let step: Step
            do {
                // A proof that is made before a long wait may have run out after it.
                try await pass(state.request, about: options.path)
                let sent = try await signed(state, hasBody: body != nil, about: options.path)
                try invalidation.check()
                let start = ContinuousClock.now
                let reply = try await carry(sent, body: state.sendsBody ? body?.body : nil, about: options.path)
                try invalidation.check()
                try await note(reply, to: sent, sentAt: start, isSigned: state.isSigned)
                let action = state.answered(reply.head, to: sent, now: now(), jitter: retryPolicy.random)
                step = try await perform(action, on: reply, to: sent, of: state)
            } catch let error as FinalError {
                throw error.error
            } catch {
                // Errors of a connection that we closed ourselves are of no interest.
                try invalidation.check()
                let action = state.failed(error, isBodyTouched: body?.isTouched ?? false, jitter: retryPolicy.random)
                step = try await perform(action, after: error, of: state)
            }
            if case .done(let reply) = step { return reply }
        }
    }

    private func isSigned(_ request: HTTPRequest, _ options: HTTPRequestOptions) -> Bool {
        switch options.credentials {
        case .always: true
        case .never: false
        case .forOwnOrigins: isForOwnOrigin(request)
        }
    }

    /// Returns whether a request is for one of the session's origins.
    func isForOwnOrigin(_ request: HTTPRequest) -> Bool {
        // Mostly it says so in the origin's own words, and no URL need be parsed.
        origins.contains { $0.scheme == request.scheme && $0.authority == request.authority }
            || HTTPOrigin(request).map(origins.contains) ?? false
    }

    /// Ends all requests that are under way, and closes all connections; later ones throw `CancellationError`.
    ///
    /// Answers that are still being read end with it too.
    public func invalidate() async {
        invalidation.turnOff()
        await transport.shutdown()
    }
}

// MARK: - Steps

extension HTTPSession {
    private enum Step {
        case again
        case done(HTTPReply)
    }

    /// An error that is not to be looked at again.
    struct FinalError: Error {
        let error: any Error
    }

    /// Returns the request that is sent next: one that is to be signed has its proof and its cookies.
    ///
    /// It logs in before, where that is needed.
    private func signed(
        _ state: RequestStateMachine,
        hasBody: Bool,
        about path: ItemPath
    ) async throws -> HTTPRequest {
        var request = state.request
        guard state.isSigned else { return request }
        try await login(
            for: request,
            about: path,
            hasBody: hasBody && state.sendsBody,
            mustLast: !state.canRepeat
        )
        try await authenticator?.authorize(&request)
        cookies?.add(to: &request, now: now())
        return request
    }

    /// Logs an answer, and keeps its cookies and what it says of the login.
    private func note(
        _ reply: HTTPReply,
        to request: HTTPRequest,
        sentAt start: ContinuousClock.Instant,
        isSigned: Bool
    ) async throws {
        logger.trace(
            "answered",
            metadata: [
                "method": "\(request.method.rawValue)", "target": "\(request.loggedTarget)",
                "status": "\(reply.status.code)", "duration": "\(ContinuousClock.now - start)",
            ]
        )
        guard isSigned else { return }
        cookies?.keep(from: reply.head, to: request, now: now())
        if reply.status.code != 401 { try await authenticator?.note(reply.head, of: request) }
    }

    private func perform(
        _ action: RequestStateMachine.Action,
        on reply: HTTPReply,
        to sent: HTTPRequest,
        of state: RequestStateMachine
    ) async throws -> Step {
        switch action {
        case .deliver: return .done(deliver(reply))
        case .fail(let error):
            logger.debug("not going where the server points", metadata: ["target": "\(sent.loggedTarget)"])
            throw FinalError(error: error)
        case .send:
            logger.debug(
                "going where the server points",
                metadata: ["from": "\(sent.loggedTarget)", "to": "\(state.request.loggedTarget)"]
            )
            await reply.body.drain()
            return .again
        case .renew:
            let hasProof: Bool
            do {
                hasProof = try await renew(after: reply.head, of: sent)
            } catch {
                throw FinalError(error: error)
            }
            logger.debug("login refused", metadata: ["target": "\(sent.loggedTarget)", "renewed": "\(hasProof)"])
            switch state.renewed(hasProof) {
            case .send:
                await reply.body.drain()
                return .again
            case .fail(let error):
                await reply.body.drain()
                throw FinalError(error: error)
            case .deliver, .renew, .wait: return .done(deliver(reply))
            }
        case .wait(let delay):
            if [429, 503].contains(reply.status.code) { OperationContext.current.overloadListener?.heard() }
            guard takeRepetition() else { return .done(deliver(reply)) }
            await reply.body.drain()
            do {
                try await wait(delay, for: sent, because: "\(reply.status.code)")
            } catch {
                throw FinalError(error: error)
            }
            return .again
        }
    }

    private func perform(
        _ action: RequestStateMachine.Action,
        after error: any Error,
        of state: RequestStateMachine
    ) async throws -> Step {
        switch action {
        case .send:
            logger.debug("a kept connection was closed", metadata: ["target": "\(state.request.loggedTarget)"])
        case .wait(let delay):
            guard takeRepetition() else { throw error }
            try await wait(delay, for: state.request, because: "\((error as? URLError)?.code.rawValue ?? 0)")
        case .fail(let error): throw error
        case .deliver, .renew: throw error
        }
        return .again
    }

    private func deliver(_ reply: HTTPReply) -> HTTPReply {
        HTTPReply(head: reply.head, body: reply.body.guarded(by: invalidation))
    }

    private func renew(after response: HTTPResponse, of request: HTTPRequest) async throws -> Bool {
        guard let authenticator else { return false }
        return try await invalidation.run { try await authenticator.renew(after: response, of: request) }
    }

    /// Waits before a request is sent again.
    func wait(_ delay: Duration, for request: HTTPRequest, because reason: String) async throws {
        logger.debug(
            "trying again",
            metadata: ["target": "\(request.loggedTarget)", "delay": "\(delay)", "reason": "\(reason)"]
        )
        try await sleep(for: delay)
    }

    /// Lets time pass, unless the session ends.
    ///
    /// - Parameter delay: The time.
    /// - Throws: `CancellationError`.
    func sleep(for delay: Duration) async throws {
        try await invalidation.run { [clock] in try await clock.sleep(for: delay) }
    }

    /// Returns the wait before a question is asked again that has no answer yet.
    ///
    /// - Parameters:
    ///   - attempt: The number of times that it was asked.
    ///   - hint: The wait that the service asks for; `nil` if it has not said.
    /// - Returns: The hint; without one the policy's wait.
    func delay(beforeAskingAgain attempt: Int, hint: Duration?) -> Duration {
        hint ?? retryPolicy.delay(afterAttempt: attempt)
    }

    /// Returns whether the policy's budget has a repetition left, and takes it.
    func takeRepetition() -> Bool {
        guard let budget = retryPolicy.budget else { return true }
        return repetitions.withLock { count in
            guard count < budget else { return false }
            count += 1
            return true
        }
    }
}

extension HTTPRequest {
    /// Where it goes, without the query, which may hold a secret.
    var loggedTarget: String {
        "\(scheme ?? "")://\(authority ?? "")\((path ?? "/").prefix { $0 != "?" })"
    }
}
