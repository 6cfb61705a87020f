public import FerryCore
package import Foundation
import HTTPTypes
public import Logging

/// An app at an authorization server (RFC 6749): gets tokens by a login, and new ones for old.
///
/// Nothing of it is repeated by itself: a code and a rotating refresh token can be used once.
public final class OAuth2Client: Sendable {
    /// The endpoints of the server, and the identity of the app.
    public let configuration: OAuth2Configuration

    let session: HTTPSession
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: Where the server is to be found, and who the app is.
    ///   - transport: The transport that carries the requests; it is not ended by the client.
    ///   - logger: Where to log.
    public convenience init(configuration: OAuth2Configuration, transport: any HTTPTransport, logger: Logger) {
        self.init(configuration: configuration, transport: transport, logger: logger, clock: ContinuousClock())
    }

    /// Makes a client whose time is somebody else's.
    ///
    /// - Parameters:
    ///   - configuration: Where the server is to be found, and who the app is.
    ///   - transport: The transport that carries the requests.
    ///   - logger: Where to log.
    ///   - clock: The clock to wait on.
    ///   - now: The time of day.
    package init(
        configuration: OAuth2Configuration,
        transport: any HTTPTransport,
        logger: Logger,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        self.clock = clock
        self.now = now
        session = HTTPSession(transport: transport, logger: logger, clock: clock, now: now)
    }

    /// Gets a new access token for a refresh token (RFC 6749 §6).
    ///
    /// - Parameter token: The token to renew.
    /// - Returns: The new token; it has the old one's refresh token and scope where the server gave no others.
    /// - Throws: `URLError.userAuthenticationRequired` if a new login is needed; errors of the connection.
    public func refreshed(_ token: OAuth2Token) async throws -> OAuth2Token {
        guard let refreshToken = token.refreshToken else {
            throw URLError.answer(
                .userAuthenticationRequired,
                description: "the login has ended",
                suggestion: "log in again"
            )
        }
        let answer = try await ask(
            configuration.tokenURL,
            ["grant_type": "refresh_token", "refresh_token": refreshToken]
        )
        var fresh = try answer.token(now: now())
        fresh.refreshToken = fresh.refreshToken ?? refreshToken
        fresh.scope = fresh.scope ?? token.scope
        return fresh
    }

    /// Asks one of the server's addresses.
    ///
    /// - Parameters:
    ///   - url: Which.
    ///   - form: The parameters of the question; the app's own name is added.
    /// - Returns: The answer, be it a refusal.
    /// - Throws: Errors of the connection; `URLError.resourceUnavailable` and the like for a server that is out of order.
    func ask(_ url: URL, _ form: [String: String]) async throws -> OAuth2Answer {
        guard let origin = HTTPOrigin(url), origin.scheme == "https" || origin.isLoopback else {
            throw URLError.answer(.unsupportedURL, description: "tokens are asked for over https only", url: url)
        }
        var form = form
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        switch (configuration.clientSecret, configuration.clientAuthentication) {
        case (let secret?, .basic):
            // RFC 6749 §2.3.1: encoded as in a form before they are put together.
            let pair = "\(OAuth2Form.encoded(configuration.clientID)):\(OAuth2Form.encoded(secret))"
            fields[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case (let secret?, .post):
            form["client_id"] = configuration.clientID
            form["client_secret"] = secret
        case (nil, _): form["client_id"] = configuration.clientID
        }
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let reply = try await session.send(
            origin.request(.post, target, fields),
            body: HTTPRequestBody(OAuth2Form.text(form)),
            options: HTTPRequestOptions(isIdempotent: false, followsRedirects: false)
        )
        return try await OAuth2Answer.read(reply, now: now())
    }
}
