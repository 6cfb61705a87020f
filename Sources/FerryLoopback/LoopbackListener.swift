package import NIOCore
import NIOPosix

/// A listener on 127.0.0.1 that hands out connections, of which nothing is read before ``withConnection(_:sending:_:)``.
package struct LoopbackListener: Sendable {
    /// The port it listens on.
    package var port: Int { channel.channel.localAddress?.port ?? 0 }

    private let channel: NIOAsyncChannel<any Channel, Never>
    private let accepted: AcceptedConnections

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the kernel choose.
    ///   - reusesAddress: A Boolean value that indicates whether old connections of the port are ignored.
    ///   - prepare: Adds handlers to a connection's pipeline; called on its event loop.
    /// - Throws: An `IOError` if the port can't be had.
    package init(
        port: Int = 0,
        reusesAddress: Bool = false,
        preparing prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws {
        let accepted = AcceptedConnections()
        self.accepted = accepted
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: reusesAddress ? 1 : 0)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: port) { channel in
                accepted.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    return channel
                }
            }
    }

    /// Hands out connections until the task is cancelled; then closes them all, those also that nobody has served yet.
    ///
    /// - Parameter connected: Serves a connection; an error that it throws ends that connection only.
    package func serve(_ connected: @escaping @Sendable (any Channel) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            // A listener that fails has nobody to report it to: clients see the connection end.
            try? await channel.executeThenClose { connections in
                for try await connection in connections {
                    // A client that goes away, or a test that wants the connection gone, is nothing to report.
                    group.addTask { try? await connected(connection) }
                }
            }
            accepted.closeAll()
            group.cancelAll()
        }
    }

    /// Stops listening without having served.
    package func close() async {
        // An error while closing leaves nothing to be done.
        try? await channel.executeThenClose { _ in }
        accepted.closeAll()
    }
}
