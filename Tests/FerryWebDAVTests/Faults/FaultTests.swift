import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("A server out of its mind", .timeLimit(.minutes(30)))
struct FaultTests {
    private typealias Text = MultistatusText

    /// A server's answer to the question for the items of `/f`, and the error that we throw then.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: URLError.Code
        let answer: LoopbackAnswer

        init(_ name: String, _ code: URLError.Code = .cannotParseResponse, _ answer: LoopbackAnswer) {
            (testDescription, self.code, self.answer) = (name, code, answer)
        }

        /// A list of which the end is replaced.
        init(_ name: String, _ code: URLError.Code = .cannotParseResponse, list: String) {
            self.init(name, code, LoopbackAnswer(HTTPResponse.Status(code: 207), text: list))
        }
    }

    private static let folder = Text.response("/dav/f/", Text.isFolder)
    private static let good = Text.response("/dav/f/a")
    private static let start = "<d:multistatus xmlns:d=\"DAV:\">" + folder + good
    private static let end = "</d:multistatus>"

    private static func wrong(length: Int) -> LoopbackAnswer {
        var answer = LoopbackAnswer(HTTPResponse.Status(code: 207), text: start + end)
        answer.fields[.contentLength] = "\(answer.body.readableBytes + length)"
        answer.closes = true
        return answer
    }

    /// 64 MiB of zeros, as so many members of gzip.
    private static let bomb: Data = {
        let mebibyte =
            (Data(base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfoA==") ?? Data()) + Data(count: 1_016)
            + (Data(base64Encoded: "PgMc6jinAAAQAA==") ?? Data())
        return Data((0..<64).flatMap { _ in mebibyte })
    }()

    /// The beginning of a list, packed.
    private static let packedStart = Data(
        base64Encoded: """
            H4sIAAAAAAACA7NJscotzSnJLC5JLCktVqjIzckrtkqxVXJxDLNSsrNJsSpKLS7IzytOBbEzilLT7PRTEsv00/Rt9KF8oHhBUX4ByAAYG6ovv7\
            QoObWksgCsNzk/Jyc1uSQzP0/fDqQXVV4foRHiEjuPkJAAfUM9QwUjAwMFf2+QCqgMTDHERn1UJ1boj5Kj5A==
            """
    )

    private static func packed(_ bytes: Data) -> LoopbackAnswer {
        LoopbackAnswer(
            HTTPResponse.Status(code: 207),
            fields: [.contentEncoding: "gzip"],
            body: ByteBuffer(bytes: bytes)
        )
    }

    private static let cases = [
        Case("a DTD", list: "<!DOCTYPE d [<!ELEMENT d ANY>]>" + start + end),
        Case("a DTD from elsewhere", list: "<!DOCTYPE d SYSTEM 'http://127.0.0.1:1/d.dtd'>" + start + end),
        Case(
            "an entity bomb",
            list: """
                <!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>
                \(start)<d:response><d:href>/dav/f/&c;</d:href></d:response>\(end)
                """
        ),
        Case("an unknown entity", list: start + Text.response("/dav/f/&a;") + end),
        Case("a million elements inside each other", list: start + String(repeating: "<d:x>", count: 1_000_000)),
        Case("a climb by escapes", list: start + Text.response("/dav/f/%2e%2e%2fpasswd") + end),
        Case("a climb", list: start + Text.response("/dav/f/../../passwd") + end),
        Case("an item of another host", list: start + Text.response("http://other.example/dav/f/b") + end),
        Case("an item of another folder", list: start + Text.response("/dav/g/b") + end),
        Case(
            "bytes that are not UTF-8",
            .cannotParseResponse,
            LoopbackAnswer(
                HTTPResponse.Status(code: 207),
                body: ByteBuffer(bytes: Array((start + "<d:response><d:href>/dav/f/").utf8) + [0xFF, 0xFE])
            )
        ),
        Case("an end in the middle", list: start),
        Case("an end in an element", list: start + "<d:resp"),
        Case("junk behind the end", list: start + end + "junk"),
        Case("another list behind the end", list: start + end + start + end),
        Case("no list", list: "<html><body>Welcome</body></html>"),
        Case("nothing", list: ""),
        Case("another status", .cannotParseResponse, LoopbackAnswer(.ok, text: start + end)),
        Case("a length that is too long", .networkConnectionLost, wrong(length: 10)),
        Case("a length that is too short", .cannotParseResponse, wrong(length: -10)),
        Case(
            // It ends with the first byte that is no XML. How much may be unpacked at all, the transport's tests try.
            "a gzip bomb",
            .cannotParseResponse,
            packed(bomb)
        ),
        Case(
            // It is taken as it is, and is no XML.
            "a gzip that is none",
            .cannotParseResponse,
            packed(Data("this is not packed".utf8))
        ),
        Case("an end of what is packed in the middle", .networkConnectionLost, packed(packedStart ?? Data())),
        Case(
            "a packing that nobody knows",
            .cannotDecodeContentData,
            LoopbackAnswer(HTTPResponse.Status(code: 207), fields: [.contentEncoding: "br"], text: "x")
        ),
        Case("a redirect to itself", .httpTooManyRedirects, LoopbackAnswer(.found, fields: [.location: "/dav/f/"])),
        Case(
            "a redirect to another host",
            .redirectToNonExistentLocation,
            LoopbackAnswer(.temporaryRedirect, fields: [.location: "http://localhost:1/dav/f/"])
        ),
        Case("a refusal to log in", .userAuthenticationRequired, LoopbackAnswer(.unauthorized)),
        Case("trouble for ever", .badServerResponse, LoopbackAnswer(.internalServerError)),
    ]

    @Test("gives an error and no list, and the next request works", arguments: cases)
    func listing(fault: Case) async throws {
        try await withFaultyDAVServer { server, files, _, loopback async throws in
            server.plant(["/f/": "", "/f/a": "a"])
            server.whim { $0.method == "PROPFIND" && $0.path == "/f" ? .answer(fault.answer) : nil }
            var items: [FileObject]?
            let error = await failure { items = try await files.contentsOfDirectory(path: "/f") }
            #expect((error as? URLError)?.code == fault.code, "\(String(describing: error))")
            #expect(items == nil)
            let tree = await failure {
                for try await _ in files.searchFiles(path: "/", recursive: true, query: .all).pages {}
            }
            #expect(tree != nil, "a walk must not take it for an empty folder")
            server.whim(nil)
            #expect(try await files.contentsOfDirectory(path: "/f").map(\.name) == ["a"])
            #expect(loopback.openConnectionCount < 10)
            await files.invalidate()
            while loopback.openConnectionCount > 0 { await Task.yield() }
        }
    }

    // MARK: Silence

    @Test(
        "that falls silent is left, whatever it was about, and the next request works",
        arguments: ["list", "read", "write", "move", "remove"],
        [0, 20, 120]
    )
    func stall(work: String, offset: Int) async throws {
        var configuration = HTTPTransportConfiguration()
        (configuration.idleTimeout, configuration.workPatience) = (.seconds(8), 1)
        let long = String(repeating: "x", count: 1_000)
        try await withFaultyDAVServer(.apache, configuration) { server, files, proxy, loopback async throws in
            server.plant(["/a": long, "/b": "b"])
            proxy.fault = Fault(.stall, .answer, after: offset, counting: .eachConnection)
            try await proxy.cutAll()
            let error = await failure {
                switch work {
                case "list": _ = try await files.contentsOfDirectory(path: "/")
                case "read": _ = try await files.contents(path: "/a")
                case "write": try await files.writeContents(path: "/n", contents: Data("new".utf8))
                case "move": try await files.moveItem(path: "/a", to: "/c", overwrite: false)
                default: try await files.removeItem(path: "/b")
                }
            }
            // A short answer may have come as a whole before.
            if offset < 100 || ["list", "read"].contains(work) {
                #expect((error as? URLError)?.code == .timedOut, "\(String(describing: error))")
            }
            proxy.fault = nil
            try await proxy.cutAll()
            let base = try await insisting { try await files.attributesOfItem(path: "/") }
            #expect(base.isDirectory)
            #expect(server.names.allSatisfy { ["/a", "/b", "/c", "/n"].contains($0) })
            await files.invalidate()
            while loopback.openConnectionCount > 0 { await Task.yield() }
        }
    }

    // MARK: Busy servers

    @Test("that wants to be left alone is, for as long as it says", arguments: [429, 503], [true, false])
    func busy(status: Int, byDate: Bool) async throws {
        let clock = InstantClock()
        try await withFaultyDAVServer(clock: clock) { server, files, _, _ async throws in
            server.plant(["/a": "a"])
            let asked = Mutex(0)
            server.whim { request in
                let number = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                guard number == 1 else { return nil }
                let now = Date()
                let when = byDate ? HTTPDate.format(now + 8.9) ?? "" : "8"
                var fields: HTTPFields = [.retryAfter: when]
                fields[.date] = byDate ? HTTPDate.format(now) : nil
                return .answer(LoopbackAnswer(HTTPResponse.Status(code: status), fields: fields))
            }
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a"])
            let wait = try #require(clock.waits.first)
            #expect(clock.waits.count == 1)
            #expect(wait >= .seconds(6) && wait <= .seconds(10))
        }
    }

    @Test("once, and then well, is asked again where that does no harm")
    func onceInTrouble() async throws {
        try await withFaultyDAVServer { server, files, _, _ async throws in
            server.plant(["/a": "a"])
            let troubled = Mutex<Set<String>>([])
            server.whim { request in
                troubled.withLock { $0.insert(request.method).inserted }
                    ? .answer(LoopbackAnswer(.internalServerError)) : nil
            }
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a"])
            #expect(try await files.contents(path: "/a") == Data("a".utf8))
            #expect(server.methods == ["PROPFIND", "PROPFIND", "GET", "GET"])
        }
    }

    // MARK: Strangers

    @Test(
        "that sends us elsewhere: nobody there learns who we are, nor what we write",
        arguments: ["list", "read", "write"]
    )
    func elsewhere(work: String) async throws {
        try await withLoopbackServer { (_: LoopbackRequest) in
            LoopbackAnswer(.ok, text: "from elsewhere")
        } perform: { other async throws in
            let credential = FileProviderCredential(user: "ferry", secret: .password("s3cret"))
            try await withFaultyDAVServer(credential: credential) { server, files, _, _ async throws in
                server.plant(["/a": "a"])
                server.whim { request in
                    guard request["Authorization"] != nil, request.path != "/" || request.method == "PROPFIND" else {
                        let fields = HTTPFields([HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"r\"")])
                        return .answer(LoopbackAnswer(.unauthorized, fields: fields))
                    }
                    let place = other.url(host: "localhost").absoluteString + "a"
                    return .answer(LoopbackAnswer(.temporaryRedirect, fields: [.location: place]))
                }
                let error = await failure {
                    switch work {
                    case "list": _ = try await files.contentsOfDirectory(path: "/")
                    case "read": _ = try await files.contents(path: "/a")
                    default: try await files.writeContents(path: "/n", contents: Data("new".utf8))
                    }
                }
                if work != "read" { #expect((error as? URLError)?.code == .redirectToNonExistentLocation) }
                #expect(other.requests.count == (work == "read" ? 1 : 0))
                for request in other.requests {
                    #expect(request.headerFields[.authorization] == nil)
                    #expect(request.headerFields[.cookie] == nil)
                }
            }
        }
    }

    // MARK: Files on this machine

    @Test("that sends fewer bytes than it says leaves no file here", arguments: [true, false])
    func shortDownload(overwrite: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a")
        if overwrite { try Data("old".utf8).write(to: file) }
        try await withFaultyDAVServer { server, files, _, loopback async throws in
            server.plant(["/a": "a"])
            server.whim { request in
                guard request.method == "GET" else { return nil }
                var answer = LoopbackAnswer(.ok, fields: [.contentLength: "1000"], text: "fewer")
                answer.closes = true
                return .answer(answer)
            }
            let error = await failure { try await files.copyItem(path: "/a", toLocalURL: file, overwrite: overwrite) }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(names == (overwrite ? ["a"] : []))
            if overwrite { #expect(try Data(contentsOf: file) == Data("old".utf8)) }
            server.whim(nil)
            try await files.copyItem(path: "/a", toLocalURL: file, overwrite: overwrite)
            #expect(try Data(contentsOf: file) == Data("a".utf8))
            await files.invalidate()
            while loopback.openConnectionCount > 0 { await Task.yield() }
        }
    }

    @Test("that lists a folder in itself for ever is left after so many folders")
    func endlessTree() async throws {
        let name = String(repeating: "loop", count: 50)
        try await withFaultyDAVServer { server, files, _, _ async throws in
            server.whim { request in
                guard request.method == "PROPFIND", request["Depth"] == "1", let path = request.head.path else {
                    return nil
                }
                let own = MultistatusText.response(path, MultistatusText.isFolder)
                return .answer(.multistatus(own, MultistatusText.response(path + name + "/", MultistatusText.isFolder)))
            }
            let error = await failure {
                for try await _ in files.searchFiles(path: "/", recursive: true, query: .all).pages {}
            }
            #expect((error as? URLError)?.code == .cannotParseResponse, "\(String(describing: error))")
        }
    }
}
