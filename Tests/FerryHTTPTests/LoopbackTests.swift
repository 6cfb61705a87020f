import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("What tests talk to")
struct LoopbackTests {
    @Test("a request reaches the loopback server, and its answer comes back")
    func echo() async throws {
        let server = try await LoopbackServer.start { request in
            LoopbackAnswer(.ok, body: request.body)
        }
        let transport = NIOTransport()
        let origin = try #require(HTTPOrigin(server.url))
        let reply = try await transport.send(origin.request(.put, "/a"), body: HTTPRequestBody("hello"))
        #expect(reply.status == .ok)
        #expect(try await reply.body.collect(upTo: 100) == Data("hello".utf8))
        await transport.shutdown()
        await server.stop()
    }
}
