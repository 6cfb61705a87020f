import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import FerryHTTP

@Suite("A login of OAuth 2 whose answer is pasted")
struct OAuth2PastingTests {
    private func client(showsCode: Bool, port: UInt16? = nil, _ transport: ScriptedTransport) throws -> OAuth2Client {
        var configuration = OAuth2Configuration(
            authorizationURL: URL(string: "https://login.example/authorize"),
            tokenURL: try #require(URL(string: "https://login.example/token")),
            clientID: "app"
        )
        configuration.showsCode = showsCode
        configuration.redirectPort = port
        return OAuth2Client(
            configuration: configuration,
            transport: transport,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: InstantClock(),
            now: { Date(timeIntervalSince1970: 0) }
        )
    }

    private func granting() -> ScriptedTransport {
        ScriptedTransport { _, _ in answer(200, [:], #"{"access_token":"t","token_type":"Bearer","expires_in":60}"#) }
    }

    private func pairs(_ text: String?) -> [String: String] { OAuth2Form.pairs((text ?? "")[...]) }

    @Test("asks a server that shows a code without saying where to go, and proves who began it")
    func shownCode() async throws {
        let transport = granting()
        let client = try client(showsCode: true, transport)
        let login = try client.beginPastedLogin()
        let asked = pairs(login.url.query(percentEncoded: true))
        #expect(asked["redirect_uri"] == nil && asked["state"] == nil && asked["code_challenge"]?.utf8.count == 43)
        #expect(try await client.token(for: login, pasted: "  the-code\n").accessToken == "t")
        let form = pairs(String(decoding: transport.sent[0].body ?? Data(), as: UTF8.self))
        #expect(form["code"] == "the-code" && form["code_verifier"] == login.verifier)
        #expect(form.keys.sorted() == ["client_id", "code", "code_verifier", "grant_type"])
    }

    @Test(
        "takes a code alone, as a line code=…, or in an address",
        arguments: ["a/b", "code=a%2Fb\n", "app://x?code=a%2Fb"]
    )
    func forms(text: String) async throws {
        let transport = granting()
        let client = try client(showsCode: true, transport)
        let login = try client.beginPastedLogin()
        #expect(try await client.token(for: login, pasted: text).accessToken == "t")
        #expect(pairs(String(decoding: transport.sent[0].body ?? Data(), as: UTF8.self))["code"] == "a/b")
    }

    @Test(
        "takes the address at which the browser has ended, broken into lines too",
        arguments: [nil, 0, 4711] as [UInt16?]
    )
    func address(port: UInt16?) async throws {
        let transport = granting()
        let client = try client(showsCode: false, port: port, transport)
        let login = try client.beginPastedLogin()
        let back = pairs(login.url.query(percentEncoded: true))["redirect_uri"]
        #expect(back == "http://127.0.0.1:\(port == 4711 ? 4711 : 53_682)/ferry")
        let address = "\(back ?? "")?code=a%2Fb\n&state=\(login.state)#_=_\r\n"
        #expect(try await client.token(for: login, pasted: address).accessToken == "t")
        let form = pairs(String(decoding: transport.sent[0].body ?? Data(), as: UTF8.self))
        #expect(form["code"] == "a/b" && form["redirect_uri"] == back)
    }

    @Test("sends nothing for an answer to another login, a refusal, or what is no answer")
    func refused() async throws {
        let transport = granting()
        let client = try client(showsCode: false, transport)
        let login = try client.beginPastedLogin()
        let back = try #require(login.redirectURL?.absoluteString)
        let answers = [
            "\(back)?code=c&state=other": "another login", "\(back)?code=c": "another login", back: "not the address",
            "\(back)?error=access_denied&state=\(login.state)": "refused", "just-a-code": "not the address",
            "": "not the",
        ]
        for (text, words) in answers {
            let error = await #expect(throws: URLError.self) { try await client.token(for: login, pasted: text) }
            #expect(error?.code == .userAuthenticationRequired)
            let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
            #expect(reason?.contains(words) == true, "\(text): \(reason ?? "")")
        }
        let shown = try self.client(showsCode: true, transport)
        await #expect(throws: URLError.self) { try await shown.token(for: try shown.beginPastedLogin(), pasted: " ") }
        #expect(transport.sent.isEmpty)
    }
}
