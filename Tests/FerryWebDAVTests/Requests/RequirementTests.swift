import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Testing

@Suite("WebDAV's own requests")
struct RequirementTests {
    /// Does everything with nothing but the members that the protocol requires of a provider.
    private func walk(_ files: some HTTPFileProvider) async throws {
        try await files.create(folder: "folder", at: "/")
        try await files.writeContents(path: "/folder/a b", contents: Data("hello".utf8))
        #expect(try await files.contents(path: "/folder/a b") == Data("hello".utf8))
        #expect(try await files.contents(path: "/folder/a b", offset: 1, length: 3) == Data("ell".utf8))
        #expect(try await files.attributesOfItem(path: "/folder").isDirectory)
        #expect(try await files.attributesOfItem(path: "/folder/a b").size == 5)
        try await files.copyItem(path: "/folder", to: "/copy", overwrite: false)
        try await files.moveItem(path: "/folder/a b", to: "/moved", overwrite: false)
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name).sorted() == ["copy", "folder", "moved"])
        #expect(try await files.contentsOfDirectory(path: "/copy").map(\.name) == ["a b"])
        try await files.writeContents(path: "/moved", contents: Data("other".utf8), overwrite: true)
        try await files.removeItem(path: "/copy")
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name).sorted() == ["folder", "moved"])
        let existing = await failure { try await files.writeContents(path: "/moved", contents: Data()) }
        #expect((existing as? CocoaError)?.code == .fileWriteFileExists)
        let missing = await failure { try await files.removeItem(path: "/none") }
        #expect((missing as? CocoaError)?.code == .fileNoSuchFile)
        #expect(try await files.contents(path: "/moved") == Data("other".utf8))
    }

    @Test("are all that the general way of doing things needs, on every server", arguments: RealServerKind.allCases)
    func general(kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage async throws in
            try await walk(PlainWebDAV(base: stage.provider))
        }
    }

    @Test("are those that WebDAV's better ways are made of", arguments: [WebDAVServerKind.apache, .golang])
    func same(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/a": "a", "/f/": "", "/old": "old"])
            let sent = { (method: String) throws -> HTTPRequest in
                try #require(server.requests.last { $0.method == method }?.head)
            }
            let made = { (operation: FileOperationType, isFolder: Bool) async throws -> HTTPRequest in
                let attributes = HTTPFileAttributes(isDirectory: isFolder, size: 3)
                return try await files.request(for: operation, overwrite: false, attributes: attributes).head
            }
            let agree = { (made: HTTPRequest, sent: HTTPRequest) in
                #expect(made.method == sent.method)
                #expect(made.path == sent.path)
                for field in made.headerFields { #expect(sent.headerFields[field.name] == field.value) }
            }
            _ = try await files.attributesOfItem(path: "/a")
            agree(try await files.attributesRequest(path: "/a").head, try sent("PROPFIND"))
            _ = try await files.contentsOfDirectory(path: "/f")
            agree(try await files.listingRequest(path: "/f", page: nil).head, try sent("PROPFIND"))
            _ = try await files.contents(path: "/a")
            agree(try await made(.fetch(path: "/a"), false), try sent("GET"))
            try await files.create(folder: "new", at: "/")
            agree(try await made(.create(path: "/new"), true), try sent("MKCOL"))
            try await files.moveItem(path: "/f", to: "/g", overwrite: false)
            agree(try await made(.move(source: "/f", destination: "/g"), true), try sent("MOVE"))
            try await files.removeItem(path: "/g")
            agree(try await made(.remove(path: "/g"), true), try sent("DELETE"))
            try await files.writeContents(path: "/n", contents: Data("new".utf8))
            let put = try sent("PUT")
            let name = ItemPath.root.appending(String(DAVServer.path(put.path ?? "").dropFirst()))
            agree(try await made(.modify(path: name), false), put)
        }
    }

    @Test("ask the server what an item is where nobody says it")
    func looking() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/a": "a"])
            let path = { (operation: FileOperationType) async throws -> String? in
                try await files.request(for: operation, overwrite: false, attributes: HTTPFileAttributes()).head.path
            }
            #expect(try await path(.remove(path: "/f")) == "/dav/f/")
            #expect(try await path(.remove(path: "/a")) == "/dav/a")
            #expect(try await path(.copy(source: .item("/f"), destination: .item("/g"))) == "/dav/f/")
            let error = await failure { try await path(.remove(path: "/none")) }
            #expect((error as? CocoaError)?.code == .fileNoSuchFile)
        }
    }

    @Test("are not made for what WebDAV can't do, nor for names that no server has")
    func impossible() async throws {
        try await withDAVServer { server, files async throws in
            let code = { (operation: FileOperationType) async -> CocoaError.Code? in
                let error = await failure {
                    let attributes = HTTPFileAttributes(isDirectory: false)
                    return try await files.request(for: operation, overwrite: false, attributes: attributes)
                }
                return (error as? CocoaError)?.code
            }
            let bad = ItemPath.root.appending("a/b")
            #expect(await code(.link(path: "/a", target: "b")) == .featureUnsupported)
            #expect(await code(.fetch(path: "id:5")) == .featureUnsupported)
            #expect(await code(.fetch(path: bad)) == .fileNoSuchFile)
            #expect(await code(.create(path: bad)) == .fileNoSuchFile)
            #expect(await code(.remove(path: bad)) == .fileNoSuchFile)
            #expect(await code(.move(source: "/a", destination: bad)) == .fileNoSuchFile)
            #expect(await code(.modify(path: bad)) == .fileWriteInvalidFileName)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("have answers that mean the same whether they come whole or bit by bit")
    func answers() async throws {
        try await withDAVServer { _, files async throws in
            let answer = { (status: Int, text: String) in
                HTTPFileAnswer(HTTPResponse(status: .init(code: status)), body: Data(text.utf8))
            }
            let list = MultistatusText.multistatus(
                MultistatusText.response("/dav/f/", MultistatusText.isFolder) + MultistatusText.response("/dav/f/a")
            )
            #expect(try files.page(from: answer(207, list), path: "/f").items.map(\.path) == ["/f/a"])
            #expect(try files.page(from: answer(207, list), path: "/f").next == nil)
            #expect(try files.attributes(from: answer(207, list), path: "/f").isDirectory)
            for broken in [answer(207, String(list.dropLast())), answer(207, list + "junk"), answer(200, list)] {
                #expect(throws: URLError.self) { try files.page(from: broken, path: "/f") }
                #expect(throws: URLError.self) { try files.attributes(from: broken, path: "/f") }
            }
            let partly = MultistatusText.multistatus(
                "<d:response><d:href>/dav/f/a</d:href><d:status>HTTP/1.1 423 Locked</d:status></d:response>"
            )
            try await files.confirm(.remove(path: "/f"), by: answer(204, ""))
            await #expect { try await files.confirm(.remove(path: "/f"), by: answer(207, partly)) } throws: { error in
                error.serverStatus == 423 && error.path == "/f/a"
            }
            let error = files.serverError(
                with: .init(code: 409),
                path: "/f",
                data: Data("<d:error xmlns:d=\"DAV:\"><s:message>no parent</s:message></d:error>".utf8)
            )
            #expect(error.statusCode == 409)
            #expect(error.serverDescription == "no parent")
        }
    }

    @Test("are there for whoever has only the protocol, paginating included")
    func paginated() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a", "/b": "b"])
            func names(_ files: some HTTPFileProvider) async throws -> [String] {
                let listing = files.paginated(path: "/") { token in
                    try await files.listingRequest(path: "/", page: token)
                } pageHandler: { answer in
                    try files.page(from: answer, path: "/")
                }
                var names: [String] = []
                for try await page in listing { names += page.map(\.name) }
                return names
            }
            #expect(try await names(files) == ["a", "b"])
        }
    }
}
