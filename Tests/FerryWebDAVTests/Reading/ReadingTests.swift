import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import FerryWebDAV

@Suite("Contents from a server")
struct ReadingTests {
    private typealias Text = MultistatusText

    @Test("come with one request, and the facts of the answer")
    func facts() async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            LoopbackAnswer(
                .ok,
                fields: [.eTag: "W/\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .contentType: "text/plain"],
                text: "hello"
            )
        } perform: { server in
            let stream = try await WebDAVFileProvider(server).contentStream(path: "/a b", range: .all, reporting: nil)
            #expect(stream.facts.eTag == "\"a\"")
            #expect(stream.facts.size == 5)
            #expect(stream.facts.modifiedDate == Date(timeIntervalSince1970: 784_111_777))
            #expect(try await stream.collect() == Data("hello".utf8))
            #expect(server.requests.map(\.path) == ["/dav/a%20b"])
        }
    }

    @Test("of a small file come in one piece, with the same facts, or not at all")
    func whole() async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            guard request.head.method == .get else { return .multistatus(Text.response("/dav/folder/", Text.isFolder)) }
            let fields: HTTPFields = [.eTag: "W/\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]
            switch request.head.path {
            case "/dav/empty": return LoopbackAnswer(.ok, fields: fields)
            case "/dav/told": return LoopbackAnswer(.ok, fields: fields, text: "hello")
            case "/dav/untold":
                let rest = Mutex(["lo", "hel"])
                return LoopbackAnswer(.ok, fields: fields) {
                    rest.withLock { $0.popLast() }.map { ByteBuffer(string: $0) }
                }
            case "/dav/long": return LoopbackAnswer(.ok, fields: fields, text: "much longer")
            case "/dav/cut":
                var answer = LoopbackAnswer(.ok, fields: [.contentLength: "5"], text: "hel")
                answer.closes = true
                return answer
            default: return LoopbackAnswer(.methodNotAllowed)
            }
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            for (path, text) in ["/told": "hello", "/untold": "hello", "/empty": ""] as [ItemPath: String] {
                let file = try #require(try await files.wholeFile(path: path, upTo: 6))
                #expect(String(buffer: file.contents) == text)
                #expect(file.facts.eTag == "\"a\"")
                #expect(file.facts.size == (path == "/untold" ? nil : Int64(text.utf8.count)))
                #expect(file.facts.modifiedDate == Date(timeIntervalSince1970: 784_111_777))
            }
            #expect(try await files.wholeFile(path: "/long", upTo: 6) == nil)
            #expect(try await files.wholeFile(path: "/untold", upTo: 4) == nil)
            let cut = await #expect(throws: URLError.self) { _ = try await files.wholeFile(path: "/cut", upTo: 6) }
            #expect(cut?.code == .networkConnectionLost)
            let folder = await #expect(throws: CocoaError.self) {
                _ = try await files.wholeFile(path: "/folder", upTo: 6)
            }
            #expect(folder?.underlying as? POSIXError == POSIXError(.EISDIR))
        }
    }

    @Test(
        "are not those of a folder, whatever a server says of it",
        arguments: [
            LoopbackAnswer(.notFound), LoopbackAnswer(.forbidden), LoopbackAnswer(.methodNotAllowed),
            LoopbackAnswer(.movedPermanently, fields: [.location: "/dav/a/"]),
            LoopbackAnswer(.permanentRedirect, fields: [.location: "http://other.example/dav/a/"]),
            LoopbackAnswer(.ok, fields: [.contentType: "text/html; charset=utf-8"], text: "<html/>"),
            LoopbackAnswer(.ok, fields: [.contentType: "text/html"]), LoopbackAnswer(.internalServerError),
        ]
    )
    func folder(answer: LoopbackAnswer) async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.head.method == .get ? answer : .multistatus(Text.response("/dav/a/", Text.isFolder))
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let error = await #expect(throws: CocoaError.self) {
                try await files.contentStream(path: "/a", range: .all, reporting: nil)
            }
            #expect(error?.underlying as? POSIXError == POSIXError(.EISDIR))
        }
    }

    @Test("of a page are its text", arguments: ["/a", "/a.html"])
    func page(path: ItemPath) async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.head.method == .get
                ? LoopbackAnswer(.ok, fields: [.contentType: "text/html"], text: "<p>")
                : .multistatus(Text.response("/dav\(path)"))
        } perform: { server in
            let stream = try await WebDAVFileProvider(server).contentStream(path: path, range: .all, reporting: nil)
            #expect(try await stream.collect() == Data("<p>".utf8))
            #expect(server.requests.count == (path == "/a" ? 2 : 1))
        }
    }

    @Test(
        "that can't be had are an error of the table",
        arguments: [
            (403, CocoaError.Code.fileReadNoPermission.rawValue), (404, CocoaError.Code.fileReadUnknown.rawValue),
            (401, URLError.Code.userAuthenticationRequired.rawValue), (502, URLError.Code.badServerResponse.rawValue),
        ]
    )
    func refused(status: Int, code: Int) async throws {
        try await withLoopbackServer { (request: LoopbackRequest) in
            request.head.method == .get
                ? LoopbackAnswer(HTTPResponse.Status(code: status)) : .multistatus(Text.response("/dav/a"))
        } perform: { server in
            let files = try WebDAVFileProvider(server)
            let error = await #expect(throws: (any Error).self) {
                try await files.contentStream(path: "/a", range: .all, reporting: nil)
            }
            #expect(error.map { ($0 as NSError).code } == code)
        }
    }
}

extension CocoaError {
    /// The cause.
    fileprivate var underlying: (any Error)? { errorUserInfo[NSUnderlyingErrorKey] as? any Error }
}
