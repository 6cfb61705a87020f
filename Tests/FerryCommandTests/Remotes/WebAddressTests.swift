import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("URLs as locations")
struct WebAddressTests {
    @Test(
        "a URL is a server's root and a path on it",
        arguments: [
            ("dav://h/a/b", "http://h/", nil, "/a/b"), ("davs://alice@h:8443", "https://h:8443/", "alice", "/"),
            ("https://a@b.c@h/x/", "https://h/", "a@b.c", "/x"),
            ("dav://a%40b@[::1]:80/x", "http://[::1]:80/", "a@b", "/x"),
            ("dav://h/50%/a%20b/c d", "http://h/", nil, "/50%/a b/c d"), ("dav://h/a?b#c", "http://h/", nil, "/a?b#c"),
            ("sftp://bob@h:2222/a/b", "sftp://h:2222/", "bob", "/a/b"),
            ("dav://h/ä/%C3%A4", "http://h/", nil, "/ä/ä"), ("dav://h//a/./b/../c", "http://h/", nil, "/a/c"),
        ] as [(String, String, String?, String)]
    )
    func parts(_ text: String, _ root: String, _ user: String?, _ path: String) throws {
        let address = try WebAddress(text)
        #expect(address.root.absoluteString == root)
        #expect(address.user == user)
        #expect(address.path.string == path)
        #expect(text.hasPrefix(address.prefix))
    }

    @Test(
        "what is no URL is refused",
        arguments: ["dav://", "dav:///x", "dav://h:x/", "dav://h:65536/", "dav://h/a%2Fb", "dav://h/../x"]
    )
    func refused(_ text: String) {
        #expect(throws: CocoaError.self) { try WebAddress(text) }
    }

    @Test(
        "two URLs have one origin if scheme, host and port are the same",
        arguments: [
            ("http://h/a", "http://H:80/b", true), ("https://h", "https://h:443", true),
            ("http://h", "https://h", false), ("http://h:1", "http://h:2", false), ("http://h", "http://i", false),
            ("http://a@h/", "http://b@h/", true),
        ]
    )
    func origin(_ first: String, _ second: String, _ isSame: Bool) throws {
        let origins = [first, second].compactMap { URL(string: $0).flatMap { AddressOrigin($0) } }
        try #require(origins.count == 2)
        #expect((origins[0] == origins[1]) == isSame)
    }

    @Test("only a scheme with '//' makes a URL")
    func syntax() {
        #expect(LocationSyntax("dav://h/x") == .address("dav://h/x"))
        #expect(LocationSyntax("dav:x") == .storage(name: "dav", path: "x"))
        #expect(LocationSyntax("work://x") == .storage(name: "work", path: "//x"))
        #expect(LocationSyntax("./dav://h") == .local("./dav://h"))
    }

    @Test("what is below a URL is shown as a URL that leads there")
    func display() async throws {
        let location = try await Storages(environment: ["FERRY_PASSWORD": "x"]).location("dav://a@h/d%20e")
        #expect(location.display("/d e") == "dav://a@h/d%20e")
        #expect(location.display("/d e/50%/ä b") == "dav://a@h/d%20e/50%25/ä b")
        #expect(location.display("/other") == "dav://a@h/other")
    }
}
