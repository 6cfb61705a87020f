import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("What a server says of one item")
struct AttributesTests {
    private typealias Text = MultistatusText

    @Test("is asked without knowing whether it is a folder, also of servers that want a slash there")
    func slash() async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.target.hasSuffix("/")
                ? .multistatus(Text.response("/dav/a/", Text.isFolder))
                : LoopbackAnswer(.movedPermanently, fields: [.location: "/dav/a/"])
        } perform: { server in
            let item = try await WebDAVFileProvider(server).attributesOfItem(path: "/a")
            #expect(item.isDirectory)
            #expect(item.path == "/a")
        }
    }

    @Test("is of the item itself, whatever else the answer has in it")
    func others() async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            .multistatus(Text.response("/dav/a/b"), Text.response("/dav/a/", Text.isFolder))
        } perform: { server in
            let item = try await WebDAVFileProvider(server).attributesOfItem(path: "/a")
            #expect(item.isDirectory)
        }
    }

    @Test("is missing only if the folder that everything is in is there", arguments: [true, false])
    func missing(hasBase: Bool) async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            hasBase && request.target == "/dav/"
                ? .multistatus(Text.response("/dav/", Text.isFolder)) : LoopbackAnswer(.notFound)
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let error = await #expect(throws: CocoaError.self) { try await files.attributesOfItem(path: "/a") }
            #expect(error?.code == (hasBase ? .fileNoSuchFile : .fileReadUnknown))
            #expect(try await files.isReachable() == hasBase)
        }
    }

    @Test(
        "is the error of the table for other answers",
        arguments: [
            (403, CocoaError.Code.fileReadNoPermission.rawValue), (405, CocoaError.Code.featureUnsupported.rawValue),
            (401, URLError.Code.userAuthenticationRequired.rawValue), (500, URLError.Code.badServerResponse.rawValue),
            (200, URLError.Code.cannotParseResponse.rawValue),
        ]
    )
    func errors(status: Int, code: Int) async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            LoopbackAnswer(HTTPResponse.Status(code: status))
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let error = await #expect(throws: (any Error).self) { try await files.attributesOfItem(path: "/a") }
            #expect(error.map { ($0 as NSError).code } == code)
        }
    }

    @Test("that has no name on any server is not asked for", arguments: ["..", ".", "a/b", "a\0b"])
    func impossible(name: String) async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            LoopbackAnswer(.internalServerError)
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let path = ItemPath.root.appending(name)
            let error = await #expect(throws: CocoaError.self) { try await files.attributesOfItem(path: path) }
            #expect(error?.code == .fileNoSuchFile)
            #expect(server.requests.isEmpty)
        }
    }
}
