import NIOCore
import NIOPosix
import Synchronization

/// State that a server and its connections share.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// Listens on 127.0.0.1, and serves connections for as long as its task goes on.
struct Listener: Sendable {
    /// The port it listens on.
    var port: Int { channel.channel.localAddress?.port ?? 0 }

    private let channel: NIOAsyncChannel<any Channel, Never>
    private let accepted: AcceptedConnections

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: Where; 0 for any port that is free.
    ///   - reusesAddress: `true` if old connections of the port are ignored.
    ///   - prepare: Adds to a connection's pipeline what it needs; on its event loop.
    /// - Throws: The error that keeps it from listening.
    init(
        port: Int = 0,
        reusesAddress: Bool = false,
        preparing prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws {
        let accepted = AcceptedConnections()
        self.accepted = accepted
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
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

    /// Accepts connections until the task is cancelled; then closes them all, those also that nobody has served yet.
    ///
    /// - Parameter connected: The work with each; an error that it throws ends that connection only.
    func serve(_ connected: @escaping @Sendable (any Channel) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            // A listener that can't go on has no one to tell but the clients, who see it.
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
}

/// The connections of a listener that are open.
private final class AcceptedConnections: Sendable {
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

/// Reads a connection, and closes it in the end.
///
/// Only now is the channel wrapped, and read from: a wrapped one that nobody gets to serve would end the process.
///
/// - Parameters:
///   - channel: A connection whose `autoRead` is off.
///   - out: The type of values that are written to it.
///   - body: The work with what comes.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws; `ChannelError` when the connection is closed already.
func withConnection<In: Sendable, Out: Sendable, Result: Sendable>(
    _ channel: any Channel,
    sending out: Out.Type,
    _ body: (NIOAsyncChannelInboundStream<In>) async throws -> Result
) async throws -> Result {
    let wrapped = try await channel.eventLoop.submit {
        do {
            guard channel.isActive else { throw ChannelError.alreadyClosed }
            return try NIOAsyncChannel<In, Out>(wrappingChannelSynchronously: channel)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }.get()
    return try await wrapped.executeThenClose { inbound, _ in
        // One that is closed already may have brought something before.
        try? await channel.setOption(.autoRead, value: true).get()
        return try await body(inbound)
    }
}

/// Stops a server after `body`, whatever that did.
func withServer<Server, Result>(
    _ server: Server,
    stop: (Server) async -> Void,
    _ body: (Server) async throws -> Result
) async throws -> Result {
    do {
        let result = try await body(server)
        await stop(server)
        return result
    } catch {
        await stop(server)
        throw error
    }
}
