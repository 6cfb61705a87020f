import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("Challenges")
struct AuthenticationChallengeTests {
    private func challenges(_ fields: String...) -> [AuthenticationChallenge] {
        var all = HTTPFields()
        for field in fields { all.append(HTTPField(name: .wwwAuthenticate, value: field)) }
        return AuthenticationChallenge.all(in: all)
    }

    @Test("several in one field, and in several, are told apart")
    func several() {
        let all = challenges(
            #"Digest realm="a, b", nonce="n=1", qop="auth,auth-int" , algorithm=MD5, Basic realm="say \"hi\"" , charset="UTF-8""#,
            "Negotiate abc/+d==, Bearer",
            "Newauth realm = \"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=simple"
        )
        #expect(all.map(\.scheme) == ["digest", "basic", "negotiate", "bearer", "newauth", "basic"])
        #expect(
            all.first?.parameters == ["realm": "a, b", "nonce": "n=1", "qop": "auth,auth-int", "algorithm": "MD5"]
        )
        #expect(all[1].parameters == ["realm": #"say "hi""#, "charset": "UTF-8"])
        #expect(all[2].token == "abc/+d==")
        #expect(all[3].token == nil && all[3].parameters.isEmpty)
        #expect(all[4].parameters == ["realm": "apps", "type": "1", "title": #"Login to "apps""#])
        #expect(all[5].parameters == ["realm": "simple"])
    }

    @Test(
        "nonsense is read without harm",
        arguments: [
            ("", 0), (",,,", 0), ("=", 0), ("\"", 0), ("Basic realm=\"never ends", 1), ("Basic realm=\"ends in \\", 1),
            ("Digest =x, y", 3), ("Basic realm=", 1),
        ]
    )
    func nonsense(field: String, count: Int) {
        #expect(challenges(field).count == count)
    }

    @Test("of a parameter that comes twice the first counts, and parameters without a scheme are read too")
    func parameters() {
        #expect(challenges("Digest nonce=a, NONCE=b").first?.parameters == ["nonce": "a"])
        #expect(
            AuthenticationChallenge.parameters(of: #"nextnonce="x", rspauth="y", nc=00000001, qop=auth"#)
                == ["nextnonce": "x", "rspauth": "y", "nc": "00000001", "qop": "auth"]
        )
    }
}
