import FerryCore
import Foundation
import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("A password")
struct PasswordAuthenticatorTests {
    private static let basic = "Basic YW5uOnNlY3JldA=="

    private func authenticator(_ scheme: PasswordScheme = .automatic) -> PasswordAuthenticator {
        PasswordAuthenticator(user: "ann", password: "secret", scheme: scheme, makeNonce: { "c" })
    }

    private func authorized(_ authenticator: PasswordAuthenticator, _ url: String) async throws -> HTTPRequest {
        let parsed = try #require(URL(string: url))
        var request = try #require(HTTPOrigin(parsed)).request(.get, "/a")
        await authenticator.authorize(&request)
        return request
    }

    private func refusal(_ challenges: String...) -> HTTPResponse {
        var fields = HTTPFields()
        for challenge in challenges { fields.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
        return HTTPResponse(status: .unauthorized, headerFields: fields)
    }

    private func nonce(_ request: HTTPRequest) -> String? {
        request.headerFields[.authorization].flatMap { $0.firstMatch(of: /[ ,]nonce="([^"]*)"/) }.map { String($0.1) }
    }

    @Test(
        "is sent at once over TLS and within this machine, else only where nothing better is wanted",
        arguments: [
            ("https://h.example", true), ("http://127.0.0.1:8080", true), ("http://localhost", true),
            ("http://[::1]:80", true), ("http://h.example", false), ("http://127.0.0.1.example", false),
            ("http://10.0.0.1", false),
        ]
    )
    func atOnce(url: String, isAtOnce: Bool) async throws {
        let authenticator = authenticator()
        let request = try await authorized(authenticator, url)
        #expect(request.headerFields[.authorization] == (isAtOnce ? Self.basic : nil))
        #expect(await authenticator.isReady(for: request) == isAtOnce)
        guard !isAtOnce else { return }
        #expect(await authenticator.renew(after: refusal(#"Basic realm="x""#), of: request))
        let second = try await authorized(authenticator, url)
        #expect(second.headerFields[.authorization] == Self.basic)
        #expect(await !authenticator.renew(after: refusal(#"Basic realm="x""#), of: second))
    }

    @Test("a digest is preferred, and what the server takes is remembered")
    func prefersDigest() async throws {
        let authenticator = authenticator()
        let request = try await authorized(authenticator, "https://h")
        let both = refusal("Basic realm=x", #"Digest realm=x, nonce=n1, qop="auth""#)
        #expect(await authenticator.renew(after: both, of: request))
        let second = try await authorized(authenticator, "https://h")
        #expect(nonce(second) == "n1")
        #expect(await authenticator.isReady(for: second))
        #expect(await !authenticator.renew(after: refusal("Basic realm=x"), of: second))
    }

    @Test("Digest alone never shows the password")
    func digestOnly() async throws {
        let authenticator = authenticator(.digest)
        let request = try await authorized(authenticator, "https://h")
        #expect(request.headerFields[.authorization] == nil)
        #expect(await !authenticator.renew(after: refusal("Basic realm=x"), of: request))
        #expect(try await authorized(authenticator, "https://h").headerFields[.authorization] == nil)
    }

    @Test("Basic alone answers no digest")
    func basicOnly() async throws {
        let authenticator = authenticator(.basic)
        let request = try await authorized(authenticator, "http://h.example")
        #expect(request.headerFields[.authorization] == Self.basic)
        #expect(await !authenticator.renew(after: refusal("Digest realm=x, nonce=n, qop=auth"), of: request))
    }

    @Test("a stale nonce is replaced, once for all requests that were refused with it")
    func stale() async throws {
        let authenticator = authenticator(.digest)
        let request = try await authorized(authenticator, "http://h")
        #expect(await authenticator.renew(after: refusal("Digest realm=x, nonce=n1, qop=auth"), of: request))
        let requests = [
            try await authorized(authenticator, "http://h"), try await authorized(authenticator, "http://h"),
        ]
        #expect(requests.map(nonce) == ["n1", "n1"])
        let first = refusal("Digest realm=x, nonce=n2, qop=auth, stale=TRUE")
        let second = refusal("Digest realm=x, nonce=n3, qop=auth, stale=true")
        #expect(await authenticator.renew(after: first, of: requests[0]))
        #expect(await authenticator.renew(after: second, of: requests[1]))
        let renewed = try await authorized(authenticator, "http://h")
        #expect(nonce(renewed) == "n2")
        #expect(renewed.headerFields[.authorization]?.contains("nc=00000001") == true)
    }

    @Test("a refused digest is a verdict, unless the server has taken one before and wants a new nonce")
    func verdict() async throws {
        let authenticator = authenticator(.digest)
        let request = try await authorized(authenticator, "http://h")
        #expect(await authenticator.renew(after: refusal("Digest realm=x, nonce=n1, qop=auth"), of: request))
        let wrong = try await authorized(authenticator, "http://h")
        #expect(await !authenticator.renew(after: refusal("Digest realm=x, nonce=n2, qop=auth"), of: wrong))
        try await authenticator.note(HTTPResponse(status: .ok), of: wrong)
        let later = try await authorized(authenticator, "http://h")
        #expect(await authenticator.renew(after: refusal("Digest realm=x, nonce=n3, qop=auth"), of: later))
        let last = try await authorized(authenticator, "http://h")
        #expect(nonce(last) == "n3")
        #expect(await !authenticator.renew(after: refusal("Digest realm=x, nonce=n4, qop=auth"), of: last))
    }

    @Test("the next nonce is taken from an answer, and a false proof of the server is an error")
    func nextNonce() async throws {
        let authenticator = authenticator(.digest)
        let request = try await authorized(authenticator, "http://h")
        #expect(await authenticator.renew(after: refusal("Digest realm=x, nonce=n1, qop=auth"), of: request))
        let sent = try await authorized(authenticator, "http://h")
        let next = HTTPResponse(status: .ok, headerFields: [.authenticationInfo: #"nextnonce="n2""#])
        try await authenticator.note(next, of: sent)
        let second = try await authorized(authenticator, "http://h")
        #expect(nonce(second) == "n2")
        #expect(second.headerFields[.authorization]?.contains("nc=00000001") == true)
        let false1 = HTTPResponse(status: .ok, headerFields: [.authenticationInfo: #"rspauth="00", qop=auth"#])
        let error = await #expect(throws: URLError.self) { try await authenticator.note(false1, of: second) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("a credential has the authenticator that fits it, and nothing shows the secret")
    func credentials() async throws {
        let password = FileProviderCredential(user: "ann", secret: .password("secret"))
        #expect(PasswordAuthenticator.authenticator(for: password) is PasswordAuthenticator)
        let token = FileProviderCredential(user: nil, secret: .token("secret"))
        let bearer = try #require(PasswordAuthenticator.authenticator(for: token) as? BearerAuthenticator)
        #expect(PasswordAuthenticator.authenticator(for: FileProviderCredential(user: "ann")) == nil)
        var dumped = ""
        dump(bearer, to: &dumped)
        dump(authenticator(), to: &dumped)
        #expect(!"\(bearer) \(String(reflecting: bearer)) \(dumped)".contains("secret"))
    }
}
