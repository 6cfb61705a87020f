import FerryCloudLab
import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: OAuth")
struct GraphOAuthTests {
    // RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func post(_ url: URL, _ form: String, headers: HTTPHeaders = HTTPHeaders()) async throws -> LabClient.Answer
    {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        return try await LabClient.send(url, headers: headers, body: Array(form.utf8))
    }

    private func authorize(_ lab: CloudLab, _ more: String = "") async throws -> String {
        let query =
            "client_id=app&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A5000%2F&state=s%201"
            + "&scope=Files.ReadWrite%20offline_access&code_challenge=\(Self.challenge)&code_challenge_method=S256"
        let url = try #require(URL(string: lab.graph.authorizationURL.absoluteString + "?" + query + more))
        let answer = try await LabClient.send(.GET, url)
        #expect(answer.status == 302)
        return answer.location ?? ""
    }

    private func code(_ location: String) -> String {
        URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value ?? ""
    }

    @Test("a code is exchanged once, with its verifier")
    func codes() async throws {
        try await withCloudLab { lab in
            let location = try await authorize(lab)
            #expect(location.hasPrefix("http://localhost:5000/?code=") && location.hasSuffix("&state=s%201"))
            let form =
                "grant_type=authorization_code&client_id=app&code=\(code(location))"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A5000%2F&code_verifier="
            let wrong = try await post(lab.graph.tokenURL, form + "wrong")
            #expect(wrong.status == 400 && wrong.json["error"] == "invalid_grant")
            #expect(wrong.json["error_description"]?.string?.hasPrefix("AADSTS501481: ") == true)
            let used = try await post(lab.graph.tokenURL, form + Self.verifier)
            #expect(used.json["error"] == "invalid_grant" && used.json["error_codes"] == [54005])
            let again = form.replacing(code(location), with: code(try await authorize(lab)))
            let tokens = try await post(lab.graph.tokenURL, again + Self.verifier)
            #expect(tokens.status == 200 && tokens.json["expires_in"] == 3600)
            #expect(tokens.json["scope"] == "Files.ReadWrite")
            let token = try #require(tokens.json["access_token"]?.string)
            #expect(try await GraphClient(lab, token: token).get("/me/drive").status == 200)
            #expect(try await GraphClient(lab, token: token).get("/me").code == "accessDenied")
        }
    }

    @Test("a refresh token ends when its successor is in use, and may be turned to not rotate")
    func rotation() async throws {
        try await withCloudLab { lab in
            let first = lab.graph.makeRefreshToken()
            let form = "grant_type=refresh_token&refresh_token=\(first)"
            let basic: HTTPHeaders = ["Authorization": "Basic \(Data("app:secret".utf8).base64EncodedString())"]
            let next = try await post(lab.graph.tokenURL, form, headers: basic)
            #expect(next.status == 200)
            #expect(next.json["refresh_token"]?.string.map { $0 != first } == true)
            // A client that has lost the answer asks again.
            #expect(try await post(lab.graph.tokenURL, form + "&client_id=app").status == 200)
            let token = next.json["access_token"]?.string
            #expect(try await GraphClient(lab, token: token).get("/me/drive").status == 200)
            let spent = try await post(lab.graph.tokenURL, form + "&client_id=app")
            #expect(spent.status == 400 && spent.json["error"] == "invalid_grant")
            lab.graph.settings.rotatesRefreshTokens = false
            let stable = "grant_type=refresh_token&client_id=app&refresh_token=\(lab.graph.makeRefreshToken())"
            for _ in 0..<2 {
                let answer = try await post(lab.graph.tokenURL, stable)
                #expect(answer.status == 200 && answer.json["refresh_token"] == nil)
            }
            lab.graph.revokeTokens(of: lab.graph.account)
            #expect(try await post(lab.graph.tokenURL, stable).json["error"] == "invalid_grant")
        }
    }

    @Test("a device code is pending, then slow, then good, and expires")
    func devices() async throws {
        try await withCloudLab { lab in
            let scope = "client_id=app&scope=Files.ReadWrite.All%20offline_access"
            let first = try await post(lab.graph.deviceCodeURL, scope).json
            #expect(first["interval"] == 5 && first["verification_uri"] == "https://microsoft.com/devicelogin")
            let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code="
            let form = grant + (first["device_code"]?.string ?? "")
            #expect(try await post(lab.graph.tokenURL, form).json["error"] == "authorization_pending")
            #expect(try await post(lab.graph.tokenURL, form).json["error"] == "slow_down")
            lab.clock.advance(by: .seconds(5))
            #expect(try await post(lab.graph.tokenURL, form).json["error"] == "slow_down")
            lab.clock.advance(by: .seconds(15))
            let tokens = try await post(lab.graph.tokenURL, form)
            #expect(tokens.status == 200 && tokens.json["refresh_token"] != nil)
            #expect(try await post(lab.graph.tokenURL, form).json["error"] == "bad_verification_code")
            let second = try await post(lab.graph.deviceCodeURL, scope).json
            lab.clock.advance(by: .seconds(901))
            let late = try await post(lab.graph.tokenURL, grant + (second["device_code"]?.string ?? ""))
            #expect(late.json["error"] == "expired_token")
        }
    }

    @Test("a user who declines, an unknown scope and a foreign app are refused")
    func refusals() async throws {
        var options = CloudLab.Options()
        options.graph.consent = .denied
        try await withCloudLab(options) { lab in
            #expect(try await authorize(lab).contains("error=access_denied"))
            lab.graph.settings.consent = .granted
            lab.graph.settings.clientID = "other"
            lab.graph.settings.clientSecret = "secret"
            let form = "grant_type=refresh_token&refresh_token=\(lab.graph.makeRefreshToken())"
            let foreign = try await post(lab.graph.tokenURL, form + "&client_id=app")
            #expect(foreign.json["error"] == "unauthorized_client")
            let wrong = try await post(lab.graph.tokenURL, form + "&client_id=other&client_secret=no")
            #expect(wrong.status == 401 && wrong.json["error"] == "invalid_client")
            let scope = form + "&client_id=other&client_secret=secret&scope=Everything"
            #expect(try await post(lab.graph.tokenURL, scope).json["error"] == "invalid_scope")
        }
    }

    @Test("an expired, a foreign and a missing access token are refused with 401")
    func accessTokens() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab, token: lab.graph.makeAccessToken(lifetime: .seconds(60)))
            #expect(try await client.get("/me/drive").status == 200)
            lab.clock.advance(by: .seconds(60))
            let expired = try await client.get("/me/drive")
            #expect(expired.status == 401 && expired.code == "InvalidAuthenticationToken")
            #expect(expired.headers.contains(name: "www-authenticate"))
            #expect(try await GraphClient(lab, token: "no").get("/me/drive").status == 401)
        }
    }
}
