import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite("A transport on SwiftNIO")
struct NIOTransportTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    @Test(
        "takes no answer that could be read in two ways",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n c: d\r\nContent-Length: 5\r\n\r\nhello",
        ]
    )
    func ambiguous(answer: String) async throws {
        let server = try await RawServer.start(answering: answer, staysOpen: true)
        try await withTransport { transport async throws in
            #expect(await failureCode { _ = try await transport.text(.get, server.url) } == .cannotParseResponse)
        }
        await server.stop()
    }

    @Test("sends head and small body in one piece")
    func onePiece() async throws {
        let pieces = SharedValue<[String]>([])
        try await withRawServer { connection in
            let piece = try await connection.read().map { String(buffer: $0) } ?? ""
            pieces.value.withLock { $0.append(piece) }
            try await connection.write(Self.answer)
        } perform: { server in
            try await withTransport { transport async throws in
                #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("small")) == "hello")
            }
        }
        #expect(pieces.value.withLock { $0 }.first?.hasSuffix("Content-Length: 5\r\n\r\nsmall") == true)
    }

    @Test("sends no path that is more than one word")
    func path() async throws {
        try await withTransport { transport async throws in
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            for path in ["/a b", "/a\r\nB: c", "/a\0b"] {
                #expect(await failureCode { _ = try await transport.send(.get, url, path) } == .badURL)
            }
        }
    }

    @Test("waits with a body until the server wants it, or has said nothing for a second", arguments: [true, false])
    func expectation(isAsked: Bool) async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            if isAsked { try await connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
            let body = try await connection.read(count: 5)
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\(String(buffer: body))")
        } perform: { server in
            try await withTransport { transport async throws in
                let fields: HTTPFields = [.expect: "100-continue"]
                let body = HTTPRequestBody.pieces(["hel", "lo"], length: 5)
                let reply = try await transport.send(.put, server.url, fields: fields, body: body)
                #expect(try await reply.body.collect(upTo: 10) == Data("hello".utf8))
            }
        }
    }

    @Test("makes no body for a server that doesn't want it")
    func unwanted() async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            try await connection.readToEnd()
        } perform: { server in
            var configuration = HTTPTransportConfiguration.patient
            configuration.continueTimeout = .seconds(3_600)
            try await withTransport(.nio, configuration) { transport async throws in
                let made = SharedValue(0)
                let fields: HTTPFields = [.expect: "100-continue"]
                let reply = try await transport.send(.put, server.url, fields: fields, body: .endless(counting: made))
                #expect(reply.status == .unauthorized)
                #expect(made.value.withLock { $0 } == 0)
            }
        }
    }

    @Test("takes no reset for the end of an answer without a length, while it sends")
    func resetWhileSending() async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhel")
            try await connection.reset()
        } perform: { server in
            try await withTransport { transport async throws in
                for _ in 0..<200 {
                    let made = SharedValue(0)
                    let error = await failure {
                        let reply = try await transport.send(.put, server.url, body: .endless(counting: made))
                        _ = try await reply.body.collect(upTo: 10)
                    }
                    #expect(error != nil)
                }
            }
        }
    }

    @Test("drops the connections that rest when the server has closed one of them")
    func idleClosed() async throws {
        let limit = 4
        let arrived = SharedValue(0)
        try await withRawServer { connection in
            try await connection.readHead()
            arrived.value.withLock { $0 += 1 }
            // All at once, so that each needs a connection.
            try await until("all have come") { arrived.value.withLock { $0 } >= limit }
            try await connection.write(Self.answer)
            // Closed when the next request comes, without a word.
            if connection.number <= limit { try await connection.readHead() }
        } perform: { server in
            var configuration = HTTPTransportConfiguration.patient
            configuration.maximumConnectionsPerHost = limit
            try await withTransport(.nio, configuration) { transport async throws in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<limit { group.addTask { _ = try await transport.text(.get, server.url) } }
                    try await group.waitForAll()
                }
                let error = await failure { _ = try await transport.text(.get, server.url) }
                #expect(error is StaleConnectionError)
                #expect(try await transport.text(.get, server.url) == "hello")
            }
        }
    }

    @Test("closes a connection that rests before the server would", .timeLimit(.minutes(30)))
    func keepAlive() async throws {
        let (closed, closing) = AsyncStream<Void>.makeStream()
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2, max=100\r\nContent-Length: 5\r\n\r\nhello"
            )
            try await connection.readToEnd()
            closing.yield()
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            configuration.keepAlive = .seconds(3600)
            try await withTransport(.nio, configuration) { transport async throws in
                #expect(try await transport.text(.get, server.url) == "hello")
                for await _ in closed { break }
            }
        }
    }

    @Test("drops a connection on which a server speaks unasked", .timeLimit(.minutes(30)))
    func unasked() async throws {
        let (closed, closing) = AsyncStream<Void>.makeStream()
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write(Self.answer)
            try await connection.write("HTTP/1.1 408 Request Timeout\r\n\r\n")
            try await connection.readToEnd()
            closing.yield()
        } perform: { server in
            try await withTransport { transport async throws in
                #expect(try await transport.text(.get, server.url) == "hello")
                for await _ in closed { break }
            }
        }
    }

    @Test("speaks through a socket of this machine")
    func unixSocket() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "ferry-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(component: "A.sock").path()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FixedAnswer(Self.answer))
                }
            }
            .bind(unixDomainSocketPath: path)
            .get()
        try await withTransport { transport async throws in
            let url = try #require(URL(string: "http+unix://\(path.replacing("/", with: "%2F"))/file"))
            #expect(try await transport.text(.get, url, "/file") == "hello")
        }
        try await listener.close()
    }

    @Test("waits for nobody when there are more requests than connections, and one of them is cancelled")
    func waiting() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        try await withRawServer { connection in
            try await connection.readHead()
            arrival.yield()
            await connection.hold()
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            configuration.maximumConnectionsPerHost = 1
            try await withTransport(.nio, configuration) { transport async throws in
                let first = Task { _ = try await transport.text(.get, server.url) }
                for await _ in arrived { break }
                let second = Task { _ = try await transport.text(.get, server.url) }
                second.cancel()
                #expect(await failure { try await second.value } is CancellationError)
                first.cancel()
                #expect(await failure { try await first.value } is CancellationError)
            }
        }
    }
}

/// Answers whatever comes first in the same way.
private final class FixedAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String

    init(_ answer: String) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
}
