import FerryCore
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Where an href leads")
struct HrefReaderTests {
    private func place(
        _ href: String,
        host: String = "example.org",
        target: String = "/dav/a%20b/",
        isDeep: Bool = false
    ) throws -> HrefReader.Place {
        var reader = try HrefReader(host: host, target: target, folder: "/a b", isDeep: isDeep)
        return try reader.place(of: Array(href.utf8))
    }

    @Test(
        "an item is found however its href is written",
        arguments: [
            ("/dav/a%20b/c", "c"), ("/dav/a b/c", "c"), ("/dav/%61%20b/c/", "c"), ("//dav//a%20b//c", nil),
            ("http://example.org/dav/a%20b/c", "c"), ("HTTP://Example.ORG:8080/dav/a%20b/c", "c"),
            ("https://u:p@example.org/dav/a%20b/c", "c"), ("//example.org/dav/a%20b/c", "c"),
            ("/dav/a%20b/caf%c3%a9", "caf\u{E9}"), ("/dav/a%20b/caf%C3%A9", "caf\u{E9}"),
            ("/dav/a%20b/caf\u{E9}", "caf\u{E9}"), ("/dav/a%20b/100%", "100%"), ("/dav/a%20b/5%2", "5%2"),
            ("/dav/a%20b/5%zz", "5%zz"), ("/dav/a%20b/5%25", "5%"), ("/dav/a%20b/a?b#c", "a?b#c"),
            ("/dav/a%20b/...", "..."), ("/dav/a%20b/a:b", "a:b"), ("/dav//a%20b//c", "c"),
            ("/dav/a%20b/%ff", NameEscape.name(ofBytes: [0xFF])), ("/dav/a%20b/a%09", "a\t"),
        ] as [(String, String?)]
    )
    func names(href: String, name: String?) throws {
        guard let name else {
            #expect(throws: URLError.self) { try place(href) }
            return
        }
        #expect(try place(href) == .item(name: name, folder: "/a b"))
    }

    @Test(
        "the folder itself is known, with a slash at its end and without",
        arguments: ["/dav/a%20b/", "/dav/a b", "http://example.org/dav/a%20b//", "/DAV/A%20B/"]
    )
    func itself(href: String) throws {
        #expect(try place(href) == .itself)
    }

    @Test(
        "what is not in the folder is refused",
        arguments: [
            "/dav/", "/", "/dav/c", "/dav/a%20bc", "/other/a%20b/c", "/dav/a%20b/c/d", "http://other.org/dav/a%20b/c",
            "ftp://example.org/dav/a%20b/c", "http://example.org.other/dav/a%20b/c", "//other.org/dav/a%20b/c",
            "/dav/a%20b/%2e%2e%2fc", "/dav/a%20b/..", "/dav/a%20b/%2E%2e/", "/dav/a%20b/../a%20b/c", "/dav/a%20b/.",
            "/dav/a%20b/c%2fd", "/dav/a%20b/c%00", "c", "../c", "file:///etc/passwd", "http:", "",
        ]
    )
    func refused(href: String) {
        let error = #expect(throws: URLError.self) { try place(href) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("a server that writes the folder in its own way may go on so")
    func echo() throws {
        var reader = try HrefReader(host: "h", target: "/Dav/Files/Alice/e%cc%81/", folder: "/e\u{301}", isDeep: false)
        #expect(try reader.place(of: Array("/dav/files/alice/\u{E9}/".utf8)) == .itself)
        #expect(try reader.place(of: Array("/dav/files/alice/\u{E9}/x".utf8)) == .item(name: "x", folder: "/e\u{301}"))
        #expect(throws: URLError.self) { try reader.place(of: Array("/dav/files/bob/\u{E9}/x".utf8)) }
    }

    @Test("items of folders below are found where they are expected")
    func deep() throws {
        #expect(try place("/dav/a%20b/c/d/e", isDeep: true) == .item(name: "e", folder: "/a b/c/d"))
        #expect(try place("/dav/a%20b/c", isDeep: true) == .item(name: "c", folder: "/a b"))
        #expect(throws: URLError.self) { try place("/dav/c/d", isDeep: true) }
    }

    @Test("the root of a server is a folder like any other")
    func root() throws {
        var reader = try HrefReader(host: "[::1]", target: "/", folder: "/", isDeep: false)
        #expect(try reader.place(of: Array("/".utf8)) == .itself)
        #expect(try reader.place(of: Array("http://[::1]:80/".utf8)) == .itself)
        #expect(try reader.place(of: Array("http://[::1]/a".utf8)) == .item(name: "a", folder: "/"))
        #expect(reader.hasSlash == false)
    }
}
