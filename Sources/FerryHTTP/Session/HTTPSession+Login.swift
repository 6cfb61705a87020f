import FerryCore
import HTTPTypes
import Logging

extension HTTPSession {
    /// Has the server say what login it wants, if the authenticator doesn't know: once for all requests that wait.
    ///
    /// The question has no body: some servers stay silent, or drop the line, when a large one comes without a login.
    ///
    /// - Parameters:
    ///   - request: The request that will be sent.
    ///   - path: The item that it is about.
    ///   - hasBody: `true` if it has a body, which is not sent with a proof that is likely to be refused.
    ///   - mustLast: `true` if it can be sent only once, so that a login that may have run out is asked for anew.
    /// - Throws: Errors of the connection, and what keeps a login from being had.
    func login(
        for request: HTTPRequest,
        about path: ItemPath,
        hasBody: Bool,
        mustLast: Bool
    ) async throws {
        guard let authenticator else { return }
        let isSpending = await authenticator.spendsProofs
        let mustLast = mustLast || hasBody && isSpending
        guard await !isReady(authenticator, for: request, mustLast: mustLast) else { return }
        // A proof that is good for one request is of no use to all.
        if isSpending { return try await ask(authenticator, before: request, about: path, withProof: false) }
        try await firstLogin.value { [self] in
            guard await !isReady(authenticator, for: request, mustLast: mustLast) else { return }
            try await ask(authenticator, before: request, about: path, withProof: true)
        }
    }

    /// Has the server say what login it wants, or whether it still takes the one that we have.
    private func ask(
        _ authenticator: any HTTPAuthenticator,
        before request: HTTPRequest,
        about path: ItemPath,
        withProof: Bool
    ) async throws {
        // Some servers let everybody ask for OPTIONS. What they then say to HEAD holds.
        for method in [HTTPRequest.Method.options, .head] {
            var question = request
            question.method = method
            question.headerFields = HTTPFields()
            if withProof { try await authenticator.authorize(&question) }
            let reply = try await carry(question, body: nil, about: path)
            await reply.body.drain()
            logger.trace(
                "asked for the login",
                metadata: ["target": "\(question.loggedTarget)", "status": "\(reply.status.code)"]
            )
            if reply.status.code == 401 {
                _ = try await authenticator.renew(after: reply.head, of: question)
                return
            }
            if method == .head, reply.status.code < 500, reply.status.code != 429 {
                try await authenticator.note(reply.head, of: question)
            }
        }
    }

    private func isReady(
        _ authenticator: any HTTPAuthenticator,
        for request: HTTPRequest,
        mustLast: Bool
    ) async -> Bool {
        guard await authenticator.isReady(for: request) else { return false }
        return mustLast ? await authenticator.isSure(of: request) : true
    }
}
