import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("On a bad line, every transport")
struct TransportFaultTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private static let chunkedAnswer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

    @Test(
        "never takes an answer for complete that is cut, at whatever byte",
        arguments: TransportKind.allCases,
        [answer, chunkedAnswer]
    )
    func cutAnswer(kind: TransportKind, answer: String) async throws {
        let offset = SharedValue(0)
        let server = try await RawServer.start { connection in
            try await connection.readHead()
            try await connection.write(ByteBuffer(bytes: answer.utf8.prefix(offset.value.withLock { $0 })))
        }
        try await withTransport(kind) { transport async throws in
            let head = answer.utf8.count - (answer.components(separatedBy: "\r\n\r\n").dropFirst().joined().utf8.count)
            // libcurl, in Linux's URLSession, doesn't wait for the last line feeds of chunks.
            let counts =
                kind.survivesCutHeads
                ? 0..<answer.utf8.count : head..<(answer.utf8.count - (answer.hasSuffix("\r\n") ? 2 : 0))
            for count in counts {
                offset.value.withLock { $0 = count }
                let code = await failureCode { _ = try await transport.text(.get, server.url) }
                #expect(code == .networkConnectionLost, "cut after \(count)")
            }
            offset.value.withLock { $0 = answer.utf8.count }
            #expect(try await transport.text(.get, server.url) == "hello")
        }
        await server.stop()
    }

    @Test("reports a request that is cut, at whatever byte", arguments: [TransportKind.nio])
    func cutRequest(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: request.text)
        } perform: { server in
            try await withFaultProxy(to: server.port) { proxy in
                let url = proxy.url(like: server.url)
                try await withTransport(kind) { transport async throws in
                    let send = { @Sendable () async throws in
                        try await transport.text(.put, url, body: .pieces(["hel", "lo"], length: 5))
                    }
                    #expect(try await send() == "hello")
                    let size = proxy.requestByteCount
                    for count in 0..<size {
                        proxy.fault = .cutRequest(after: count, times: 1)
                        let code = await failureCode { _ = try await send() }
                        #expect(code == .networkConnectionLost, "cut after \(count)")
                    }
                    #expect(proxy.strikeCount == size)
                    #expect(try await send() == "hello")
                }
            }
        }
    }

    @Test("reports a connection that is reset", arguments: TransportKind.allCases)
    func reset(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
            try await connection.reset()
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let code = await failureCode { _ = try await transport.text(.get, server.url) }
                #expect(code == .networkConnectionLost)
            }
        }
    }

    @Test(
        "gives up on a server that stalls",
        arguments: TransportKind.allCases,
        [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        ]
    )
    func stall(kind: TransportKind, answer: String) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write(answer)
            await connection.hold()
        } perform: { server in
            try await withTransport(kind, .impatient) { transport async throws in
                let code = await failureCode { _ = try await transport.text(.get, server.url) }
                #expect(code == .timedOut)
            }
        }
    }

    @Test("gives up on a server that takes no more of a body", arguments: [TransportKind.nio])
    func stallWhileSending(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            await connection.hold()
        } perform: { server in
            try await withTransport(kind, .impatient) { transport async throws in
                let code = await failureCode {
                    _ = try await transport.send(.put, server.url, body: .endless(counting: SharedValue(0)))
                }
                #expect(code == .timedOut)
            }
        }
    }

    @Test(
        "says that an answer makes no sense",
        arguments: TransportKind.allCases,
        [
            "\u{1}\u{2}nonsense\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello",
            "HTTP/1.1 200 OK\r\nLong: \(String(repeating: "x", count: 300 << 10))\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 50_000))\r\n",
        ]
    )
    func senseless(kind: TransportKind, answer: String) async throws {
        // URLSession has bounds of its own for a head.
        if kind == .urlSession, answer.utf8.count > 1000 { return }
        let server = try await RawServer.start(answering: answer, staysOpen: true)
        try await withTransport(kind) { transport async throws in
            let code = await failureCode { _ = try await transport.text(.get, server.url) }
            #expect(code == .cannotParseResponse)
        }
        await server.stop()
    }

    @Test("takes no byte more than announced, and doesn't mix up answers", arguments: TransportKind.allCases)
    func tooLong(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad"
            )
            try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                for _ in 0..<4 {
                    var text: String?
                    let error = await failure { text = try await transport.text(.get, server.url) }
                    #expect(text == "hello" || (text == nil && error != nil))
                }
            }
        }
    }

    @Test("tells that a connection of before was closed without a word", arguments: [TransportKind.nio])
    func stale(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write(Self.answer)
            if connection.number == 1 { try await connection.readHead() }
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                #expect(try await transport.text(.get, server.url) == "hello")
                let error = await failure { _ = try await transport.text(.get, server.url) }
                #expect((error as? StaleConnectionError)?.lost.code == .networkConnectionLost)
                #expect(try await transport.text(.get, server.url) == "hello")
                #expect(server.connectionCount == 2)
            }
        }
    }

    @Test("takes a new connection for no old one", arguments: TransportKind.allCases)
    func notStale(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let error = await failure { _ = try await transport.text(.get, server.url) }
                #expect((error as? URLError)?.code == .networkConnectionLost)
            }
        }
    }

    @Test("tells that nobody answers", arguments: TransportKind.allCases)
    func refused(kind: TransportKind) async throws {
        let port = try ReservedPort()
        try await withTransport(kind) { transport async throws in
            let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/"))
            #expect(await failureCode { _ = try await transport.text(.get, url) } == .cannotConnectToHost)
        }
    }

    @Test("tells that there is no such host", arguments: TransportKind.allCases)
    func noHost(kind: TransportKind) async throws {
        try await withTransport(kind) { transport async throws in
            let url = try #require(URL(string: "http://nobody.invalid/"))
            #expect(await failureCode { _ = try await transport.text(.get, url) } == .cannotFindHost)
        }
    }

    @Test("believes an early refusal, and sends no more", arguments: [TransportKind.nio])
    func earlyAnswer(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge")
            await connection.hold()
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                // Again and again: that the body ends must not come before the answer.
                for _ in 0..<200 {
                    let made = SharedValue(0)
                    let reply = try await transport.send(.put, server.url, body: .endless(counting: made))
                    #expect(reply.status == .contentTooLarge)
                    #expect(try await reply.body.collect(upTo: 100) == Data("large".utf8))
                    #expect(made.value.withLock { $0 } < 64 << 20)
                }
            }
        }
    }

    @Test("never hangs when a server refuses a body and hangs up", arguments: [TransportKind.nio])
    func refusedAndClosed(kind: TransportKind) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge")
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                for _ in 0..<20 {
                    // The server's answer may be lost when it closes the connection while bytes come: RFC 9112 §9.6.
                    var status: HTTPResponse.Status?
                    let code = await failureCode {
                        let reply = try await transport.send(.put, server.url, body: .endless(counting: SharedValue(0)))
                        status = reply.status
                        _ = try await reply.body.collect(upTo: 100)
                    }
                    #expect(status == .contentTooLarge || code == .networkConnectionLost)
                }
            }
        }
    }

    @Test("takes an answer that comes before the question's end, and a line that is closed then")
    func hastyAnswer() async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        } perform: { server in
            try await withTransport(.nio) { transport async throws in
                await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            var answers = 0
                            for _ in 0..<250 {
                                let code = await failureCode {
                                    let body = HTTPRequestBody(Data(count: 1_000))
                                    let reply = try await transport.send(.put, server.url, body: body)
                                    #expect(try await reply.body.collect(upTo: 100) == Data("hello".utf8))
                                    answers += 1
                                }
                                #expect(code == nil || code == .networkConnectionLost)
                            }
                            return answers
                        }
                    }
                    let answers = await group.reduce(0, +)
                    #expect(answers > 0)
                }
            }
        }
    }

    @Test(
        "ends an answer that stalls after its beginning, however long the server may work before it",
        .timeLimit(.minutes(30)),
        arguments: [TransportKind.nio]
    )
    func stalledWork(kind: TransportKind) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok, text: String(repeating: "x", count: 100_000))
        } perform: { server in
            try await withFaultProxy(to: server.port) { proxy in
                var configuration = HTTPTransportConfiguration.impatient
                configuration.workPatience = 1_000
                proxy.fault = Fault(.stall, .answer, after: 50_000)
                try await withTransport(kind, configuration) { transport async throws in
                    let method = try #require(HTTPRequest.Method("PROPFIND"))
                    let code = await failureCode { _ = try await transport.text(method, proxy.url(like: server.url)) }
                    #expect(code == .timedOut)
                }
            }
        }
    }

    @Test(
        "works again after every fault, and leaves no connection",
        .timeLimit(.minutes(30)),
        arguments: [TransportKind.nio],
        [false, true]
    )
    func worksAgain(kind: TransportKind, afterTimeOut: Bool) async throws {
        let text = String(repeating: "x", count: 100_000)
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok, text: text)
        } perform: { server in
            try await withFaultProxy(to: server.port) { proxy in
                let url = proxy.url(like: server.url)
                try await withTransport(kind, afterTimeOut ? .impatient : .patient) { transport async throws in
                    var faults: [(Fault, URLError.Code)] = [
                        (.cutAnswer(after: 50_000), .networkConnectionLost),
                        (Fault(.reset, .answer, after: 50_000), .networkConnectionLost),
                        (.nonsense, .cannotParseResponse),
                    ]
                    if kind.survivesCutHeads {
                        faults += [
                            (.cutAnswer(after: 0), .networkConnectionLost),
                            (.cutRequest(after: 0), .networkConnectionLost),
                            (.cutRequest(after: 20), .networkConnectionLost),
                            (.silence, .timedOut),
                            (Fault(.stall, .answer, after: 50_000), .timedOut),
                        ]
                    }
                    for (fault, code) in faults where (code == .timedOut) == afterTimeOut {
                        proxy.fault = fault
                        #expect(await failureCode { _ = try await transport.text(.get, url) } == code, "\(fault)")
                        proxy.fault = nil
                        // A connection of before may have been broken by the fault.
                        let again = await failure { _ = try await transport.text(.get, url) }
                        #expect(again == nil || again is StaleConnectionError, "\(fault)")
                        #expect(try await transport.text(.get, url) == text, "\(fault)")
                    }
                }
                try await until("all connections are closed") { server.openConnectionCount == 0 }
            }
        }
    }
}

extension HTTPTransportConfiguration {
    /// For tests of servers that never answer.
    static var impatient: HTTPTransportConfiguration {
        var configuration = HTTPTransportConfiguration()
        (configuration.idleTimeout, configuration.workPatience) = (.seconds(8), 1)
        return configuration
    }
}

extension HTTPRequestBody {
    /// A body without an end, which counts how many bytes were made.
    static func endless(counting made: SharedValue<Int>) -> HTTPRequestBody {
        HTTPRequestBody(length: 1 << 40, isReplayable: false) {
            let chunk = ByteBuffer(repeating: 0, count: 64 << 10)
            return {
                made.value.withLock { $0 += chunk.readableBytes }
                return chunk
            }
        }
    }
}
