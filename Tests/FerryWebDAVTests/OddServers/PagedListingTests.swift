import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

/// Issue 24: a server listed 750 of 1,000 items, and where the others are; `sync` removed these.
@Suite("A listing that comes in pages")
struct PagedListingTests {
    private static func names(_ count: Int) -> [String] { (0..<count).map { "file \($0 + 10)" } }

    private static func plant(_ count: Int, in server: OddWebDAVServer) {
        for name in names(count) { server.plant("/d/\(name)", Array(name.utf8)) }
    }

    @Test(
        "is followed to its end, however the next page is named",
        arguments: [WebDAVOddities.NextLink.path, .url, .host("127.0.0.1:1")],
        [1, 3, 4, 8, 9]
    )
    func pages(link: WebDAVOddities.NextLink, size: Int) async throws {
        try await withOddServer { server, files in
            Self.plant(8, in: server)
            server.change { ($0.pageSize, $0.nextLink) = (size, link) }
            let found = try await files.contentsOfDirectory(path: "/d")
            #expect(found.map(\.name).sorted() == Self.names(8))
            #expect(server.requests.count == (8 + size - 1) / size)
            #expect(server.requests.allSatisfy { $0.method == "PROPFIND" && $0["Depth"] == "1" })
        }
    }

    @Test(
        "is refused where its end can't be had, as one that the server calls incomplete",
        arguments: [WebDAVOddities.NextLink.host("elsewhere.example"), .itself, .broken]
    )
    func unreachable(link: WebDAVOddities.NextLink) async throws {
        try await withOddServer { server, files in
            Self.plant(8, in: server)
            server.change { ($0.pageSize, $0.nextLink) = (3, link) }
            let error = await failure { try await files.contentsOfDirectory(path: "/d") }
            #expect((error as? URLError)?.code == .cannotParseResponse)
            #expect(
                error?.words.hasPrefix("the server lists only a part of the folder") == true,
                "\(error?.words ?? "")"
            )
            #expect(server.requests.count <= 2)
        }
    }

    @Test("leads to the same server by the name that it has proved to have")
    func alias() async throws {
        try await withOddServer { server, files in
            Self.plant(5, in: server)
            server.change {
                ($0.pageSize, $0.nextLink, $0.hrefHost) = (2, .host("backend.internal:8080"), "backend.internal")
            }
            let found = try await files.contentsOfDirectory(path: "/d")
            #expect(found.count == 5)
        }
    }

    @Test("may have an error on a later page, and is no listing then")
    func laterError() async throws {
        try await withOddServer { server, files in
            Self.plant(8, in: server)
            server.change { oddities in
                oddities.pageSize = 3
                oddities.refusal = { $0.head.path?.contains("page=2") == true ? LoopbackAnswer(.forbidden) : nil }
            }
            let error = await failure { try await files.contentsOfDirectory(path: "/d") }
            #expect((error as? CocoaError)?.code == .fileReadNoPermission)
        }
    }

    @Test(
        "is found in whatever form a server writes links",
        arguments: [
            ("</a?p=2>; rel=next", "/a?p=2"), ("</x>; rel=\"prev\", </a,b>; rel=\"next last\"", "/a,b"),
            ("</x>; title=\"a, <b>; rel=next\"; rel=up", nil), ("<http://h/a>;REL = \"NEXT\"", "http://h/a"),
            ("</x>; rel=nextpage", nil), ("", nil), ("<", nil), ("</a>; rel=next; title=\"", "/a"),
        ] as [(String, String?)]
    )
    func links(field: String, target: String?) throws {
        let name = try #require(HTTPField.Name("Link"))
        #expect(WebDAVPageTrail.next(in: [name: field]) == target)
    }
}
