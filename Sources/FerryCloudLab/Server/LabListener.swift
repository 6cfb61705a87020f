import NIOCore
import NIOPosix
import Synchronization

/// A listener on 127.0.0.1 that hands out connections, which nothing is read of before somebody serves them.
///
/// A connection is not wrapped in a `NIOAsyncChannel` before that: a wrapped one that nobody gets to serve, since the
/// listener stops just then, would end the process.
struct LabListener: Sendable {
    /// The port it listens on.
    var port: Int { channel.channel.localAddress?.port ?? 0 }

    private let channel: NIOAsyncChannel<any Channel, Never>
    private let open = OpenConnections()

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the kernel choose.
    ///   - prepare: Adds handlers to a connection's pipeline; called on its event loop.
    /// - Throws: An `IOError` if the port can't be had.
    init(port: Int, preparing prepare: @escaping @Sendable (any Channel) throws -> Void) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: port) { [open] channel in
                open.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    return channel
                }
            }
    }

    /// Hands out connections until the task is cancelled; then closes them all, those also that nobody has served yet.
    ///
    /// - Parameter serve: Serves a connection; an error that it throws ends that connection only.
    func run(serving serve: @escaping @Sendable (any Channel) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            // A listener that fails has nobody to report it to: clients see the connection end.
            try? await channel.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { try? await serve(connection) }
                }
            }
            open.closeAll()
            group.cancelAll()
        }
    }

    /// Stops listening without having served.
    func close() async {
        // An error while closing leaves nothing to be done.
        try? await channel.executeThenClose { _ in }
        open.closeAll()
    }
}

/// The connections of a listener that are open.
private final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let isOpen = channels.withLock { channels in
            channels?[key] = channel
            return channels != nil
        }
        guard isOpen else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.channels.withLock { _ = $0?.removeValue(forKey: key) }
        }
    }

    /// Closes all there are, and those that come later.
    func closeAll() {
        let all = channels.withLock { $0.take() } ?? [:]
        for channel in all.values { channel.close(promise: nil) }
    }
}
