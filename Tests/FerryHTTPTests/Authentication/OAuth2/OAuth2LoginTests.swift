import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import FerryHTTP

private let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

@Suite("A login of OAuth 2")
struct OAuth2LoginTests {
    private static let good = #"{"access_token":"t","token_type":"Bearer","expires_in":60,"refresh_token":"r"}"#
    private let clock = InstantClock()

    private func client(
        secret: String? = nil,
        by authentication: OAuth2Configuration.ClientAuthentication = .basic,
        clock: (any Clock<Duration>)? = nil,
        _ transport: ScriptedTransport
    ) throws -> OAuth2Client {
        let configuration = OAuth2Configuration(
            authorizationURL: URL(string: "https://login.example/authorize?tenant=x"),
            tokenURL: try #require(URL(string: "https://login.example/token?v=2")),
            deviceAuthorizationURL: URL(string: "https://login.example/device"),
            clientID: "my app",
            clientSecret: secret,
            clientAuthentication: authentication,
            scopes: ["files.read", "offline"],
            extraParameters: ["access_type": "offline"]
        )
        return OAuth2Client(
            configuration: configuration,
            transport: transport,
            logger: quiet,
            clock: clock ?? self.clock,
            now: { Date(timeIntervalSince1970: 0) }
        )
    }

    private func query(_ url: URL) -> [String: String] {
        OAuth2Form.pairs((url.query(percentEncoded: true) ?? "")[...])
    }

