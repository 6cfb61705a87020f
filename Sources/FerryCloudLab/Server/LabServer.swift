import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that hands requests to the services.
final class LabServer: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private typealias Listener = NIOAsyncChannel<Connection, Never>

    let port: Int
    private let listener: Listener
    private let listening = Mutex<Task<Void, Never>?>(nil)

    private init(port: Int, listener: Listener) {
        self.port = port
        self.listener = listener
    }

    deinit { listening.withLock { $0?.cancel() } }

    /// Takes a port; connections are made from now on, and answered once ``serve(_:)`` is called.
    ///
    /// - Parameter port: The port; 0 lets the kernel choose.
    /// - Returns: The server.
    /// - Throws: An `IOError` if the port can't be had.
    static func start(port: Int) async throws -> LabServer {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withPipeliningAssistance: false,
                        withErrorHandling: true
                    )
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        return LabServer(port: listener.channel.localAddress?.port ?? port, listener: listener)
    }

    /// Answers requests until ``stop()``, which ends the task and all that it has started.
    ///
    /// - Parameter dispatcher: The services.
    func serve(_ dispatcher: LabDispatcher) {
        let task = Task<Void, Never> { [listener] in
            // An error of the listener or of a connection ends only that: clients see the connection end.
            try? await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask {
                            try? await connection.executeThenClose { inbound, outbound in
                                try await LabConnection.serve(inbound, outbound, dispatcher)
                            }
                        }
                    }
                }
            }
        }
        listening.withLock { $0 = task }
    }

    /// Stops listening, and closes all connections.
    func stop() async {
        guard let task = listening.withLock({ $0 }) else {
            // It has never served: an error while closing leaves nothing to be done.
            try? await listener.executeThenClose { _ in }
            return
        }
        task.cancel()
        await task.value
    }
}
