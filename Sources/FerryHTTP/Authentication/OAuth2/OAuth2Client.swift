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

/// The form that is sent to an authorization server: `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum OAuth2Form {
    /// The pairs as text, in the order of their names.
    static func text(_ pairs: [String: String]) -> String {
        pairs.sorted { $0.key < $1.key }.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// A name or a value; a space becomes `%20`, which every reader of forms knows too.
    static func encoded(_ text: String) -> String {
        var safe = CharacterSet(charactersIn: "-._~")
        safe.insert(charactersIn: "a"..."z")
        safe.insert(charactersIn: "A"..."Z")
        safe.insert(charactersIn: "0"..."9")
        return text.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }

    /// The pairs of a query; of two with the same name none counts (RFC 6749 §3.1: no parameter more than once).
    static func pairs(_ query: Substring) -> [String: String] {
        var found: [String: [String]] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { continue }
            found[name, default: []].append(value)
        }
        return found.compactMapValues { $0.count == 1 ? $0[0] : nil }
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
