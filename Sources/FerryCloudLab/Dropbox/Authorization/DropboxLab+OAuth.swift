import FerryCrypto
import Foundation
import NIOHTTP1
import Synchronization

extension DropboxLab {
    /// Answers the page on which a user lets an app in; nobody is asked, the settings say what the user would do.
    func authorizationPage(_ request: LabRequest) -> LabResponse {
        guard request.method == .GET else { return LabResponse(405, text: "Only GET is allowed here.") }
        let settings = settings
        guard request.parameter("response_type") == "code" else {
            return LabResponse(400, text: "Invalid response_type: must be \"code\".")
        }
        guard let appKey = request.parameter("client_id"), settings.appKey ?? appKey == appKey else {
            return LabResponse(400, text: "Invalid client_id.")
        }
        let challenge = request.parameter("code_challenge")
        let method = request.parameter("code_challenge_method") ?? "plain"
        guard challenge.map({ (43...128).contains($0.utf8.count) }) ?? true, method == "S256" || method == "plain"
        else {
            return LabResponse(400, text: "Invalid code_challenge.")
        }
        let access = request.parameter("token_access_type") ?? "online"
        guard access == "offline" || access == "online" else {
            return LabResponse(400, text: "Invalid token_access_type.")
        }
        let redirect = request.parameter("redirect_uri")
        if settings.consent == .denied {
            return answer(
                to: redirect,
                state: request.parameter("state"),
                [
                    ("error", "access_denied"), ("error_description", "The user chose not to give your app access"),
                ]
            )
        }
        let text = makeText(length: 43)
        let scopes = request.parameter("scope").map { Set($0.split(separator: " ").map(String.init)) }
        let code = DropboxCode(
            account: account,
            appKey: appKey,
            redirectURI: redirect,
            challenge: challenge,
            isPlainChallenge: method == "plain",
            isOffline: access == "offline",
            scopes: scopes,
            expires: clock.now.addingTimeInterval(600)
        )
        state.withLock { $0.codes[text] = code }
        return answer(to: redirect, state: request.parameter("state"), [("code", text)])
    }

    /// Redirects to the app, or shows the result on the page for an app that has no address.
    private func answer(to redirect: String?, state: String?, _ fields: [(String, String)]) -> LabResponse {
        guard let redirect else {
            let isGranted = fields.first?.0 == "code"
            return LabResponse(isGranted ? 200 : 403, text: fields.map { "\($0)=\($1)" }.joined(separator: "\n"))
        }
        guard var parts = URLComponents(string: redirect), parts.scheme != nil else {
            return LabResponse(400, text: "Invalid redirect_uri.")
        }
        var items = (parts.queryItems ?? []) + fields.map { URLQueryItem(name: $0, value: $1) }
        if let state { items.append(URLQueryItem(name: "state", value: state)) }
        parts.queryItems = items
        return LabResponse(302, headers: ["Location": parts.string ?? redirect])
    }

    /// Answers a request for tokens.
    func tokenAnswer(_ request: LabRequest) -> LabResponse {
        guard request.method == .POST else { return LabResponse(405, text: "Only POST is allowed here.") }
        let type = request.headers.first(name: "content-type")?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else {
            return LabResponse(400, text: "Bad content type.")
        }
        var fields: [String: String] = [:]
        for (name, value) in request.form { fields[name] = value }
        let client = client(request, fields)
        let settings = settings
        guard let appKey = client.key, settings.appKey ?? appKey == appKey else {
            return oauthError(
                "invalid_client",
                "Invalid client_id or client_secret",
                status: client.isBasic ? 401 : 400
            )
        }
        if let secret = settings.appSecret, let given = client.secret, given != secret {
            return oauthError(
                "invalid_client",
                "Invalid client_id or client_secret",
                status: client.isBasic ? 401 : 400
            )
        }
        switch fields["grant_type"] {
        case "authorization_code": return exchange(fields, appKey: appKey, hasSecret: client.secret?.isEmpty == false)
        case "refresh_token": return refresh(fields, appKey: appKey)
        default: return oauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
        }
    }

