import Foundation
import HTTPTypes
import Synchronization

extension NextcloudServer {
    struct LoginOutcome {
        var user: String?
        var cookies: [String] = []
        var refusal: LoopbackAnswer?
    }

    /// The user that sends the request, by password and cookies.
    func login(_ request: NextcloudRequest) -> LoginOutcome {
        let cookies = cookies(of: request)
        let prefix = request.head.scheme == "https" ? "__Host-" : ""
        return state.withLock { state in
            if state.settings.hasBruteForceProtection, state.failedLogins >= 10 {
                return LoginOutcome(refusal: .answer(429, text: "TooManyRequests"))
            }
            let session = cookies["oc1234567890"]
            var isKnown = session.map(state.sessions.contains) ?? false
            // A web page could have made a browser send it.
            if isKnown, let session, request.method == "POST", request["ocs-apirequest"] == nil {
                state.sessions.remove(session)
                isKnown = false
            }
            if isKnown,
                cookies["\(prefix)nc_sameSiteCookielax"] != "true"
                    || cookies["\(prefix)nc_sameSiteCookiestrict"] != "true"
            {
                let words = "{\"error\":\"Strict Cookie has not been found in request\"}"
                return LoginOutcome(refusal: .answer(412, ["content-type": "application/json"], text: words))
            }
            guard let (name, password) = basic(request) else {
                return LoginOutcome(refusal: unauthorized(request))
            }
            let login = name.lowercased()
            guard let user = state.users.values.first(where: { $0.id == login || $0.mail == login }) else {
                state.failedLogins += 1
                return LoginOutcome(refusal: unauthorized(request))
            }
            if user.appPasswords.contains(password) { return LoginOutcome(user: user.id) }
            guard user.password == password else {
                state.failedLogins += 1
                return LoginOutcome(refusal: unauthorized(request))
            }
            state.failedLogins = 0
            if isKnown { return LoginOutcome(user: user.id) }
            state.slowLogins += 1
            let token = state.makeToken()
            state.sessions.insert(token)
            let secure = prefix.isEmpty ? "" : "secure; "
            let flags = "; path=/; \(secure)HttpOnly; SameSite="
            return LoginOutcome(
                user: user.id,
                cookies: [
                    "oc_sessionPassphrase=abc\(flags)Lax", "oc1234567890=\(token)\(flags)Lax",
                    "\(prefix)nc_sameSiteCookielax=true; path=/; httponly;\(secure)expires=Fri, 31-Dec-2100 23:59:59 GMT; "
                        + "SameSite=lax",
                    "\(prefix)nc_sameSiteCookiestrict=true; path=/; httponly;\(secure)expires=Fri, 31-Dec-2100 23:59:59 GMT; "
                        + "SameSite=strict",
                ]
            )
        }
    }

    /// The password of a request.
    func basic(_ request: NextcloudRequest) -> (user: String, password: String)? {
        guard let field = request["authorization"], field.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(field.dropFirst(6))), let colon = data.firstIndex(of: 0x3A)
        else { return nil }
        return (
            String(decoding: data[..<colon], as: UTF8.self), String(decoding: data[(colon + 1)...], as: UTF8.self)
        )
    }

    private func cookies(of request: NextcloudRequest) -> [String: String] {
        var cookies: [String: String] = [:]
        // Of several fields PHP gets the last one.
        for pair in (request.head.headerFields[values: .cookie].last ?? "").split(separator: ";") {
            let sides = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            if sides.count == 2 { cookies[String(sides[0])] = String(sides[1]) }
        }
        return cookies
    }

    private func unauthorized(_ request: NextcloudRequest) -> LoopbackAnswer {
        switch request.names.first {
        case "ocs":
            let version = request.names.dropFirst().first ?? "v2.php"
            var answer = ocsAnswer(version, request, 997, "Current user is not logged in", data: [String]())
            answer.status = .unauthorized
            return answer
        case "index.php":
            return .answer(
                401,
                ["content-type": "application/json"],
                text: "{\"message\":\"Current user is not logged in\"}"
            )
        default:
            var answer = NextcloudProblem(
                401,
                "Sabre\\DAV\\Exception\\NotAuthenticated",
                "No public access to this resource., Username or password was incorrect"
            ).answer
            answer.fields[.wwwAuthenticate] = "Basic realm=\"Example Cloud\", charset=\"UTF-8\""
            return answer
        }
    }

    // MARK: Maintenance

    func maintenance(_ request: NextcloudRequest) -> LoopbackAnswer? {
        guard state.withLock({ $0.settings.isInMaintenance }), request.names != ["status.php"] else { return nil }
        if request.names.first == "ocs" {
            var answer = ocsAnswer("v2.php", request, 503, "Service unavailable", data: [String]())
            answer.status = .serviceUnavailable
            if let name = HTTPField.Name("x-nextcloud-maintenance-mode") { answer.fields[name] = "1" }
            return answer
        }
        return NextcloudProblem(
            503,
            "OCA\\DAV\\Exception\\ServerMaintenanceMode",
            "System is in maintenance mode."
        ).answer
    }

    func statusPage() -> LoopbackAnswer {
        let settings = state.withLock { $0.settings }
        let version = settings.isOwnCloud ? "10.15.0" : "32.0.1"
        return json([
            "installed": true, "maintenance": settings.isInMaintenance, "needsDbUpgrade": false,
            "version": "\(version).2", "versionstring": version, "edition": "",
            "productname": settings.isOwnCloud ? "ownCloud" : "Nextcloud", "extendedSupport": false,
        ])
    }

    func json(_ value: Any, _ status: Int = 200) -> LoopbackAnswer {
        let data = (try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)) ?? Data()
        return .answer(
            status,
            ["content-type": "application/json; charset=utf-8"],
            text: String(decoding: data, as: UTF8.self)
        )
    }
}
