import FerryCore
import HTTPTypes

extension HTTPSession {
    /// Holds all requests of the session, as the service has asked for in the body of an answer.
    ///
    /// - Parameter delay: The time that requests wait, from now.
    package func hold(for delay: Duration) {
        throttle.hold(for: delay)
    }

    /// Sends a request once the account wants one.
    func carry(_ request: HTTPRequest, body: HTTPRequestBody?, about path: ItemPath) async throws -> HTTPReply {
        // A login may have taken its time, and others may have been refused meanwhile.
        try await pass(request, about: path)
        let reply = try await transport.send(request, body: body)
        if throttlingStatuses.contains(reply.status.code), let delay = reply.head.headerFields.retryAfter(now: now()) {
            hold(for: delay, after: request)
        }
        return reply
    }

    /// Waits until the account wants a request.
    func pass(_ request: HTTPRequest, about path: ItemPath) async throws {
        guard throttle.isHolding else { return }
        let origin = HTTPOrigin(request)
        do {
            try await invalidation.run { [throttle] in try await throttle.pass(to: origin, about: path) }
        } catch {
            throw FinalError(error: error)
        }
    }

    /// Holds the requests for which an answer speaks.
    private func hold(for delay: Duration, after request: HTTPRequest) {
        if isForOwnOrigin(request) {
            throttle.hold(for: delay)
        } else if let origin = HTTPOrigin(request) {
            throttle.hold(origin, for: delay)
        }
    }

    /// Waits before a request is sent again that was refused since the service is busy, as its body says.
    ///
    /// - Parameters:
    ///   - error: The refusal.
    ///   - request: The request.
    ///   - attempt: The number of the try that was refused, from 1.
    /// - Returns: `false`, at once, if the request is not to be sent again.
    /// - Throws: `CancellationError`.
    func pause(after error: HTTPServerError, to request: HTTPRequest, attempt: Int) async throws -> Bool {
        OperationContext.current.overloadListener?.heard()
        if let delay = error.retryAfter { hold(for: delay, after: request) }
        guard attempt < retryPolicy.maximumAttempts, !retryPolicy.isTooSoon(after: error), takeRepetition() else {
            return false
        }
        let delay = retryPolicy.delay(afterAttempt: attempt, error: error)
        try await wait(delay, for: request, because: "\(error.statusCode)")
        return true
    }
}