    private func client(
        _ request: LabRequest,
        _ fields: [String: String]
    ) -> (key: String?, secret: String?, isBasic: Bool) {
        guard let field = request.headers.first(name: "authorization"), field.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(field.dropFirst(6)))
        else { return (fields["client_id"], fields["client_secret"], false) }
        let parts = String(decoding: data, as: UTF8.self).split(
            separator: ":",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        return (parts.first?.removingPercentEncoding, parts.last?.removingPercentEncoding, true)
    }

    private func exchange(_ fields: [String: String], appKey: String, hasSecret: Bool) -> LabResponse {
        guard let text = fields["code"] else { return oauthError("invalid_request", "missing required field \"code\"") }
        // Good for one attempt, also for one that fails.
        guard let code = state.withLock({ $0.codes.removeValue(forKey: text) }), code.expires > clock.now else {
            return oauthError("invalid_grant", "code doesn't exist or has expired")
        }
        guard code.appKey == appKey else { return oauthError("invalid_grant", "code was issued to another app") }
        guard fields["redirect_uri"] == code.redirectURI else {
            return oauthError("invalid_grant", "redirect_uri mismatch")
        }
        if let challenge = code.challenge {
            guard let verifier = fields["code_verifier"] else {
                return oauthError("invalid_grant", "code_verifier is required")
            }
            let digest = Data(HashAlgorithm.sha256.hash(Data(verifier.utf8))).base64EncodedString()
            let expected = digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            guard (code.isPlainChallenge ? verifier : expected) == challenge else {
                return oauthError("invalid_grant", "invalid code verifier")
            }
        } else if !hasSecret {
            return oauthError("invalid_request", "No auth function available for given request")
        }
        let refreshToken =
            code.isOffline ? makeRefreshToken(for: code.account, appKey: appKey, scopes: code.scopes) : nil
        return tokens(for: code.account, scopes: code.scopes, refreshToken: refreshToken, isFirst: true)
    }

    private func refresh(_ fields: [String: String], appKey: String) -> LabResponse {
        guard let text = fields["refresh_token"] else {
            return oauthError("invalid_request", "missing required field \"refresh_token\"")
        }
        guard let token = state.withLock({ $0.refreshTokens[text] }), token.appKey ?? appKey == appKey else {
            return oauthError("invalid_grant", "refresh token is invalid or revoked")
        }
        let asked = fields["scope"].map { Set($0.split(separator: " ").map(String.init)) }
        if let asked, let granted = token.scopes, !asked.isSubset(of: granted) {
            return oauthError("invalid_scope", "scope exceeds what was granted")
        }
        return tokens(for: token.account, scopes: asked ?? token.scopes, refreshToken: text, isFirst: false)
    }

    private func tokens(
        for account: DropboxAccount,
        scopes: Set<String>?,
        refreshToken: String?,
        isFirst: Bool
    ) -> LabResponse {
        let lifetime = settings.tokenLifetime
        let access = makeAccessToken(for: account, lifetime: lifetime, scopes: scopes, refreshToken: refreshToken)
        var answer = JSONObject([
            ("access_token", .string(access)), ("token_type", "bearer"),
            ("expires_in", .integer(lifetime.components.seconds)),
        ])
        guard isFirst else { return LabResponse(json: .object(answer)) }
        if let refreshToken { answer["refresh_token"] = .string(refreshToken) }
        answer["scope"] = .string((scopes ?? DropboxRoute.allScopes).sorted().joined(separator: " "))
        answer["uid"] = "12345"
        answer["account_id"] = .string(account.id)
        return LabResponse(json: .object(answer))
    }

    private func oauthError(_ code: String, _ description: String, status: Int = 400) -> LabResponse {
        var response = LabResponse(
            status,
            json: ["error": .string(code), "error_description": .string(description)]
        )
        response.refusal = code
        return response
    }
}
