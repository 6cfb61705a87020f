import FerryCrypto
import FerryTestServers
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import FerryHTTP

@Suite("OAuth 1")
struct OAuth1Tests {
    @Test("signs the request of the RFC as the RFC does")
    func example() throws {
        // RFC 5849 §1.2.
        let authenticator = OAuth1Authenticator(
            consumerKey: "dpf43f3p2l4k3l03",
            consumerSecret: "kd94hf93k423kf44",
            token: "nnch734d00sl2jdk",
            tokenSecret: "pfkkdhi9sl3r4s00",
            realm: "Photos",
            now: { Date(timeIntervalSince1970: 137_131_202) },
            makeNonce: { "chapoH" }
        )
        var request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "photos.example.net",
            path: "/photos?file=vacation.jpg&size=original"
        )
        authenticator.authorize(&request)
        let field = try #require(request.headerFields[.authorization])
        #expect(field.hasPrefix("OAuth realm=\"Photos\", oauth_consumer_key=\"dpf43f3p2l4k3l03\""))
        #expect(field.contains("oauth_signature_method=\"HMAC-SHA1\""))
        #expect(field.hasSuffix("oauth_signature=\"MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D\""))
        #expect(!"\(authenticator)".contains("kd94hf93k423kf44") && !"\(authenticator)".contains("pfkkdhi9sl3r4s00"))
    }

    @Test("signs all parameters in their order, and the address without a standard port")
    func baseString() {
        // The parameters of RFC 5849 §3.4.1.3.2, all of them in the URL here.
        let request = HTTPRequest(
            method: .post,
            scheme: "HTTP",
            authority: "EXAMPLE.com:80",
            path: "/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q"
        )
        let parameters = [
            ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
            ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
        ]
        #expect(
            OAuth1BaseString(request, parameters).text
                == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D"
                + "%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a"
                + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201"
                + "%26oauth_token%3Dkkk9d7dh3k39sjv7"
        )
    }

    @Test("has the codes of RFC 2202 and RFC 4231")
    func codes() {
        let text = Array("what do ya want for nothing?".utf8)
        let key = Array("Jefe".utf8)
        #expect(HMAC(.sha1, key: key).code(of: text).hexadecimal == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(
            HMAC(.sha256, key: key).code(of: text).hexadecimal
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = [UInt8](repeating: 0xAA, count: 80)
        let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(HMAC(.sha1, key: long).code(of: message).hexadecimal == "aa4ae5e15272d00e95705637ce8a3b55ed402112")
    }

    @Test("signs each request of a session anew")
    func session() async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            LoopbackAnswer(.ok)
        } perform: { server in
            let origin = try #require(HTTPOrigin(server.url))
            let session = HTTPSession(
                transport: NIOTransport(),
                origins: [origin],
                authenticator: OAuth1Authenticator(consumerKey: "app", consumerSecret: "secret", method: .hmacSHA256),
                logger: Logger(label: "test")
            )
            for _ in 0..<2 {
                _ = try await session.send(
                    origin.request(.get, "/a"),
                    body: nil,
                    options: HTTPRequestOptions(path: "/a")
                )
            }
            await session.invalidate()
            let all = server.requests.compactMap { $0.headerFields[.authorization] }
            #expect(all.count == 2 && all[0] != all[1])
            #expect(all.allSatisfy { $0.hasPrefix("OAuth oauth_consumer_key=\"app\"") && $0.contains("HMAC-SHA256") })
        }
    }
}
