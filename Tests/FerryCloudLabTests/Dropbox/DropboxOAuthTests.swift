import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: OAuth 2")
struct DropboxOAuthTests {
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let redirect = "http://127.0.0.1:1/callback"
    // RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private func authorize(_ lab: CloudLab, _ extra: [String: String] = [:]) async throws -> [String: String] {
        var parts = URLComponents(url: lab.dropbox.authorizationURL, resolvingAgainstBaseURL: true)
        var query = [
            "response_type": "code", "client_id": "app", "redirect_uri": Self.redirect, "state": "s t",
            "code_challenge": Self.challenge, "code_challenge_method": "S256", "token_access_type": "offline",
        ]
        query.merge(extra) { $1 }
        parts?.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        let answer = try await LabClient.send(.GET, try #require(parts?.url))
        #expect(answer.status == 302)
        let location = try #require(answer.headers.first(name: "location"))
        #expect(location.hasPrefix(Self.redirect))
        let items = URLComponents(string: location)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private func token(_ lab: CloudLab, _ fields: [String: String]) async throws -> LabClient.Answer {
        var parts = URLComponents()
        parts.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        let body = (parts.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        return try await LabClient.send(lab.dropbox.tokenURL, headers: Self.form, body: Array(body.utf8))
    }

    private func exchange(_ lab: CloudLab, code: String, verifier: String = verifier) async throws -> LabClient.Answer {
        try await token(
            lab,
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect, "client_id": "app",
                "code_verifier": verifier,
            ]
        )
    }

    @Test("a code with PKCE gives tokens, once")
    func codes() async throws {
        try await withCloudLab { lab in
            let answer = try await authorize(lab)
            #expect(answer["state"] == "s t")
            let code = try #require(answer["code"])
            let tokens = try await exchange(lab, code: code).json
            #expect(tokens["expires_in"] == 14400 && tokens["token_type"] == "bearer")
            let client = DropboxClient(lab, token: tokens["access_token"]?.string ?? "")
            #expect(try await client.call("check/user", ["query": "hi"]).json == ["result": "hi"])
            let again = try await exchange(lab, code: code)
            #expect(again.status == 400 && again.json["error"] == "invalid_grant")
        }
    }

    @Test("a wrong verifier, a late code and a user who declines get no token")
    func refusals() async throws {
        try await withCloudLab { lab in
            let code = try #require(try await authorize(lab)["code"])
            let wrong = try await exchange(lab, code: code, verifier: String(repeating: "a", count: 43))
            #expect(wrong.json["error"] == "invalid_grant")
            let late = try #require(try await authorize(lab)["code"])
            lab.clock.advance(by: .seconds(601))
            #expect(try await exchange(lab, code: late).json["error"] == "invalid_grant")
            lab.dropbox.settings.consent = .denied
            #expect(try await authorize(lab)["error"] == "access_denied")
        }
    }

    @Test("a token ends after its life, and a refresh token gets the next one and stays the same")
    func refresh() async throws {
        try await withCloudLab { lab in
            let refreshToken = lab.dropbox.makeRefreshToken(appKey: "app")
            let fields = ["grant_type": "refresh_token", "refresh_token": refreshToken, "client_id": "app"]
            let tokens = try await token(lab, fields).json
            #expect(tokens.object?.names == ["access_token", "token_type", "expires_in"])
            let client = DropboxClient(lab, token: tokens["access_token"]?.string ?? "")
            #expect(try await client.call("users/get_space_usage", .null).status == 200)
            lab.clock.advance(by: .seconds(14400))
            let expired = try await client.call("users/get_space_usage", .null)
            #expect(expired.status == 401 && expired.json["error"] == [".tag": "expired_access_token"])
            #expect(try await token(lab, fields).status == 200)
            lab.dropbox.revokeTokens(of: lab.dropbox.account)
            #expect(try await token(lab, fields).json["error"] == "invalid_grant")
            #expect(try await client.call("users/get_space_usage", .null).summary == "invalid_access_token/..")
        }
    }

    @Test("a revoked login takes its refresh token along")
    func revocation() async throws {
        try await withCloudLab { lab in
            let refreshToken = lab.dropbox.makeRefreshToken()
            let fields = ["grant_type": "refresh_token", "refresh_token": refreshToken, "client_id": "app"]
            let client = DropboxClient(lab, token: try await token(lab, fields).json["access_token"]?.string ?? "")
            #expect(try await client.call("auth/token/revoke", .null).text == "null")
            #expect(try await token(lab, fields).json["error"] == "invalid_grant")
        }
    }

    @Test("a token without the permission is refused with the permission's name")
    func scopes() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab, token: lab.dropbox.makeAccessToken(scopes: ["files.metadata.read"]))
            #expect(try await client.call("files/list_folder", ["path": ""]).status == 200)
            let refused = try await client.call("files/create_folder_v2", ["path": "/a"])
            #expect(refused.status == 401)
            #expect(refused.json["error"] == [".tag": "missing_scope", "required_scope": "files.content.write"])
        }
    }

    @Test("an app with a secret proves itself in the form or with Basic")
    func clients() async throws {
        var options = CloudLab.Options()
        options.dropbox.appKey = "app"
        options.dropbox.appSecret = "secret"
        try await withCloudLab(options) { lab in
            let refreshToken = lab.dropbox.makeRefreshToken()
            let fields = ["grant_type": "refresh_token", "refresh_token": refreshToken, "client_id": "app"]
            let good = try await token(lab, fields.merging(["client_secret": "secret"]) { $1 })
            #expect(good.status == 200)
            let bad = try await token(lab, fields.merging(["client_secret": "no"]) { $1 })
            #expect(bad.json["error"] == "invalid_client")
            var headers = Self.form
            headers.add(name: "Authorization", value: "Basic " + Data("app:secret".utf8).base64EncodedString())
            let body = "grant_type=refresh_token&refresh_token=\(refreshToken)"
            let basic = try await LabClient.send(lab.dropbox.tokenURL, headers: headers, body: Array(body.utf8))
            #expect(basic.status == 200)
        }
    }
}
