import FerryCore
import Foundation
import HTTPTypes

/// Decides what follows upon an answer, or upon none: a request on its way through logins, redirects and bad lines.
///
/// It is told what happened and says what to do; it sends, waits and asks nothing itself.
struct RequestStateMachine {
    /// The next action.
    enum Action {
        /// Hand out the answer.
        case deliver
        /// Let go of the answer, ask the authenticator for another proof, then say ``RequestStateMachine/renewed(_:)``.
        case renew
        /// Let go of the answer, and send ``RequestStateMachine/request``.
        case send
        /// Let go of the answer, wait, and send ``RequestStateMachine/request`` again; if the budget allows it, else as
        /// without this.
        case wait(Duration)
        /// End with an error.
        case fail(any Error)
    }

    /// More than any sane server needs; RFC 9110 §15.4 leaves the number to us.
    private static let mostRedirects = 10

    /// Times that a nonce may run out under one request.
    private static let mostStaleProofs = 8

    /// The request to send.
    private(set) var request: HTTPRequest

    /// Indicates whether the request's body is sent; a redirect may have made it a plain `GET`.
    private(set) var sendsBody = true

    /// A Boolean value that indicates whether credential and cookies go with the request.
    ///
    /// Once another origin had a say in where we go, nothing of ours is sent.
    private(set) var isSigned: Bool

    /// A redirect has led to another origin.
    private var hasLeft = false

    private let home: HTTPRequest
    private let followsRedirects: Bool
    private let hasBody: Bool
    private let isReplayable: Bool
    private let hasAuthenticator: Bool
    private let repeatability: RequestRepeatability
    private let policy: RetryPolicy

    private var attempt = 1
    private var redirects = 0
    private var renewals = 0
    private var staleProofs = 0
    private var isRepeatedAfterStale = false
    private var is500Repeated = false

    init(
        _ request: HTTPRequest,
        hasBody: Bool,
        isReplayable: Bool,
        hasAuthenticator: Bool,
        isSigned: Bool,
        options: HTTPRequestOptions,
        policy: RetryPolicy
    ) {
        self.request = request
        self.isSigned = isSigned
        home = request
        followsRedirects = options.followsRedirects
        self.hasBody = hasBody
        self.isReplayable = isReplayable
        self.hasAuthenticator = hasAuthenticator
        repeatability = RequestRepeatability(request.method, isIdempotent: options.isIdempotent)
        self.policy = policy
    }

    /// Indicates whether the request could be sent again as it is.
    var canRepeat: Bool { !hasBody || !sendsBody || isReplayable }

    /// An answer has come.
    ///
    /// - Parameters:
    ///   - response: Its head.
    ///   - sent: The request as it was sent, with its proof.
    ///   - now: The time.
    ///   - jitter: Makes a random number from 0 to 1.
    /// - Returns: The action to take.
    mutating func answered(_ response: HTTPResponse, to sent: HTTPRequest, now: Date, jitter: () -> Double) -> Action {
        if response.status.code == 401, isSigned, hasAuthenticator {
            if sent.headerFields[.authorization] != nil, response.saysStale {
                // The password is right; only the nonce has run out, for which many requests may have been under way.
                guard staleProofs < Self.mostStaleProofs else { return .fail(URLError.expiredLogin) }
                staleProofs += 1
                return .renew
            }
            // The first refusal of a request without a proof is a question, not a verdict.
            let most = sent.headerFields[.authorization] == nil ? 2 : 1
            guard renewals < most else { return .deliver }
            renewals += 1
            if sent.headerFields[.authorization] != nil { renewals = 2 }
            return .renew
        }
        if hasLeft, let error = strayError(response) { return .fail(error) }
        if followsRedirects {
            switch Redirect.judge(response, of: request, canRepeatBody: canRepeat) {
            case .none: break
            case .refuse(let error): return .fail(error)
            case .follow(let next, let dropsBody):
                if dropsBody { sendsBody = false }
                return follow(next)
            case .leave(let next):
                isSigned = false
                hasLeft = true
                return follow(next)
            }
        }
        let code = response.status.code
        guard canRepeat, attempt < policy.maximumAttempts else { return .deliver }
        if !repeatability.repeats(code) {
            guard code == 500, repeatability.isIdempotent, !is500Repeated else { return .deliver }
            is500Repeated = true
        }
        let hint = response.headerFields.retryAfter(now: now)
        // A server that wants to be left alone for longer than we would wait is not asked sooner: the caller learns
        // when.
        if let hint, hint > policy.longestDelay { return .deliver }
        let error = HTTPServerError(response.status, path: .root, retryAfter: hint)
        let delay = policy.delay(afterAttempt: attempt, error: error, jitter: jitter())
        attempt += 1
        return .wait(delay)
    }

