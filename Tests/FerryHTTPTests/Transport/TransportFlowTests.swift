import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("With large bodies, a transport")
struct TransportFlowTests {
    /// The bytes that may be between both ends at once: in our buffers, the server's, and the system's sockets.
    private static let buffers = 48 << 20

    @Test("asks for a body only as fast as the server takes it", arguments: [TransportKind.nio])
    func slowServer(kind: TransportKind) async throws {
        let made = SharedValue(0)
        let total = 128 << 20
        try await withStreamingLoopbackServer { request in
            var taken = 0
            while let chunk = try await request.nextChunk() {
                taken += chunk.readableBytes
                let ahead = made.value.withLock { $0 } - taken
                guard ahead < Self.buffers else { return LoopbackAnswer(.init(code: 500), text: "\(ahead) ahead") }
            }
            return LoopbackAnswer(.ok, text: "\(taken)")
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let reply = try await transport.send(.put, server.url, body: .counted(made, total: total))
                #expect(try await reply.body.collect(upTo: 100) == Data("\(total)".utf8))
            }
        }
    }

    @Test("makes no more of a body than a server takes that takes nothing", arguments: [TransportKind.nio])
    func blockedServer(kind: TransportKind) async throws {
        let made = SharedValue(0)
        try await withRawServer { connection in
            try await connection.readHead()
            await connection.hold()
        } perform: { server in
            try await withTransport(kind, .impatient) { transport async throws in
                // It goes on until the time-out: what was made until then is what fits between both ends.
                _ = await failure {
                    _ = try await transport.send(.put, server.url, body: .counted(made, total: 1 << 30))
                }
                #expect(made.value.withLock { $0 } < Self.buffers)
            }
        }
    }

    @Test("reads an answer only as fast as it is taken", arguments: [TransportKind.nio])
    func slowReader(kind: TransportKind) async throws {
        let made = SharedValue(0)
        let total = 128 << 20
        try await withLoopbackServer { _ in
            let source = try await HTTPRequestBody.counted(made, total: total).makeSource()
            return LoopbackAnswer(.ok, fields: [.contentLength: "\(total)"], chunks: source)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let reply = try await transport.send(.get, server.url)
                var (taken, ahead) = (0, 0)
                for try await chunk in reply.body {
                    taken += chunk.readableBytes
                    ahead = max(ahead, made.value.withLock { $0 } - taken)
                }
                #expect(ahead < Self.buffers)
                #expect(taken == total)
            }
        }
    }

    @Test("lets a server take its time for what makes it work, and for nothing else", arguments: TransportKind.allCases)
    func work(kind: TransportKind) async throws {
        let (working, isTimedOut) = (SharedValue(0), SharedValue(false))
        try await withLoopbackServer { request in
            // What is no work gets no answer at all.
            if request.head.method == .get { await untilCancelled() }
            working.value.withLock { $0 += 1 }
            try await until("the request that is no work has timed out") { isTimedOut.value.withLock { $0 } }
            return LoopbackAnswer(.ok)
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            (configuration.idleTimeout, configuration.workPatience) = (.seconds(8), 20)
            try await withTransport(kind, configuration) { transport async throws in
                let url = server.url
                async let listing = transport.send(HTTPRequest.Method("PROPFIND") ?? .get, url)
                async let upload = transport.send(.put, url, body: HTTPRequestBody(Data(count: 9 << 20)))
                // Begun last, it times out when both of the others have been waited for longer.
                try await until("the server works") { working.value.withLock { $0 == 2 } }
                let answer = await failure { _ = try await transport.send(.get, url) }
                #expect((answer as? URLError)?.code == .timedOut)
                isTimedOut.value.withLock { $0 = true }
                #expect(try await listing.status == .ok)
                #expect(try await upload.status == .ok)
            }
        }
    }

    @Test("lets its reader and its body's maker take their time", arguments: [TransportKind.nio])
    func slowness(kind: TransportKind) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, body: request.body)
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            // The server's own turns must not take as long.
            configuration.idleTimeout = .seconds(Sweep.isDeep ? 20 : 10)
            let longer = configuration.idleTimeout * 5 / 4
            try await withTransport(kind, configuration) { transport async throws in
                let isFirst = SharedValue(true)
                let body = HTTPRequestBody(length: 2 << 20, isReplayable: false) {
                    {
                        // Longer than the time-out: but it is we who let the server wait.
                        if isFirst.value.withLock({ $0.exchange(false) }) {
                            try await Task.sleep(for: longer)
                        }
                        return ByteBuffer(repeating: 1, count: 1 << 20)
                    }
                }
                let reply = try await transport.send(.put, server.url, body: body)
                var count = 0
                for try await chunk in reply.body {
                    if count == 0 { try await Task.sleep(for: longer) }
                    count += chunk.readableBytes
                }
                #expect(count == 2 << 20)
            }
        }
    }

    @Test(
        "closes the connection of an answer that nobody reads on",
        .timeLimit(.minutes(30)),
        arguments: TransportKind.allCases
    )
    func abandoned(kind: TransportKind) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok) { ByteBuffer(repeating: 0, count: 64 << 10) }
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                for _ in 0..<20 {
                    let reply = try await transport.send(.get, server.url)
                    var iterator = reply.body.makeAsyncIterator()
                    _ = try await iterator.next()
                }
                try await until("all connections are closed") { server.openConnectionCount == 0 }
            }
        }
    }

    @Test("stops asking for a body when the answer is complete", arguments: [TransportKind.nio])
    func earlySuccess(kind: TransportKind) async throws {
        let source = SharedValue<Bool?>(nil)
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await connection.hold()
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let (ended, end) = AsyncStream<Void>.makeStream()
                let body = HTTPRequestBody(length: 10, isReplayable: false) {
                    {
                        // It waits for ever, unless it is cancelled.
                        for await _ in AsyncStream<Never>.makeStream().stream {}
                        source.value.withLock { $0 = Task.isCancelled }
                        end.finish()
                        return nil
                    }
                }
                let reply = try await transport.send(.put, server.url, body: body)
                #expect(try await reply.body.collect(upTo: 10) == Data("ok".utf8))
                for await _ in ended {}
                #expect(source.value.withLock { $0 } == true)
            }
        }
    }
}

extension HTTPRequestBody {
    /// A body of zeros, which counts how many bytes were made.
    static func counted(_ made: SharedValue<Int>, total: Int) -> HTTPRequestBody {
        HTTPRequestBody(length: Int64(total), isReplayable: false) {
            let chunk = ByteBuffer(repeating: 0, count: 256 << 10)
            return {
                made.value.withLock { made in
                    guard made < total else { return nil }
                    made += chunk.readableBytes
                    return chunk
                }
            }
        }
    }
}
