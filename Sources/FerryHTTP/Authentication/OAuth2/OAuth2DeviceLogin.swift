public import FerryCore
public import Foundation

/// A login that a person makes on another device (RFC 8628 §3.2).
public struct OAuth2DeviceLogin: Sendable {
    /// The code that the person types in there.
    public let userCode: String

    /// The page where the person types the code.
    public let verificationURL: URL

    /// The same with the code in it, as for a QR code; `nil` if the server has none.
    public let completeVerificationURL: URL?

    /// The time for which the code is valid.
    public let lifetime: Duration

    let deviceCode: String
    let interval: Duration
}

extension OAuth2Client {
    /// Begins a login on another device.
    ///
    /// - Returns: The login, with the text to show to the person.
    /// - Throws: `URLError.unsupportedURL` if the server has no such login; errors of the connection.
    public func beginDeviceLogin() async throws -> OAuth2DeviceLogin {
        guard let url = configuration.deviceAuthorizationURL else {
            throw URLError.answer(.unsupportedURL, description: "this server has no login on another device")
        }
        var form: [String: String] = [:]
        if !configuration.scopes.isEmpty { form["scope"] = configuration.scopes.joined(separator: " ") }
        let answer = try await ask(url, form)
        if answer.refusal != nil { throw answer.error }
        guard let deviceCode = try answer.string("device_code"), let userCode = try answer.string("user_code"),
            let lifetime = try answer.seconds("expires_in"),
            // Google calls it so.
            let address = try answer.string("verification_uri") ?? answer.string("verification_url"),
            let verificationURL = URL(string: address), HTTPOrigin(verificationURL) != nil
        else { throw OAuth2Answer.wrong }
        let complete = try answer.string("verification_uri_complete").flatMap { URL(string: $0) }
        return OAuth2DeviceLogin(
            userCode: userCode,
            verificationURL: verificationURL,
            completeVerificationURL: complete.flatMap { HTTPOrigin($0) == nil ? nil : $0 },
            lifetime: .seconds(lifetime),
            deviceCode: deviceCode,
            interval: .seconds(max(1, try answer.seconds("interval") ?? 5))
        )
    }

    /// Waits until the person has logged in on the other device.
    ///
    /// - Parameter login: The login that was begun.
    /// - Returns: The tokens; store them.
    /// - Throws: `URLError.userAuthenticationRequired` when it was refused or took too long; errors of the connection.
    public func token(for login: OAuth2DeviceLogin) async throws -> OAuth2Token {
        var interval = login.interval
        var waited = Duration.zero
        while waited < login.lifetime {
            try await clock.sleep(for: interval)
            waited += interval
            let answer: OAuth2Answer
            do {
                answer = try await ask(
                    configuration.tokenURL,
                    [
                        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                        "device_code": login.deviceCode,
                    ]
                )
            } catch let error as URLError where error.isAnswerTimeOut || RetryPolicy.isTransient(error) {
                // RFC 8628 §3.5: a bad line is no answer; ask again, more slowly.
                interval *= 2
                continue
            }
            switch answer.refusal {
            case "authorization_pending": continue
            case "slow_down": interval += .seconds(5)
            case "expired_token": waited = login.lifetime
            default: return try answer.token(now: now())
            }
        }
        throw URLError.answer(
            .userAuthenticationRequired,
            description: "nobody has logged in in time",
            suggestion: "begin again"
        )
    }
}
