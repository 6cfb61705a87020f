public import FerryCore
import FerryCrypto
public import Foundation

/// A login in a browser that has begun (RFC 6749 §4.1, with PKCE, RFC 7636).
public struct OAuth2Login: Sendable {
    /// The page to open in the browser.
    public let url: URL

    /// The URL to which the browser is sent afterwards; `nil` if the server shows a code instead.
    public let redirectURL: URL?

    /// The text that the browser must bring back, so that nobody can slip us a login of theirs (RFC 6749 §10.12).
    package let state: String

    /// The secret that proves that whoever brings the code has begun the login (RFC 7636 §4.1).
    package let verifier: String

    /// Returns what is shown of the verifier (RFC 7636 §4.2, `S256`).
    ///
    /// - Parameter verifier: The verifier.
    /// - Returns: Its hash, in base64url.
    static func challenge(of verifier: String) -> String {
        base64URL(Data(HashAlgorithm.sha256.hash(Data(verifier.utf8))))
    }

    /// 256 random bits as text of 43 characters.
    static func randomText() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL(Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension OAuth2Client {
    /// Begins a login in a browser.
    ///
    /// - Parameter redirectURL: Where the browser is to be sent afterwards, as in ``OAuth2LoopbackReceiver/redirectURL``;
    ///   `nil` where the server is to show a code to the person (``OAuth2Configuration/showsCode``).
    /// - Returns: The login, with the URL to open.
    /// - Throws: `URLError.unsupportedURL` if the server has no such login.
    public func beginLogin(redirectURL: URL?) throws -> OAuth2Login {
        guard let base = configuration.authorizationURL,
            var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        else {
            throw URLError.answer(.unsupportedURL, description: "this server has no login in a browser")
        }
        let (state, verifier) = (OAuth2Login.randomText(), OAuth2Login.randomText())
        var form = configuration.extraParameters
        form["response_type"] = "code"
        form["client_id"] = configuration.clientID
        if let redirectURL {
            form["redirect_uri"] = redirectURL.absoluteString
            form["state"] = state
        }
        form["code_challenge"] = OAuth2Login.challenge(of: verifier)
        form["code_challenge_method"] = "S256"
        if !configuration.scopes.isEmpty { form["scope"] = configuration.scopes.joined(separator: " ") }
        let given = parts.percentEncodedQuery.map { "\($0)&" } ?? ""
        parts.percentEncodedQuery = given + OAuth2Form.text(form)
        guard let url = parts.url else {
            throw URLError.answer(.unsupportedURL, description: "this server has no login in a browser", url: base)
        }
        return OAuth2Login(url: url, redirectURL: redirectURL, state: state, verifier: verifier)
    }

    /// Ends a login in a browser.
    ///
    /// - Parameters:
    ///   - login: The login that was begun.
    ///   - code: The code that the browser has brought back.
    /// - Returns: The tokens; store them.
    /// - Throws: `URLError.userAuthenticationRequired` for a code that the server does not take; errors of the connection.
    public func token(for login: OAuth2Login, code: String) async throws -> OAuth2Token {
        var form = ["grant_type": "authorization_code", "code": code, "code_verifier": login.verifier]
        form["redirect_uri"] = login.redirectURL?.absoluteString
        let answer = try await ask(configuration.tokenURL, form)
        return try answer.token(now: now())
    }

    /// Logs in with a browser on this machine.
    ///
    /// - Parameters:
    ///   - timeLimit: How long to wait for the person.
    ///   - open: Opens a URL in the browser, or shows it.
    /// - Returns: The tokens; store them.
    /// - Throws: `URLError.timedOut`, `.userAuthenticationRequired` when it was refused; errors of the connection.
    public func logIn(
        timeLimit: Duration = .seconds(300),
        open: @Sendable (URL) async throws -> Void
    ) async throws -> OAuth2Token {
        let receiver = try await OAuth2LoopbackReceiver.start(
            clock: clock,
            port: configuration.redirectPort,
            host: configuration.redirectHost
        )
        do {
            let login = try beginLogin(redirectURL: receiver.redirectURL)
            receiver.expect(login)
            try await open(login.url)
            let code = try await receiver.code(timeLimit: timeLimit)
            await receiver.stop()
            return try await token(for: login, code: code)
        } catch {
            await receiver.stop()
            throw error
        }
    }
}
