import NIOCore
import NIOPosix

/// A listener on 127.0.0.1 that accepts no connection and has room for none, so that a client that connects has to wait.
public final class FullListener: Sendable {
    /// The port.
    public let port: Int

    private let channels: [any Channel]

    private init(port: Int, channels: [any Channel]) {
        (self.port, self.channels) = (port, channels)
    }

    /// Listens, and fills the queue of connections that wait to be accepted.
    ///
    /// - Returns: The listener; end it with ``close()``.
    /// - Throws: `IOError` if there is no port.
    public static func start() async throws -> FullListener {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        var channels: [any Channel] = [listener]
        // Linux lets one more wait than the backlog says.
        for _ in 0..<2 {
            channels.append(try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get())
        }
        return FullListener(port: port, channels: channels)
    }

    /// Ends it.
    public func close() async {
        for channel in channels { try? await channel.close() }
    }
}
