import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Answers a request to the identity platform, for any tenant.
    func loginAnswer(_ request: LabRequest) -> LabResponse {
        let parts = request.path.split(separator: "/")
        var response: LabResponse
        do {
            guard parts.count == 4, parts[1] == "oauth2", parts[2] == "v2.0" else {
                return LabResponse(404, text: "No such page.")
            }
            switch (parts[3], request.method) {
            case ("authorize", .GET): return authorizationPage(request)
            case ("token", .POST): response = try tokenAnswer(request)
            case ("devicecode", .POST): response = try deviceCodeAnswer(request)
            case ("authorize", _), ("token", _), ("devicecode", _):
                return LabResponse(405, text: "The method isn't allowed here.")
            default: return LabResponse(404, text: "No such page.")
            }
        } catch {
            let known = error as? GraphOAuthError ?? GraphOAuthError("server_error", 90033, "\(error)", status: 500)
            response = known.response(
                date: clock.now,
                traceID: makeRequestID(),
                correlationID: makeRequestID()
            )
        }
        response.headers.replaceOrAdd(name: "Cache-Control", value: "no-store, no-cache")
        response.headers.replaceOrAdd(name: "Date", value: LabDate.httpText(clock.now))
        return response
    }

    /// Answers the page on which a user lets an app in; nobody is asked, the settings say what the user would do.
    private func authorizationPage(_ request: LabRequest) -> LabResponse {
        let settings = settings
        guard let clientID = request.parameter("client_id"), settings.clientID ?? clientID == clientID else {
            return LabResponse(400, text: "AADSTS700016: the application wasn't found in the directory.")
        }
        guard let redirect = request.parameter("redirect_uri"), var parts = URLComponents(string: redirect),
            Self.isAllowed(parts)
        else { return LabResponse(400, text: "AADSTS50011: the redirect URI isn't registered.") }
        let fields: [(String, String)]
        do {
            fields = [("code", try makeCode(request, clientID: clientID, redirectURI: redirect))]
        } catch {
            fields = [("error", error.error), ("error_description", "AADSTS\(error.number): \(error.message)")]
        }
        var items = (parts.queryItems ?? []) + fields.map { URLQueryItem(name: $0, value: $1) }
        if let state = request.parameter("state") { items.append(URLQueryItem(name: "state", value: state)) }
        parts.queryItems = items
        return LabResponse(302, headers: ["Location": parts.string ?? redirect])
    }

    /// Returns `true` if an app may have the answer at an address: `localhost` on any port, and the vendor's own page.
    ///
    /// Vendor page: "Redirect URI (reply URL) outline and restrictions"; 127.0.0.1 is treated alike here.
    private static func isAllowed(_ parts: URLComponents) -> Bool {
        switch (parts.scheme, parts.host) {
        case ("http"?, "localhost"?), ("http"?, "127.0.0.1"?): parts.fragment == nil
        case ("https"?, _): parts.fragment == nil
        default: false
        }
    }

    private func makeCode(
        _ request: LabRequest,
        clientID: String,
        redirectURI: String
    ) throws(GraphOAuthError) -> String {
        guard request.parameter("response_type") == "code" else {
            throw GraphOAuthError("unsupported_response_type", 700_054, "response_type must be 'code'.")
        }
        guard ["query", nil].contains(request.parameter("response_mode")) else {
            throw GraphOAuthError("invalid_request", 900_144, "response_mode must be 'query'.")
        }
        let scopes = try Self.scopes(request.parameter("scope"))
        let challenge = request.parameter("code_challenge")
        let method = request.parameter("code_challenge_method") ?? "plain"
        guard challenge.map({ (43...128).contains($0.utf8.count) }) ?? true, ["S256", "plain"].contains(method) else {
            throw GraphOAuthError("invalid_request", 501_481, "The code_challenge isn't valid.")
        }
        guard settings.consent == .granted else {
            throw GraphOAuthError("access_denied", 65004, "User declined to consent to access the app.")
        }
        let text = "M.C5_BL2." + makeText(length: 40)
        let code = GraphCode(
            account: account,
            clientID: clientID,
            redirectURI: redirectURI,
            challenge: challenge,
            isPlainChallenge: method == "plain",
            scopes: scopes,
            expires: clock.now.addingTimeInterval(600)
        )
        state.withLock { $0.codes[text] = code }
        return text
    }

    /// Reads scopes, with or without the name of the resource before them.
    static func scopes(_ text: String?) throws(GraphOAuthError) -> Set<String> {
        let names = (text ?? "").split(separator: " ").map { name in
            String(name.hasPrefix("https://graph.microsoft.com/") ? name.dropFirst(28) : name)
        }
        guard !names.isEmpty else {
            throw GraphOAuthError("invalid_request", 900_144, "The request must contain the parameter 'scope'.")
        }
        let known = Dictionary(uniqueKeysWithValues: allScopes.map { ($0.lowercased(), $0) })
        var scopes: Set<String> = []
        for name in names {
            guard let scope = known[name.lowercased()] else {
                throw GraphOAuthError("invalid_scope", 70011, "The scope '\(name)' isn't valid.")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}
