import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Testing

@Suite("A list from a server's answer")
struct ListingTests {
    private typealias Text = MultistatusText
    private let folder = MultistatusText.response("/dav/a/", MultistatusText.isFolder)

    private func list(_ answer: LoopbackAnswer, path: ItemPath = "/a") async throws -> [FileObject] {
        try await withLoopbackServer { (_: LoopbackRequest) in
            answer
        } perform: { server in
            try await WebDAVFileProvider(server).contentsOfDirectory(path: path)
        }
    }

    private func code(_ answer: LoopbackAnswer, path: ItemPath = "/a") async -> Int? {
        do {
            _ = try await list(answer, path: path)
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test("is asked for with one PROPFIND that names what it wants")
    func request() async throws {
        let bodies = Collected<LoopbackRequest>()
        try await withLoopbackServer { (request: LoopbackRequest) in
            await bodies.add(request)
            return .multistatus(folder)
        } perform: { server in
            let items = try await WebDAVFileProvider(server).contentsOfDirectory(path: "/a")
            #expect(items.isEmpty)
        }
        let request = try #require(await bodies.all.first)
        #expect(await bodies.all.count == 1)
        #expect(request.head.method.rawValue == "PROPFIND")
        #expect(request.target == "/dav/a/")
        #expect(request["Depth"] == "1")
        #expect(request["Accept-Encoding"] == "gzip")
        #expect(request["Content-Type"]?.hasPrefix("application/xml") == true)
        let tree = try MultistatusParser.tree(of: Data(request.body.readableBytesView))
        #expect(tree.first("prop")?.children.isEmpty == false)
    }

    @Test("has each item once, without the folder itself")
    func items() async throws {
        let items = try await list(
            .multistatus(
                Text.response("/dav/a/b", "<d:resourcetype/><d:getcontentlength>5</d:getcontentlength>"),
                folder,
                Text.response("http://127.0.0.1/dav/a/c%20d/", Text.isFolder),
                Text.response("/dav/a/b"),
                Text.response("/dav/a", Text.isFolder)
            )
        )
        #expect(items.map(\.path) == ["/a/b", "/a/c d"])
        #expect(items.map(\.isDirectory) == [false, true])
        #expect(items.first?.size == 5)
    }

    @Test("never takes for a file what the server refuses to tell", arguments: [403, 500])
    func refusedKind(status: Int) async throws {
        let refused = "<d:status>HTTP/1.1 \(status) No</d:status>"
        let item = "<d:response><d:href>/dav/a/b</d:href>\(refused)</d:response>"
        let kind = "<d:propstat><d:prop><d:resourcetype/></d:prop>\(refused)</d:propstat>"
        let properties = "<d:response><d:href>/dav/a/b</d:href>\(kind)</d:response>"
        let expected = status == 403 ? CocoaError.fileReadNoPermission.rawValue : URLError.badServerResponse.rawValue
        for answer in [item, properties] {
            #expect(await code(.multistatus(folder, answer)) == expected)
            let slashed = answer.replacing("/dav/a/b", with: "/dav/a/b/")
            #expect(try await list(.multistatus(folder, slashed)).map(\.isDirectory) == [true])
        }
        // A property that an item doesn't have is answered with 404.
        let unknown = properties.replacing("\(status) No", with: "404 No")
        #expect(try await list(.multistatus(folder, unknown)).map(\.isDirectory) == [false])
    }

    @Test("takes a folder's length, a date of 1970 and an empty property for nothing")
    func nothing() async throws {
        let properties = """
            <d:resourcetype><d:collection/></d:resourcetype><d:getcontentlength>4096</d:getcontentlength>\
            <d:getcontenttype>httpd/unix-directory</d:getcontenttype><d:creationdate>1970-01-01T00:00:00Z</d:creationdate>\
            <d:getlastmodified/><d:getetag/>
            """
        let item = try #require(try await list(.multistatus(folder, Text.response("/dav/a/b", properties))).first)
        #expect(item == FileObject(name: "b", in: "/a", type: .directory))
    }

    @Test("gives a file the media type of its name, where the server tells none")
    func mediaTypes() async throws {
        let items = try await list(
            .multistatus(
                folder,
                Text.response("/dav/a/b.png", "<d:resourcetype/>"),
                Text.response("/dav/a/c.png", "<d:resourcetype/><d:getcontenttype>text/plain</d:getcontenttype>"),
                Text.response("/dav/a/d.png/", Text.isFolder)
            )
        )
        #expect(items.map(\.contentType) == ["image/png", "text/plain", nil])
    }

    @Test("of a file is an error")
    func file() async {
        #expect(await code(.multistatus(Text.response("/dav/a"))) == CocoaError.Code.fileReadUnknown.rawValue)
    }

    @Test(
        "with an item from elsewhere is refused as a whole",
        arguments: [
            "/dav/a/%2e%2e%2fpasswd", "/dav/b", "/dav/", "http://example.org/dav/a/b", "/dav/a/b/c", "/dav/a/%00",
            "/dav/a/..",
        ]
    )
    func elsewhere(href: String) async {
        let answer = LoopbackAnswer.multistatus(folder, Text.response("/dav/a/ok"), Text.response(href))
        #expect(await code(answer) == URLError.Code.cannotParseResponse.rawValue)
    }

    @Test(
        "that is none is refused",
        arguments: [
            LoopbackAnswer(.ok, text: "<html/>"), LoopbackAnswer(HTTPResponse.Status(code: 207), text: "<html/>"),
            LoopbackAnswer(HTTPResponse.Status(code: 207)), .multistatus(),
        ]
    )
    func none(answer: LoopbackAnswer) async {
        #expect(await code(answer) == URLError.Code.cannotParseResponse.rawValue)
    }

    @Test("that the server says is only a part is refused")
    func truncated() async {
        let rest = "<d:response><d:href>/dav/a/</d:href><d:status>HTTP/1.1 507 no</d:status></d:response>"
        #expect(await code(.multistatus(Text.response("/dav/a/b"), rest)) == URLError.Code.cannotParseResponse.rawValue)
    }

    @Test("shows an item that may not be looked at, and none that is gone already")
    func statuses() async throws {
        let items = try await list(
            .multistatus(
                folder,
                "<d:response><d:href>/dav/a/b/</d:href><d:status>HTTP/1.1 403 no</d:status></d:response>",
                "<d:response><d:href>/dav/a/c</d:href><d:status>HTTP/1.1 404 no</d:status></d:response>"
            )
        )
        #expect(items == [FileObject(name: "b", in: "/a", type: .directory)])
    }

    @Test("comes in pages while the answer still arrives, and leaving it closes the connection")
    func pages() async throws {
        let sent = Collected<Int>()
        try await withLoopbackServer { (_: LoopbackRequest) in
            let start = "<d:multistatus xmlns:d=\"DAV:\">" + folder
            return LoopbackAnswer(HTTPResponse.Status(code: 207)) {
                let number = await sent.all.count
                await sent.add(number)
                if number == 0 { return ByteBuffer(string: start) }
                let entries = (0..<100).map { Text.response("/dav/a/\(number)-\($0)") }
                return ByteBuffer(string: entries.joined())
            }
        } perform: { server in
            var pages = 0
            for try await page in try WebDAVFileProvider(server).directoryListing(path: "/a") {
                #expect(page.count >= 500)
                pages += 1
                if pages == 3 { break }
            }
            #expect(pages == 3)
            while server.openConnectionCount > 0 { await Task.yield() }
        }
    }

    @Test("that breaks off after some pages throws after them")
    func cut() async throws {
        let entries = (0..<1200).map { Text.response("/dav/a/\($0)") }.joined()
        let answer = LoopbackAnswer(
            HTTPResponse.Status(code: 207),
            text: "<d:multistatus xmlns:d=\"DAV:\">" + folder + entries + "<d:response>"
        )
        try await withLoopbackServer { (_: LoopbackRequest) in
            answer
        } perform: { server in
            var count = 0
            let error = await #expect(throws: URLError.self) {
                for try await page in try WebDAVFileProvider(server).directoryListing(path: "/a") {
                    count += page.count
                }
            }
            #expect(error?.code == .cannotParseResponse)
            #expect(count <= 1200)
        }
    }
}

/// The elements that were collected, in order.
actor Collected<Element: Sendable> {
    private(set) var all: [Element] = []

    func add(_ element: Element) { all.append(element) }
}
