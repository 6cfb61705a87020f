import FerryTestServers
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import FerryHTTP

@Suite("A connection that is watched")
struct HTTPLineTests {
    // AsyncHTTPClient hands a connection over when it is made, and asks nothing of it that we see before a byte comes: so
    // on a busy machine, where the handing over is late, nobody had told us that anything was read.
    @Test("only when reading has begun already, gives up on a silent server all the same", .timeLimit(.minutes(5)))
    func watchedLate() async throws {
        try await withRawServer { connection in
            await connection.hold()
        } perform: { server in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: server.port).get()
            let exchanges = HTTPExchanges()
            let number = exchanges.add(try await HTTPExchange(target: "/", body: nil))
            let line = HTTPLine(exchanges: exchanges, idleTimeout: .milliseconds(50), maximumHeaderSize: 1_000)
            let silence = channel.eventLoop.makePromise(of: Void.self)
            try await channel.eventLoop.flatSubmit {
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(FirstError(silence))
                }.flatMap { line.prepareConnection(channel) }
            }.get()
            let fields: HTTPHeaders = ["Host": "127.0.0.1", HTTPExchanges.field: "\(number)"]
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
            let error = await #expect(throws: URLError.self) { try await silence.futureResult.get() }
            #expect(error?.code == .timedOut)
            try await channel.close()
        }
    }
}

/// Tells the first error that comes by.
private final class FirstError: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
    }
}