    /// Returns what a browser does: goes where it is sent.
    private func visit(_ url: String) async throws -> (status: Int, page: String) {
        let transport = NIOTransport()
        let parsed = try #require(URL(string: url))
        let target = parsed.path(percentEncoded: true) + (parsed.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let reply = try await transport.send(try #require(HTTPOrigin(parsed)).request(.get, target), body: nil)
        let page = String(decoding: try await reply.body.collect(upTo: 10_000), as: UTF8.self)
        await transport.shutdown()
        return (reply.status.code, page)
    }

    @Test("a code challenge is as in RFC 7636, appendix B, and no two logins have the same secrets")
    func challenge() throws {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(OAuth2Login.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let client = try client(ScriptedTransport { _, _ in answer(500) })
        let redirect = try #require(URL(string: "http://127.0.0.1:1/ferry"))
        let (one, two) = (try client.beginLogin(redirectURL: redirect), try client.beginLogin(redirectURL: redirect))
        #expect(one.state != two.state && one.verifier != two.verifier && one.state != one.verifier)
        #expect(one.verifier.utf8.count == 43)
    }

    @Test("in a browser brings a code back, which becomes a token")
    func browser() async throws {
        let transport = ScriptedTransport { _, _ in answer(200, [:], Self.good) }
        let client = try client(clock: StoppedClock(), transport)
        let token = try await client.logIn { url in
            let asked = query(url)
            #expect(url.absoluteString.hasPrefix("https://login.example/authorize?tenant=x&"))
            #expect(asked["response_type"] == "code" && asked["client_id"] == "my app")
            #expect(asked["scope"] == "files.read offline" && asked["access_type"] == "offline")
            #expect(asked["code_challenge_method"] == "S256")
            let (state, back) = (try #require(asked["state"]), try #require(asked["redirect_uri"]))
            #expect(try await visit("\(back)?code=stolen&state=wrong").status == 400)
            #expect(try await visit("\(back)?code=stolen").status == 400)
            #expect(try await visit("\(back)?code=stolen&state=\(state)&state=\(state)").status == 400)
            #expect(try await visit("\(back)/x?code=stolen&state=\(state)").status == 404)
            let page = try await visit("\(back)?code=c%2Fo+de&state=\(state)")
            #expect(page.status == 200 && page.page.contains("You are logged in."))
            #expect(try await visit("\(back)?code=second&state=\(state)").status == 400)
        }
        #expect(token.accessToken == "t" && token.refreshToken == "r")
        let form = OAuth2Form.pairs(String(decoding: transport.sent[0].body ?? Data(), as: UTF8.self)[...])
        #expect(form["code"] == "c/o de" && form["grant_type"] == "authorization_code")
        #expect(form["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
        #expect(form["code_verifier"]?.utf8.count == 43)
        #expect(transport.lines == ["POST https://login.example/token?v=2"])
    }

    @Test("that the person refuses, or that nobody makes in time, is an error")
    func refused() async throws {
        let transport = ScriptedTransport { _, _ in answer(500) }
        let patient = try client(clock: StoppedClock(), transport)
        let refused = await #expect(throws: URLError.self) {
            try await patient.logIn { url in
                let asked = query(url)
                let back = try #require(asked["redirect_uri"])
                let page = try await visit("\(back)?error=access_denied&state=\(asked["state"] ?? "")")
                #expect(page.page.contains("refused"))
            }
        }
        #expect(refused?.code == .userAuthenticationRequired)
        let late = await #expect(throws: URLError.self) { try await client(transport).logIn { _ in } }
        #expect(late?.code == .timedOut)
        #expect(transport.sent.isEmpty)
    }

    @Test("an app proves itself as the server wants it, never in a URL")
    func appSecret() async throws {
        let transport = ScriptedTransport { _, _ in answer(200, [:], Self.good) }
        let old = OAuth2Token(accessToken: "t", refreshToken: "r")
        _ = try await client(secret: "s:ecret", by: .basic, transport).refreshed(old)
        _ = try await client(secret: "s:ecret", by: .post, transport).refreshed(old)
        _ = try await client(transport).refreshed(old)
        let pair = Data("my%20app:s%3Aecret".utf8).base64EncodedString()
        #expect(transport.sent.map(\.authorization) == ["Basic \(pair)", nil, nil])
        let forms = transport.sent.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
        #expect(!forms[0].contains("ecret"))
        #expect(forms[1].contains("client_secret=s%3Aecret"))
        #expect(forms[2].contains("client_id=my%20app"))
        #expect(!transport.lines.joined().contains("ecret"))
        let configuration = try client(secret: "s:ecret", transport).configuration
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(configuration) \(dumped)".contains("ecret"))
    }

    @Test("tokens are not asked for where anybody can read along")
    func plain() async throws {
        let transport = ScriptedTransport { _, _ in answer(200, [:], Self.good) }
        let configuration = OAuth2Configuration(
            tokenURL: try #require(URL(string: "http://login.example/token")),
            clientID: "app"
        )
        let client = OAuth2Client(configuration: configuration, transport: transport, logger: quiet)
        let error = await #expect(throws: URLError.self) {
            try await client.refreshed(OAuth2Token(accessToken: "t", refreshToken: "r"))
        }
        #expect(error?.code == .unsupportedURL)
        #expect(transport.sent.isEmpty)
    }

    // MARK: Another device

    private static let device =
        #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://login.example/go","#
        + #""verification_uri_complete":"https://login.example/go?c=WDJB-MJHT","expires_in":1800,"interval":5}"#

    @Test("on another device is waited for as slowly as the server wants")
    func device() async throws {
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: return answer(200, [:], Self.device)
            case 2, 4: return answer(400, [:], #"{"error":"authorization_pending"}"#)
            case 3: return answer(400, [:], #"{"error":"slow_down"}"#)
            case 5: throw URLError(.timedOut)
            default: return answer(200, [:], Self.good)
            }
        }
        let client = try client(transport)
        let login = try await client.beginDeviceLogin()
        #expect(login.userCode == "WDJB-MJHT" && login.verificationURL.absoluteString == "https://login.example/go")
        #expect(login.completeVerificationURL?.query() == "c=WDJB-MJHT")
        #expect(login.lifetime == .seconds(1_800))
        #expect(try await client.token(for: login).accessToken == "t")
        #expect(clock.waits == [5, 5, 10, 10, 20].map { .seconds($0) })
        let form = OAuth2Form.pairs(String(decoding: transport.sent[1].body ?? Data(), as: UTF8.self)[...])
        #expect(form["device_code"] == "d" && form["client_id"] == "my app")
        #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
    }

    @Test(
        "on another device that is refused or never made is an error",
        arguments: ["access_denied", "expired_token", "authorization_pending"]
    )
    func deviceRefused(code: String) async throws {
        let transport = ScriptedTransport { _, number in
            number == 1 ? answer(200, [:], Self.device) : answer(400, [:], #"{"error":"\#(code)"}"#)
        }
        let client = try client(transport)
        let login = try await client.beginDeviceLogin()
        let error = await #expect(throws: URLError.self) { try await client.token(for: login) }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(transport.sent.count == (code == "authorization_pending" ? 361 : 2))
    }

    @Test(
        "on another device begins with an answer of the right shape only",
        arguments: [
            "{}", #"{"device_code":"d","user_code":"u","expires_in":1}"#,
            #"{"device_code":"d","user_code":"u","expires_in":1,"verification_uri":"javascript:alert(1)"}"#,
        ]
    )
    func deviceShape(body: String) async throws {
        let client = try client(ScriptedTransport { _, _ in answer(200, [:], body) })
        let error = await #expect(throws: URLError.self) { try await client.beginDeviceLogin() }
        #expect(error?.code == .cannotParseResponse)
    }
}
