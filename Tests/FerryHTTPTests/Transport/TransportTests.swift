import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("Every transport")
struct TransportTests {
    @Test(
        "sends method, target and fields as they are",
        arguments: TransportKind.allCases,
        ["/", "/a%20b", "/a//b;c=1/'x'/%E2%82%AC?q=%2F&r=a+b", "/%7Euser/(1)/@:!$&*,="]
    )
    func target(kind: TransportKind, path: String) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let depth = try #require(HTTPField.Name("Depth"))
                let method = try #require(HTTPRequest.Method("PROPFIND"))
                _ = try await transport.send(method, server.url, path, fields: [depth: "1"])
                let request = try #require(server.requests.first)
                #expect(request.method == method)
                #expect(request.path == path)
                #expect(request.headerFields[depth] == "1")
                #expect(request.authority == "127.0.0.1:\(server.port)")
                #expect(!request.headerFields.contains { $0.name.canonicalName.hasPrefix("ferry") })
            }
        }
    }

    @Test(
        "sends a body of known length with it, and one of unknown length in chunks",
        arguments: TransportKind.allCases
    )
    func framing(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: request.text)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("hello")) == "hello")
                #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("")) == "")
                #expect(try await transport.text(.put, server.url, body: .pieces(["hel", "lo"], length: 5)) == "hello")
                #expect(
                    try await transport.text(.put, server.url, body: .pieces(["hel", "lo"], length: nil)) == "hello"
                )
                let lengths = server.requests.map { $0.headerFields[.contentLength] }
                // URLSession has made all of a body before it sends any: so it knows.
                #expect(lengths == ["5", "0", "5", kind == .urlSession ? "5" : nil])
                let coding = server.requests.last?.headerFields[.transferEncoding]
                #expect(coding == (kind == .urlSession ? nil : "chunked"))
            }
        }
    }

    @Test("keeps an answer's status, fields and body as they are", arguments: TransportKind.allCases)
    func answer(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            switch request.target {
            case "/cookies":
                LoopbackAnswer(.ok, fields: [.setCookie: "a=1"])
            case "/packed":
                LoopbackAnswer(.ok, fields: [.contentEncoding: "gzip"], text: "not really")
            case "/redirect":
                LoopbackAnswer(.found, fields: [.location: "/elsewhere"], text: "over there")
            case "/denied":
                LoopbackAnswer(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"x\""], text: "who are you")
            default:
                LoopbackAnswer(.init(code: 207), text: "many")
            }
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                _ = try await transport.text(.get, server.url, "/cookies")
                // URLSession unpacks on its own.
                if kind != .urlSession {
                    #expect(try await transport.text(.get, server.url, "/packed") == "not really")
                }
                let moved = try await transport.send(.get, server.url, "/redirect")
                #expect(moved.status == .found)
                #expect(moved.head.headerFields[.location] == "/elsewhere")
                #expect(try await moved.body.collect(upTo: 100) == Data("over there".utf8))
                let denied = try await transport.send(.get, server.url, "/denied")
                #expect(denied.status == .unauthorized)
                #expect(denied.head.headerFields[.wwwAuthenticate] == "Basic realm=\"x\"")
                // Linux's URLSession keeps the body of such an answer to itself.
                if kind != .urlSession {
                    #expect(try await denied.body.collect(upTo: 100) == Data("who are you".utf8))
                }
                #expect(try await transport.text(.get, server.url) == "many")
                #expect(server.requests.count == (kind == .urlSession ? 4 : 5))
                #expect(server.requests.allSatisfy { $0.headerFields[.cookie] == nil })
            }
        }
    }

    @Test("reads bodies that are chunked, that end with the connection, and none", arguments: TransportKind.allCases)
    func bodies(kind: TransportKind) async throws {
        // Linux's URLSession ends the process when fields follow the last chunk.
        let trailer = kind == .urlSession ? "" : "X: y\r\n"
        let chunks = "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\(trailer)\r\n"
        let answers = [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)": "hello",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello": "hello",
            "HTTP/1.0 200 OK\r\n\r\nhello": "hello",
            "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n": "",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n": "",
        ]
        for (answer, body) in answers {
            let server = try await RawServer.start(answering: answer)
            try await withTransport(kind) { transport async throws in
                #expect(try await transport.text(.get, server.url) == body, "\(answer)")
            }
            await server.stop()
        }
    }

    @Test("expects no body in answer to HEAD, whatever its length", arguments: TransportKind.allCases)
    func head(kind: TransportKind) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok, fields: [.contentLength: "1000"])
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let reply = try await transport.send(.head, server.url)
                #expect(reply.contentLength == 1000)
                #expect(try await reply.body.collect(upTo: 0).isEmpty)
            }
        }
    }

    @Test("passes over answers of 1xx", arguments: TransportKind.allCases)
    func informational(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            var answer = LoopbackAnswer(.ok, text: request.text)
            answer.informational = [HTTPResponse(status: .continue), HTTPResponse(status: .init(code: 103))]
            return answer
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("hello")) == "hello")
                #expect(try await transport.text(.get, server.url) == "")
            }
        }
    }

    @Test("uses a connection again when an answer is read", arguments: TransportKind.allCases)
    func reuse(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: request.text)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                for _ in 0..<20 {
                    _ = try await transport.text(.put, server.url, body: .pieces(["a", "b"], length: 2))
                }
                #expect(server.connectionCount == 1)
            }
        }
    }

    @Test("makes no more connections than it may, and lets the rest wait", arguments: TransportKind.allCases)
    func limit(kind: TransportKind) async throws {
        let busy = SharedValue((now: 0, most: 0))
        try await withLoopbackServer { _ in
            busy.value.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<10 { await Task.yield() }
            busy.value.withLock { $0.now -= 1 }
            return LoopbackAnswer(.ok)
        } perform: { server in
            var configuration = HTTPTransportConfiguration.patient
            configuration.maximumConnectionsPerHost = 3
            try await withTransport(kind, configuration) { transport async throws in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<50 { group.addTask { _ = try await transport.text(.get, server.url) } }
                    try await group.waitForAll()
                }
            }
            #expect(busy.value.withLock { $0.most } <= 3)
            #expect(server.connectionCount <= 3)
            #expect(server.requests.count == 50)
        }
    }

    @Test("keeps requests apart that follow each other closely on one connection", arguments: TransportKind.allCases)
    func order(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: request.text)
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            configuration.maximumConnectionsPerHost = 1
            try await withTransport(kind, configuration) { transport async throws in
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            let body = HTTPRequestBody.pieces(["number ", "\(number)"], length: nil)
                            let text = try await transport.text(.put, server.url, body: body)
                            #expect(text == "number \(number)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("throws what the body's source throws", arguments: TransportKind.allCases)
    func sourceFails(kind: TransportKind) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let body = HTTPRequestBody(length: 10, isReplayable: false) {
                    let isFirst = Mutex(true)
                    return {
                        guard isFirst.withLock({ $0.exchange(false) }) else { throw CocoaError(.fileReadNoSuchFile) }
                        return ByteBuffer(string: "hello")
                    }
                }
                let error = await failure { _ = try await transport.send(.put, server.url, body: body) }
                #expect((error as? CocoaError)?.code == .fileReadNoSuchFile)
                #expect(try await transport.text(.get, server.url) == "")
            }
        }
    }

    @Test("sends no body that is longer or shorter than announced", arguments: TransportKind.allCases, [4, 6])
    func wrongLength(kind: TransportKind, length: Int64) async throws {
        let bodies = SharedValue<[String]>([])
        try await withLoopbackServer { request in
            bodies.value.withLock { $0.append(request.text) }
            return LoopbackAnswer(.ok)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let body = HTTPRequestBody.pieces(["he", "llo"], length: length)
                #expect(
                    await failureCode { _ = try await transport.send(.put, server.url, body: body) }
                        == .requestBodyStreamExhausted
                )
                #expect(bodies.value.withLock { $0 }.isEmpty)
                #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("well")) == "")
            }
        }
    }

    @Test("ends a request promptly when its task is cancelled", arguments: TransportKind.allCases)
    func cancel(kind: TransportKind) async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        try await withRawServer { connection in
            let head = try await connection.readHead()
            if head.contains("/body") {
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            }
            arrival.yield()
            await connection.hold()
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                for path in ["/head", "/body"] {
                    let task = Task { _ = try await transport.text(.get, server.url, path) }
                    for await _ in arrived { break }
                    task.cancel()
                    #expect(await failure { try await task.value } is CancellationError, "\(path)")
                }
            }
        }
    }

    @Test("refuses a port that can't be", arguments: TransportKind.allCases, [65536, 12_700_152_897])
    func impossiblePort(kind: TransportKind, port: Int) async throws {
        let transport = try kind.make(HTTPTransportConfiguration())
        let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/")
        #expect(await failure { _ = try await transport.send(request, body: nil) } is URLError)
        await transport.shutdown()
    }

    @Test("ends all requests when it is shut down, and takes no more", arguments: TransportKind.allCases)
    func shutdown(kind: TransportKind) async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        try await withRawServer { connection in
            try await connection.readHead()
            arrival.yield()
            await connection.hold()
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            configuration.maximumConnectionsPerHost = 2
            let transport = try kind.make(configuration)
            let tasks = (0..<5).map { _ in Task { _ = try await transport.text(.get, server.url) } }
            var count = 0
            for await _ in arrived {
                count += 1
                if count == 2 { break }
            }
            await transport.shutdown()
            for task in tasks {
                #expect(await failure { try await task.value } is CancellationError)
            }
            await transport.shutdown()
            #expect(await failure { _ = try await transport.text(.get, server.url) } is CancellationError)
        }
    }
}

extension HTTPRequestBody {
    /// A body that comes in pieces, once.
    static func pieces(_ pieces: [String], length: Int64?) -> HTTPRequestBody {
        HTTPRequestBody(length: length, isReplayable: true) {
            let rest = SharedValue(pieces[...])
            return { rest.value.withLock { $0.popFirst() }.map { ByteBuffer(string: $0) } }
        }
    }
}

/// State that a test shares with closures.
final class SharedValue<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

extension Bool {
    /// Changes it, and tells what it was.
    mutating func exchange(_ new: Bool) -> Bool {
        defer { self = new }
        return self
    }
}
