import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("A search")
struct SearchTests {
    private typealias Text = MultistatusText

    /// A server with a folder in a folder, that may search.
    private func answer(_ request: LoopbackRequest, searches: Bool) -> LoopbackAnswer {
        switch (request.head.method.rawValue, request.target) {
        case ("OPTIONS", _): LoopbackAnswer(.ok, fields: searches ? [.dasl: "<DAV:basicsearch>, <urn:x>"] : [:])
        case ("SEARCH", _) where searches:
            .multistatus(
                Text.response("/dav/a/", Text.isFolder),
                Text.response("/dav/a/b/x.txt", "<d:resourcetype/><d:getcontentlength>7</d:getcontentlength>"),
                Text.response("/dav/a/X.TXT", "<d:resourcetype/><d:getcontentlength>7</d:getcontentlength>")
            )
        case ("PROPFIND", "/dav/a/"):
            .multistatus(
                Text.response("/dav/a/", Text.isFolder),
                Text.response("/dav/a/b/", Text.isFolder),
                Text.response("/dav/a/X.TXT", "<d:resourcetype/><d:getcontentlength>7</d:getcontentlength>")
            )
        case ("PROPFIND", "/dav/a/b/"):
            .multistatus(
                Text.response("/dav/a/b/", Text.isFolder),
                Text.response("/dav/a/b/x.txt", "<d:resourcetype/><d:getcontentlength>7</d:getcontentlength>")
            )
        default: LoopbackAnswer(.notFound)
        }
    }

    @Test("finds the same whether the server searches or not", arguments: [true, false])
    func same(searches: Bool) async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            answer(request, searches: searches)
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let query = try FileQuery(format: "name ENDSWITH '.txt' AND fileSize >= 5")
            let found = try await files.searchFiles(path: "/a", recursive: true, query: query, foundItemHandler: nil)
            #expect(found.map(\.path) == ["/a/b/x.txt"])
            #expect(server.requests.contains { $0.method.rawValue == "SEARCH" } == searches)
            let plan = files.searchPlan(for: query)
            #expect(plan.server.description.contains("fileSize") == searches)
        }
    }

    @Test("that a server leaves is done here")
    func refused() async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            switch request.head.method.rawValue {
            case "OPTIONS": LoopbackAnswer(.ok, fields: [.dasl: "<DAV:basicsearch>"])
            case "SEARCH": LoopbackAnswer(HTTPResponse.Status(code: 422))
            default: answer(request, searches: false)
            }
        } perform: { server in
            let query = try FileQuery(format: "name BEGINSWITH 'x'")
            let found = try await WebDAVFileProvider(server)
                .searchFiles(path: "/a", recursive: true, query: query, foundItemHandler: nil)
            #expect(found.map(\.name) == ["x.txt"])
        }
    }

    private func document(_ format: String) throws -> (server: String, query: String?) {
        let server = WebDAVSearchRequest.plan(for: try FileQuery(parsing: format)).server
        let document = WebDAVSearchRequest.document(server, scope: "/a&b", isRecursive: true, names: [])
        let start = document?.range(of: "<d:where>")?.upperBound
        let end = document?.range(of: "</d:where>")?.lowerBound
        guard let document, let start, let end else { return (server.description, nil) }
        _ = try MultistatusParser.tree(of: Data(document.utf8))
        let short = document[start..<end].replacing("d:", with: "").replacing("<prop><", with: "").replacing(
            "/></prop>",
            with: ""
        )
        return (server.description, String(short.replacing("<literal>", with: "=").replacing("</literal>", with: "")))
    }

    @Test(
        "asks the server for no less than is meant",
        arguments: [
            ("name == 'a.txt'", "<like>displayname=a.txt</like>"),
            ("name CONTAINS[c] 'book'", "<like>displayname=%boo%%</like>"),
            ("name CONTAINS '50%_'", "<like>displayname=%50__%</like>"),
            ("name LIKE 'a*b?c\\*'", "<like>displayname=a%b%c*</like>"),
            ("name BEGINSWITH 'caf\u{E9}'", "<like>displayname=caf%%</like>"),
            ("name IN {'a', 'b'}", "<or><like>displayname=a</like><like>displayname=b</like></or>"),
            ("fileSize > 10", "<gt>getcontentlength=10</gt>"),
            (
                "fileSize BETWEEN {1, 9}",
                "<and><gte>getcontentlength=1</gte><lte>getcontentlength=9</lte></and>"
            ),
            ("modifiedDate < '2026-01-31T09:30:00.5Z'", "<lte>getlastmodified=2026-01-31T09:30:01+00:00</lte>"),
            ("contentType BEGINSWITH 'image/'", "<like>getcontenttype=image/%</like>"),
            ("isDirectory == TRUE", "<is-collection/>"),
            ("type == 'directory'", "<is-collection/>"),
            (
                "name CONTAINS '<a>' OR fileSize <= 5",
                "<or><like>displayname=%&lt;a&gt;%</like><lte>getcontentlength=5</lte></or>"
            ),
            ("name CONTAINS 'a' AND permissions == 1", "<like>displayname=%a%</like>"),
            ("name CONTAINS[d] 'a'", nil), ("name != 'a'", nil), ("NOT name CONTAINS 'a'", nil), ("owner == 'a'", nil),
            ("name CONTAINS ''", nil), ("name MATCHES 'a.*'", nil), ("isDirectory == FALSE", nil),
            ("fileSize > 1.5", nil),
            ("name CONTAINS 'a' OR owner == 'b'", nil), ("TRUEPREDICATE", nil), ("name == '\u{E9}'", nil),
        ] as [(String, String?)]
    )
    func documents(format: String, expected: String?) throws {
        #expect(try document(format).query == expected)
    }
}

extension HTTPField.Name {
    /// The field that names a server's query grammars (RFC 5323 §3.2).
    fileprivate static let dasl = HTTPField.Name("DASL") ?? .allow
}
