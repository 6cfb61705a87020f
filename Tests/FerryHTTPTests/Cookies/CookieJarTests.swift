import Foundation
import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("A cookie jar")
struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func request(_ url: String) throws -> HTTPRequest {
        let parsed = try #require(URL(string: url))
        let origin = try #require(HTTPOrigin(parsed))
        return origin.request(.get, parsed.path(percentEncoded: true))
    }

    private func jar(_ url: String, _ cookies: [String]) throws -> CookieJar {
        let request = try request(url)
        let jar = CookieJar(origin: try #require(HTTPOrigin(request)))
        keep(cookies, in: jar, from: request)
        return jar
    }

    private func keep(_ cookies: [String], in jar: CookieJar, from request: HTTPRequest) {
        var fields = HTTPFields()
        for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        jar.keep(from: HTTPResponse(status: .ok, headerFields: fields), to: request, now: now)
    }

    private func sent(_ jar: CookieJar, _ url: String, at time: Date? = nil) throws -> String? {
        var request = try request(url)
        jar.add(to: &request, now: time ?? now)
        // RFC 6265 §5.4: in one field.
        #expect(request.headerFields[fields: .cookie].count <= 1)
        return request.headerFields[.cookie]
    }

    @Test("all that a server sets go back to it, the more special path first")
    func goBack() throws {
        let jar = try jar(
            "https://cloud.example/remote.php/dav/files",
            [
                "oc_session=a=b; path=/; HttpOnly; SameSite=Lax", "__Host-nc_same=true; path=/; secure",
                "deep=1; Path=/remote.php/dav", "folder=2",
            ]
        )
        #expect(
            try sent(jar, "https://cloud.example/remote.php/dav/x")
                == "deep=1; folder=2; __Host-nc_same=true; oc_session=a=b"
        )
        #expect(try sent(jar, "https://cloud.example/remote.php/davx") == "__Host-nc_same=true; oc_session=a=b")
    }

    @Test(
        "none goes to another origin",
        arguments: [
            "https://other.example/", "http://cloud.example/", "https://cloud.example:444/", "https://a.cloud.example/",
        ]
    )
    func otherOrigin(url: String) throws {
        let jar = try jar("https://cloud.example/", ["a=1; Domain=cloud.example"])
        #expect(try sent(jar, "https://cloud.example/") == "a=1")
        #expect(try sent(jar, url) == nil)
        keep(["b=2"], in: jar, from: try request(url))
        #expect(try sent(jar, "https://cloud.example/") == "a=1")
    }

    @Test(
        "where one can't be kept, none is: a part of them is worse than nothing",
        arguments: [
            ("http://cloud.example/", "b=2; secure"), ("https://cloud.example/", "b=2; Domain=other.example"),
            ("https://cloud.example/", "b=2; Domain=example"),
            ("https://cloud.example/", "__Host-b=2; secure; path=/x"),
            ("https://cloud.example/", "__Host-b=2; secure; path=/; domain=cloud.example"),
            ("https://cloud.example/", "__Secure-b=2; path=/"), ("https://cloud.example/", "no name"),
            ("https://10.0.0.1/", "b=2; Domain=0.0.1"),
            ("https://cloud.example/", "b=\(String(repeating: "x", count: 5_000))"),
        ]
    )
    func allOrNone(url: String, cookie: String) throws {
        let jar = try jar(url, ["a=1", cookie])
        #expect(try sent(jar, url) == nil)
        keep(["c=3"], in: jar, from: try request(url))
        #expect(try sent(jar, url) == nil)
    }

    @Test("too many are none")
    func tooMany() throws {
        let jar = try jar("https://cloud.example/", (0...50).map { "name\($0)=1" })
        #expect(try sent(jar, "https://cloud.example/") == nil)
    }

    @Test("they end when the server says, and are replaced and removed by it")
    func ends() throws {
        let url = "https://cloud.example/"
        let jar = try jar(url, ["a=1; Max-Age=60", "b=2; Expires=Mon, 12 Jan 1970 13:48:40 GMT", "c=3"])
        #expect(try sent(jar, url) == "a=1; b=2; c=3")
        #expect(try sent(jar, url, at: now.addingTimeInterval(70)) == "b=2; c=3")
        #expect(try sent(jar, url, at: now.addingTimeInterval(1_000)) == "c=3")
        keep(["c=4"], in: jar, from: try request(url))
        #expect(try sent(jar, url) == "c=4")
        keep(["c=; Max-Age=0"], in: jar, from: try request(url))
        #expect(try sent(jar, url) == nil)
        keep(["d=1"], in: jar, from: try request(url))
        jar.removeAll()
        #expect(try sent(jar, url) == nil)
    }
}
