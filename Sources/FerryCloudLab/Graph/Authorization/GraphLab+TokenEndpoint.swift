import FerryCrypto
import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Reads the form of a request, and checks the app that sends it.
    private func form(_ request: LabRequest) throws -> (fields: [String: String], clientID: String) {
        let type = request.headers.first(name: "content-type")?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else {
            throw GraphOAuthError("invalid_request", 900_144, "The request body must be a form.")
        }
        var fields: [String: String] = [:]
        for (name, value) in request.form { fields[name] = value }
        var secret = fields["client_secret"]
        if let field = request.headers.first(name: "authorization"), field.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(field.dropFirst(6)))
        {
            let parts = String(decoding: data, as: UTF8.self).split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            fields["client_id"] = parts.first?.removingPercentEncoding
            secret = parts.last?.removingPercentEncoding
        }
        guard let clientID = fields["client_id"], !clientID.isEmpty else {
            throw GraphOAuthError("invalid_request", 900_144, "The request must contain the parameter 'client_id'.")
        }
        let settings = settings
        guard settings.clientID ?? clientID == clientID else {
            throw GraphOAuthError("unauthorized_client", 700_016, "Application '\(clientID)' was not found.")
        }
        if let expected = settings.clientSecret, secret != expected {
            throw GraphOAuthError("invalid_client", 7_000_215, "Invalid client secret provided.", status: 401)
        }
        return (fields, clientID)
    }

    /// Answers a request for tokens.
    ///
    /// - Throws: ``GraphOAuthError``.
    func tokenAnswer(_ request: LabRequest) throws -> LabResponse {
        let (fields, clientID) = try form(request)
        switch fields["grant_type"] {
        case "authorization_code"?: return try exchange(fields, clientID)
        case "refresh_token"?: return try refresh(fields, clientID)
        case "urn:ietf:params:oauth:grant-type:device_code"?, "device_code"?: return try poll(fields, clientID)
        case nil: throw GraphOAuthError("invalid_request", 900_144, "The parameter 'grant_type' is missing.")
        default: throw GraphOAuthError("unsupported_grant_type", 70003, "The grant type isn't supported.")
        }
    }

    private func exchange(_ fields: [String: String], _ clientID: String) throws -> LabResponse {
        guard let text = fields["code"] else {
            throw GraphOAuthError("invalid_request", 900_144, "The parameter 'code' is missing.")
        }
        // Good for one attempt, also for one that fails.
        guard let code = state.withLock({ $0.codes.removeValue(forKey: text) }) else {
            throw GraphOAuthError("invalid_grant", 54005, "The code was already redeemed, or has never been given out.")
        }
        guard code.expires > clock.now else {
            throw GraphOAuthError("invalid_grant", 70008, "The provided authorization code has expired.")
        }
        guard code.clientID == clientID else {
            throw GraphOAuthError("invalid_grant", 70000, "The code was issued to another application.")
        }
        guard fields["redirect_uri"] == code.redirectURI else {
            throw GraphOAuthError("invalid_grant", 500_112, "The redirect URI isn't the one of the code.")
        }
        if let challenge = code.challenge {
            let verifier = fields["code_verifier"] ?? ""
            let digest = Data(HashAlgorithm.sha256.hash(Data(verifier.utf8))).base64EncodedString()
            let hashed = digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            guard (code.isPlainChallenge ? verifier : hashed) == challenge else {
                throw GraphOAuthError("invalid_grant", 501_481, "The code_verifier doesn't match the code_challenge.")
            }
        }
        return tokens(for: code.account, clientID: clientID, scopes: code.scopes, isOffline: nil)
    }

    private func refresh(_ fields: [String: String], _ clientID: String) throws -> LabResponse {
        guard let text = fields["refresh_token"] else {
            throw GraphOAuthError("invalid_request", 900_144, "The parameter 'refresh_token' is missing.")
        }
        let asked = try fields["scope"].map { try Self.scopes($0) }
        let rotates = settings.rotatesRefreshTokens
        guard let token = state.withLock({ $0.refreshTokens[text] }), token.clientID ?? clientID == clientID else {
            throw GraphOAuthError("invalid_grant", 70000, "The refresh token is invalid, revoked or replaced.")
        }
        if let asked, let granted = token.scopes, !asked.subtracting(["offline_access"]).isSubset(of: granted) {
            throw GraphOAuthError("invalid_grant", 65001, "The user hasn't consented to all scopes.")
        }
        if let predecessor = token.predecessor { state.withLock { $0.refreshTokens[predecessor] = nil } }
        return tokens(
            for: token.account,
            clientID: token.clientID,
            scopes: asked ?? token.scopes,
            granted: token.scopes,
            isOffline: rotates,
            // A client that loses the answer can use the old token again.
            predecessor: rotates ? text : nil
        )
    }

    private func tokens(
        for account: GraphAccount,
        clientID: String?,
        scopes: Set<String>?,
        granted: Set<String>? = nil,
        isOffline: Bool?,
        predecessor: String? = nil
    ) -> LabResponse {
        let lifetime = settings.tokenLifetime
        let access = makeAccessToken(for: account, lifetime: lifetime, scopes: scopes)
        if let predecessor { state.withLock { $0.accessTokens[access]?.predecessor = predecessor } }
        let seconds = JSONValue.integer(lifetime.components.seconds)
        let names = (scopes ?? Self.allScopes).subtracting(["offline_access"]).sorted()
        var answer = JSONObject([
            ("token_type", "Bearer"), ("scope", .string(names.joined(separator: " "))), ("expires_in", seconds),
            ("ext_expires_in", seconds), ("access_token", .string(access)),
        ])
        if isOffline ?? (scopes?.contains("offline_access") ?? true) {
            let token = makeRefreshToken(for: account, clientID: clientID, scopes: granted ?? scopes)
            if let predecessor { state.withLock { $0.refreshTokens[token]?.predecessor = predecessor } }
            answer["refresh_token"] = .string(token)
        }
        return LabResponse(json: .object(answer))
    }
}

