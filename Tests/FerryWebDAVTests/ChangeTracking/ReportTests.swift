import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Changes that a server reports")
struct ReportTests {
    private typealias Text = MultistatusText

    private static let reports = """
        <d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report>\
        </d:supported-report-set><d:sync-token>urn:1</d:sync-token>
        """

    private static func base() -> LoopbackAnswer {
        .multistatus(Text.response("/dav/", Text.isFolder + reports))
    }

    private func report(_ token: String, _ entries: String...) -> LoopbackAnswer {
        LoopbackAnswer(
            HTTPResponse.Status(code: 207),
            text: Text.multistatus(entries.joined() + "<d:sync-token>\(token)</d:sync-token>")
        )
    }

    private func gone(_ href: String, _ status: Int = 404) -> String {
        "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status) x</d:status></d:response>"
    }

    @Test("are told from its token on, removals first, and on and on while it cuts its reports short")
    func changes() async throws {
        let requests = Collected<LoopbackRequest>()
        try await withLoopbackServer { (request: LoopbackRequest) in
            guard request.head.method.rawValue == "REPORT" else { return Self.base() }
            await requests.add(request)
            return request.text.contains("urn:1")
                ? report(
                    "urn:2",
                    Text.response("/dav/b/c"),
                    Text.response("/dav/b/", Text.isFolder),
                    gone("/dav/", 507)
                )
                : report("urn:3", Text.response("/dav/d"), gone("/dav/old/x"), gone("/dav/old/"))
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let first = try await files.changes(since: files.currentAnchor())
            #expect(first.hasMore)
            #expect(first.changes.map(\.text) == ["+/b", "+/b/c"])
            let second = try await files.changes(since: first.anchor)
            #expect(!second.hasMore)
            #expect(second.changes.map(\.text) == ["-/old", "+/d"])
        }
        let sent = await requests.all
        #expect(sent.map { $0["Depth"] } == ["0", "0"])
    }

    @Test(
        "since a token that the server has forgotten are an expired anchor, not a removal of everything",
        arguments: [403, 409, 410, 501]
    )
    func expired(status: Int) async throws {
        let body = status < 410 ? "<d:error xmlns:d='DAV:'><d:valid-sync-token/></d:error>" : ""
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.head.method.rawValue == "REPORT"
                ? LoopbackAnswer(HTTPResponse.Status(code: status), text: body) : Self.base()
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let anchor = try await files.currentAnchor()
            await #expect(throws: AnchorExpiredError.self) { try await files.changes(since: anchor) }
        }
    }

    @Test("that break off, or have no token, are an error", arguments: [true, false])
    func broken(isCut: Bool) async throws {
        let text = "<d:multistatus xmlns:d=\"DAV:\">" + gone("/dav/a") + (isCut ? "" : "</d:multistatus>")
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.head.method.rawValue == "REPORT"
                ? LoopbackAnswer(HTTPResponse.Status(code: 207), text: text) : Self.base()
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let anchor = try await files.currentAnchor()
            let error = await #expect(throws: URLError.self) { try await files.changes(since: anchor) }
            #expect(error?.code == .cannotParseResponse)
        }
    }

    @Test("of a server without reports are found by looking, and a list that fails is no removal")
    func snapshots() async throws {
        let fails = Collected<Bool>()
        try await withLoopbackServer { (request: LoopbackRequest) in
            switch request.target {
            case "/dav/": .multistatus(Text.response("/dav/", Text.isFolder), Text.response("/dav/a/", Text.isFolder))
            case "/dav/a/" where await fails.all.isEmpty:
                .multistatus(Text.response("/dav/a/", Text.isFolder), Text.response("/dav/a/b"))
            default: LoopbackAnswer(.internalServerError)
            }
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let anchor = try await files.currentAnchor()
            let set = try await files.changes(since: anchor)
            #expect(set.changes.isEmpty)
            await fails.add(true)
            await #expect(throws: URLError.self) { try await files.changes(since: anchor) }
        }
    }
}

extension TrackedChange {
    fileprivate var text: String {
        switch self {
        case .removed(let path, _): "-\(path)"
        case .removedItem(let id): "-id:\(id)"
        case .updated(let file, _): "+\(file.path)"
        }
    }
}
