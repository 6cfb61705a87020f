import FerryLoopback
import NIOCore
import NIOPosix
import Synchronization

/// One client's connection through a ``FaultProxy``.
struct FaultLine: Sendable {
    private struct Struck: Error {}

    private let client: any Channel
    private let traffic: Shared<FaultTraffic>

    init(client: any Channel, traffic: Shared<FaultTraffic>) {
        self.client = client
        self.traffic = traffic
    }

    /// Passes bytes to and fro until one side has enough, or a fault strikes; then both connections are closed.
    ///
    /// - Parameter findPort: Tells the server's port once the client is read from.
    /// - Throws: The error that ends the connections.
    func run(to findPort: @Sendable () async throws -> Int) async throws {
        try await withConnection(client, sending: ByteBuffer.self) { fromClient, _ in
            let port = try await findPort()
            // Wrapped before it is connected: what a server sends and closes at once would else reach nobody.
            let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            try await server.executeThenClose { fromServer, _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await pass(fromClient, to: server.channel, .request) }
                    group.addTask { try await pass(fromServer, to: client, .answer) }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func pass(
        _ bytes: NIOAsyncChannelInboundStream<ByteBuffer>,
        to channel: any Channel,
        _ direction: Fault.Direction
    ) async throws {
        var already = 0
        for try await var chunk in bytes {
            let (count, effect) = traffic.value.withLock { traffic in
                traffic.pass(chunk.readableBytes, direction, already: already)
            }
            already += count
            if let allowed = chunk.readSlice(length: count), count > 0 {
                // Waits until the system has taken them: so what has passed has passed, and nothing piles up here.
                try await channel.writeAndFlush(allowed)
            }
            if let effect { try await strike(effect) }
        }
    }

    private func strike(_ effect: Fault.Effect) async throws {
        switch effect {
        case .cut: break
        case .reset: try await client.closeWithReset()
        case .garbage(let bytes): try await client.writeAndFlush(bytes)
        case .stall: await untilCancelled()
        }
        throw Struck()
    }
}