// MARK: - Devices

extension GraphLab {
    private static let deviceInterval: Duration = .seconds(5)
    private static let deviceLifetime: TimeInterval = 900

    /// Answers a request for a device code.
    ///
    /// - Throws: ``GraphOAuthError``.
    func deviceCodeAnswer(_ request: LabRequest) throws -> LabResponse {
        let (fields, clientID) = try form(request)
        let scopes = try Self.scopes(fields["scope"])
        let text = makeText(length: 60)
        let userCode = makeText(length: 9, from: "BCDFGHJKLMNPQRSTVWXYZ23456789")
        let code = GraphDeviceCode(
            account: account,
            clientID: clientID,
            scopes: scopes,
            expires: clock.now.addingTimeInterval(Self.deviceLifetime),
            polls: settings.devicePolls,
            interval: Self.deviceInterval
        )
        state.withLock { $0.deviceCodes[text] = code }
        let page = "https://microsoft.com/devicelogin"
        return LabResponse(
            json: [
                "user_code": .string(userCode), "device_code": .string(text), "verification_uri": .string(page),
                "expires_in": .integer(Int64(Self.deviceLifetime)),
                "interval": .integer(Self.deviceInterval.components.seconds),
                "message": .string("To sign in, open \(page) and enter the code \(userCode)."),
            ]
        )
    }

    private func poll(_ fields: [String: String], _ clientID: String) throws -> LabResponse {
        let text = fields["device_code"] ?? ""
        let now = clock.now
        let consent = settings.consent
        let code = try state.withLock { state in
            guard var code = state.deviceCodes[text], code.clientID == clientID else {
                throw GraphOAuthError("bad_verification_code", 70018, "The device_code isn't known.")
            }
            guard code.expires > now else {
                state.deviceCodes[text] = nil
                throw GraphOAuthError("expired_token", 70020, "The device code has expired.")
            }
            if let last = code.lastPoll, now < last.addingTimeInterval(code.interval / .seconds(1)) {
                // RFC 8628, section 3.5: from now on the client has to wait longer.
                code.interval += .seconds(5)
                code.lastPoll = now
                state.deviceCodes[text] = code
                throw GraphOAuthError("slow_down", 70019, "The client polls too often.")
            }
            code.lastPoll = now
            code.polls -= 1
            guard code.polls < 0 else {
                state.deviceCodes[text] = code
                throw GraphOAuthError("authorization_pending", 70016, "The user hasn't finished authenticating.")
            }
            state.deviceCodes[text] = nil
            guard consent == .granted else {
                throw GraphOAuthError("authorization_declined", 70017, "The user declined.")
            }
            return code
        }
        return tokens(for: code.account, clientID: clientID, scopes: code.scopes, isOffline: nil)
    }
}

/// An error of the identity platform.
///
/// Vendor page: "Microsoft identity platform and OAuth 2.0 authorization code flow", "device authorization grant".
struct GraphOAuthError: Error {
    let error: String
    /// The number behind `AADSTS`.
    let number: Int64
    let message: String
    var status = 400

    init(_ error: String, _ number: Int64, _ message: String, status: Int = 400) {
        self.error = error
        self.number = number
        self.message = message
        self.status = status
    }

    /// Returns the error as an answer.
    func response(date: Date, traceID: String, correlationID: String) -> LabResponse {
        let time = GraphTimestamp.text(date, isPrecise: false).replacing("T", with: " ")
        let trace = "Trace ID: \(traceID) Correlation ID: \(correlationID) Timestamp: \(time)"
        var response = LabResponse(
            status,
            json: [
                "error": .string(error), "error_description": .string("AADSTS\(number): \(message) \(trace)"),
                "error_codes": [.integer(number)], "timestamp": .string(time), "trace_id": .string(traceID),
                "correlation_id": .string(correlationID),
            ]
        )
        response.refusal = error
        return response
    }
}
