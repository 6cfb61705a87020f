import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@Suite("Servers that fail on demand")
struct FaultServerTests {
    @Test("a proxy without a fault passes everything on, and counts it")
    func passes() async throws {
        try await withLine { transport, proxy, origin in
            let reply = try await transport.send(origin.request(.put, "/a"), body: HTTPRequestBody("hello"))
            #expect(try await reply.body.collect(upTo: 100) == Data("hello".utf8))
            #expect(proxy.requestByteCount > 5)
            #expect(proxy.answerByteCount > 5)
            #expect(proxy.strikeCount == 0)
        }
    }

    @Test("a cut strikes as often as it should, and then never again")
    func strikes() async throws {
        try await withLine { transport, proxy, origin in
            proxy.fault = .cutAnswer(after: 10, times: 2)
            for _ in 0..<2 {
                await #expect(throws: (any Error).self) {
                    try await transport.send(origin.request(.get, "/"), body: nil)
                }
            }
            let reply = try await transport.send(origin.request(.get, "/"), body: nil)
            #expect(reply.status == .ok)
            #expect(proxy.strikeCount == 2)
            #expect(proxy.connectionCount == 3)
        }
    }

    @Test("a server that is stopped while connections come to it ends, and closes them all")
    func stoppedInBetween() async throws {
        for _ in 0..<20 {
            let server = try await RawServer.start(answering: "never")
            let url = server.url
            try await withTransport { transport async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            let error = await failure { _ = try await transport.text(.get, url) }
                            #expect(error != nil)
                        }
                    }
                    group.addTask { await server.stop() }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("who has stopped listening can listen again on the same port")
    func listensAgain() async throws {
        try await withLine { transport, proxy, origin in
            for _ in 0..<3 {
                let reply = try await transport.send(origin.request(.get, "/"), body: nil)
                #expect(reply.status == .ok)
                await proxy.stopListening()
                await #expect(throws: (any Error).self) {
                    try await transport.send(origin.request(.get, "/"), body: nil)
                }
                try await proxy.listen()
            }
        }
    }

    @Test("a raw server says word for word what it was told")
    func raw() async throws {
        try await withRawServer { connection in
            try await connection.readHead()
            try await connection.write("HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nok")
        } perform: { server in
            try await withTransport { transport in
                let origin = try #require(HTTPOrigin(server.url))
                let reply = try await transport.send(origin.request(.get, "/"), body: nil)
                #expect(reply.status.code == 299)
                #expect(try await reply.body.collect(upTo: 2) == Data("ok".utf8))
            }
        }
    }

    private func withLine(
        _ body: (any HTTPTransport, FaultProxy, HTTPOrigin) async throws -> Void
    ) async throws {
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, body: request.body)
        } perform: { server in
            try await withFaultProxy(to: server.port) { proxy in
                let origin = try #require(HTTPOrigin(proxy.url(like: server.url)))
                try await withTransport { try await body($0, proxy, origin) }
            }
        }
    }
}