    /// The authenticator was asked for another proof.
    ///
    /// - Parameter hasProof: `true` if it has one.
    /// - Returns: The action to take.
    func renewed(_ hasProof: Bool) -> Action {
        guard hasProof else { return .deliver }
        // The login is good again, only the body is gone: who has it can send it once more.
        return canRepeat ? .send : .fail(URLError.expiredLogin)
    }

    /// No answer has come.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - isBodyTouched: `true` if anything of the body was asked for.
    ///   - jitter: Makes a random number from 0 to 1.
    /// - Returns: The action to take.
    mutating func failed(_ error: any Error, isBodyTouched: Bool, jitter: () -> Double) -> Action {
        let stale = error as? StaleConnectionError
        if stale != nil, !isRepeatedAfterStale {
            isRepeatedAfterStale = true
            // A body that never left us was never acted upon (RFC 9110 §9.2.2).
            let isUnseen = hasBody && sendsBody && !isBodyTouched
            if isUnseen || (repeatability.isRepeatedWhenStale && canRepeat) { return .send }
        }
        let error: any Error = stale?.lost ?? error
        // A server that was silent for so long is not asked the same once more.
        guard !(error is CancellationError), !error.isAnswerTimeOut, repeatability.isIdempotent, canRepeat,
            attempt < policy.maximumAttempts, policy.isTransient(error)
        else { return .fail(error) }
        let delay = policy.delay(afterAttempt: attempt, error: error, jitter: jitter())
        attempt += 1
        return .wait(delay)
    }

    private mutating func follow(_ next: HTTPRequest) -> Action {
        redirects += 1
        guard redirects <= Self.mostRedirects else {
            return .fail(
                URLError.answer(
                    .httpTooManyRedirects,
                    description: "the server sent us on \(Self.mostRedirects) times without an end"
                )
            )
        }
        request = next
        return .send
    }

    /// Returns what is refused where nobody knows us says nothing about our login or our files.
    ///
    /// A server that does not know its own address sends us there: behind a proxy that drops the port, for one.
    private func strayError(_ response: HTTPResponse) -> URLError? {
        let isSameHost = home.host == request.host
        guard response.status.code == 401 || (isSameHost && response.status.code >= 400) else { return nil }
        return .redirect(
            "the server sent us to \(request.scheme ?? "")://\(request.authority ?? ""), which answers \(response.status.code)"
        )
    }
}

extension URLError {
    /// Transient, as a cut line is: the same call goes well with what is known now.
    fileprivate static var expiredLogin: URLError {
        .answer(
            .networkConnectionLost,
            description: "the login ran out while this was sent",
            suggestion: "send it again: the login has been renewed"
        )
    }
}

extension HTTPResponse {
    /// Indicates whether the server refuses a nonce that has run out, and not the password (RFC 7616 §3.3).
    fileprivate var saysStale: Bool {
        DigestChallenge.best(of: AuthenticationChallenge.all(in: headerFields))?.isStale ?? false
    }
}

extension HTTPRequest {
    /// The host without the port.
    fileprivate var host: String? { absoluteURL?.host(percentEncoded: true)?.lowercased() }
}
