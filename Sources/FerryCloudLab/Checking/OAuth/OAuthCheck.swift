import NIOHTTP1

/// A check of requests for tokens (RFC 6749, sections 3.2 and 5; RFC 7636; RFC 8628).
enum OAuthCheck {
    /// The parameters that each kind of grant must have.
    private static let grants: [String: [String]] = [
        "authorization_code": ["code"], "refresh_token": ["refresh_token"],
        "urn:ietf:params:oauth:grant-type:device_code": ["device_code"], "client_credentials": [],
    ]

    /// Returns what is wrong with a request.
    static func findings(inRequest request: LabRequest) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        if request.method != .POST { report("", "The method is POST, not \(request.method.rawValue).") }
        let type = request.headers.first(name: "content-type")?.lowercased() ?? ""
        if !type.hasPrefix("application/x-www-form-urlencoded") { report("Content-Type", "The body is not a form.") }
        let form = request.form
        for name in Set(form.map(\.name)) where form.count(where: { $0.name == name }) > 1 {
            report(name, "The parameter is there twice.")
        }
        let authorization = request.headers.first(name: "authorization")
        if authorization.map({ !$0.hasPrefix("Basic ") }) ?? false {
            report("Authorization", "A client is identified by 'Basic ', not by a token.")
        }
        if authorization == nil, !form.contains(where: { $0.name == "client_id" }) {
            report("client_id", "The parameter is missing.")
        }
        guard let grant = form.first(where: { $0.name == "grant_type" })?.value else {
            report("grant_type", "The parameter is missing.")
            return findings
        }
        guard let parameters = grants[grant] else {
            report("grant_type", "'\(grant)' is no kind of grant.")
            return findings
        }
        for parameter in parameters where !form.contains(where: { $0.name == parameter }) {
            report(parameter, "The parameter is missing.")
        }
        return findings
    }

    /// Returns what is wrong with an answer.
    static func findings(inAnswer response: LabResponse) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        guard [200, 400, 401].contains(response.status) else {
            // Too many requests, and methods that aren't allowed, have no form of their own.
            if ![405, 429].contains(response.status) { report("", "The status \(response.status) is not described.") }
            return findings
        }
        let value = try? JSONParser.parse(response.body.bytes)
        guard let object = value?.object else {
            if response.status == 200 { report("$", "Tokens come as a JSON object.") }
            return findings
        }
        guard response.status == 200 else {
            if object["error"]?.string == nil { report("$.error", "The error's code is missing.") }
            return findings
        }
        for name in ["access_token", "token_type"] where object[name]?.string?.isEmpty ?? true {
            report("$.\(name)", "The text is missing.")
        }
        if object["expires_in"]?.integer.map({ $0 > 0 }) != true { report("$.expires_in", "The life is missing.") }
        if let token = object["refresh_token"], token.string == nil {
            report("$.refresh_token", "A token is a string.")
        }
        return findings
    }
}
