import Foundation
import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("Digest")
struct DigestTests {
    private struct Case: CustomTestStringConvertible {
        var title: String
        var challenge: String
        var user: String
        var password: String
        var target: String
        var clientNonce: String
        var response: String
        var fields: [String] = []
        var testDescription: String { title }
    }

    private static let example7616 =
        #"realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v""#
        + #", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#

    // The digests that are not in an RFC were computed with Python's hashlib.
    private static let cases = [
        Case(
            title: "RFC 2617 §3.5",
            challenge: #"Digest realm="testrealm@host.com", qop="auth,auth-int","#
                + #" nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#,
            user: "Mufasa",
            password: "Circle Of Life",
            target: "/dir/index.html",
            clientNonce: "0a4f113b",
            response: "6629fae49393a05397450978507c4ef1",
            fields: [
                #"username="Mufasa""#, #"realm="testrealm@host.com""#, #"uri="/dir/index.html""#, "qop=auth",
                "nc=00000001", #"cnonce="0a4f113b""#, #"opaque="5ccc069c403ebaf9f0171e9517f40e41""#,
            ]
        ),
        Case(
            title: "RFC 7616 §3.9.1, MD5",
            challenge: "Digest algorithm=MD5, \(example7616)",
            user: "Mufasa",
            password: "Circle of Life",
            target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            response: "8ca523f5e9506fed4657c9700eebdbec",
            fields: ["algorithm=MD5"]
        ),
        Case(
            title: "RFC 7616 §3.9.1, SHA-256",
            challenge: "Digest algorithm=SHA-256, \(example7616)",
            user: "Mufasa",
            password: "Circle of Life",
            target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
            fields: ["algorithm=SHA-256"]
        ),
        Case(
            // With the hash of erratum 4897: the RFC's own is no SHA-512/256.
            title: "RFC 7616 §3.9.2, SHA-512-256 and a hashed user",
            challenge:
                #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=true"#
                + #", nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS""#,
            user: "J\u{e4}s\u{f8}n Doe",
            password: "Secret, or not?",
            target: "/doe.json",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm",
            response: "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c",
            fields: [
                #"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#, "userhash=true",
            ]
        ),
        Case(
            title: "MD5-sess",
            challenge: #"Digest realm="testrealm@host.com", algorithm=MD5-sess, qop=auth, nonce="n""#,
            user: "Mufasa",
            password: "Circle Of Life",
            target: "/x",
            clientNonce: "c",
            response: "fe405a50ff7310ca4c629d53727ddb09",
            fields: ["algorithm=MD5-sess"]
        ),
        Case(
            title: "SHA-256-sess",
            challenge: #"Digest realm="testrealm@host.com", algorithm=SHA-256-sess, qop=auth, nonce="n""#,
            user: "Mufasa",
            password: "Circle Of Life",
            target: "/x",
            clientNonce: "c",
            response: "0ff963aa3fb3aaee90aa3d122ad75f551984c73756ec0b403d0e8b3d15a0c0d2",
            fields: ["algorithm=SHA-256-sess"]
        ),
        Case(
            title: "without a quality, as in RFC 2069",
            challenge: #"Digest realm="testrealm@host.com", nonce="n""#,
            user: "Mufasa",
            password: "Circle Of Life",
            target: "/x",
            clientNonce: "c",
            response: "ba20992fc5bb8b07ab6927bd0627613d"
        ),
    ]

    private func proof(_ challenge: String, user: String = "ann", password: String = "secret") throws -> DigestProof {
        let parsed = AuthenticationChallenge.all(in: [.wwwAuthenticate: challenge])
        return DigestProof(
            try #require(DigestChallenge.best(of: parsed)),
            user: user,
            password: password,
            clientNonce: "c"
        )
    }

    @Test("examples come out as they are printed", arguments: cases)
    private func examples(_ example: Case) throws {
        let parsed = AuthenticationChallenge.all(in: [.wwwAuthenticate: example.challenge])
        var proof = DigestProof(
            try #require(DigestChallenge.best(of: parsed)),
            user: example.user,
            password: example.password,
            clientNonce: example.clientNonce
        )
        let text = proof.authorization(method: .get, target: example.target)
        #expect(text.hasPrefix("Digest "))
        for field in example.fields + ["response=\"\(example.response)\""] { #expect(text.contains(field)) }
        if parsed.first?.parameters["qop"] == nil { #expect(!text.contains("nc=") && !text.contains("cnonce")) }
    }

    @Test(
        "SHA-512/256 is what others compute",
        arguments: [
            ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            (String(repeating: "a", count: 200), "19b1e37317d7fd3d7651f397005e31f154ef4912d1345743d2d5889aaca28996"),
        ]
    )
    func sha(text: String, hash: String) {
        #expect(DigestAlgorithm.sha512by256.hash(text) == hash)
    }

    @Test("the strongest algorithm is taken, and one that nobody knows passed over")
    func strongest() throws {
        let offered = AuthenticationChallenge.all(in: [
            .wwwAuthenticate:
                #"Digest nonce=a, algorithm=MD5, qop="auth", Digest nonce=b, algorithm=SHA-256, qop="auth", "#
                + #"Digest nonce=c, algorithm=SHA3, qop=auth, Digest nonce=d, algorithm=SHA-512-256, qop=auth-int"#
        ])
        #expect(offered.count == 4)
        #expect(DigestChallenge.best(of: offered)?.nonce == "b")
        #expect(DigestChallenge.best(of: []) == nil)
    }

    @Test("each request has a number of its own, also in the digest")
    func counts() throws {
        var proof = try proof("Digest realm=r, nonce=n, qop=auth")
        let first = proof.authorization(method: .get, target: "/a?b=c")
        let second = proof.authorization(method: .get, target: "/a?b=c")
        #expect(first.contains("nc=00000001") && second.contains("nc=00000002"))
        #expect(first.contains(#"uri="/a?b=c""#))
        #expect(first.firstMatch(of: /response="\w+"/)?.0 != second.firstMatch(of: /response="\w+"/)?.0)
    }

    @Test("names are quoted, or encoded where the server reads UTF-8")
    func names() throws {
        var quoting = try proof(#"Digest realm="a \"b\" \\", nonce=n, qop=auth"#, user: #"dom\ann "a""#)
        let text = quoting.authorization(method: .get, target: "/")
        #expect(text.contains(#"username="dom\\ann \"a\"""#))
        #expect(text.contains(#"realm="a \"b\" \\""#))
        var encoding = try proof("Digest realm=r, nonce=n, qop=auth, charset=UTF-8", user: "A\u{308}. B")
        #expect(encoding.authorization(method: .get, target: "/").contains("username*=UTF-8''%C3%84%2E%20B"))
    }

    @Test("the server's proof is checked, where it gives one for what was sent")
    func rspauth() throws {
        var proof = try proof("Digest realm=r, nonce=n, qop=auth")
        let text = proof.authorization(method: .get, target: "/a")
        let sent = AuthenticationChallenge.all(in: [.wwwAuthenticate: text])[0].parameters
        let identity = DigestAlgorithm.md5.hash("ann:r:secret")
        let right = DigestAlgorithm.md5.hash("\(identity):n:00000001:c:auth:\(DigestAlgorithm.md5.hash(":/a"))")
        #expect(proof.isGenuine(["rspauth": right.uppercased(), "qop": "auth"], for: sent))
        #expect(!proof.isGenuine(["rspauth": "00", "qop": "auth"], for: sent))
        #expect(proof.isGenuine([:], for: sent))
        #expect(proof.isGenuine(["rspauth": "00"], for: ["nonce": "other"]))
    }
}
