public import Foundation

/// An authorization server in this process (RFC 6749 with PKCE, RFC 8628), and a folder that its tokens open: `dav/`.
///
/// A browser that asks for a login is let in at once. Refresh tokens rotate: each can be used once.
public final class OAuthServer: Sendable {
    private let server: LoopbackServer
    private let desk: OAuthDesk

    private init(server: LoopbackServer, desk: OAuthDesk) {
        self.server = server
        self.desk = desk
    }

    /// Starts a server.
    ///
    /// - Parameter clientSecret: The secret that the app `ferry` must prove to know; `nil` for none.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(clientSecret: String? = nil) async throws -> OAuthServer {
        let desk = OAuthDesk(clientSecret: clientSecret)
        let server = try await LoopbackServer.start { request in desk.answer(to: request) }
        return OAuthServer(server: server, desk: desk)
    }

    /// Its URL, which ends in `/`; below it are `authorize`, `token`, `device` and `dav/`.
    public var url: URL { server.url }

    /// The kinds of grants by which tokens were given out so far, in order.
    public var grants: [String] { desk.grants }

    /// The tokens that are good now.
    public var tokens: [String] { desk.tokens }

    /// Takes no access token any more that was given out so far.
    public func endAccess() { desk.endAccess() }

    /// Refuses each login from now on.
    public func refuseLogins() { desk.refuseLogins() }

    /// Stops listening, and closes all connections; returns when that is done.
    public func stop() async { await server.stop() }
}
