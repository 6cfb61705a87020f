import FerryLoopback
public import Foundation
import NIOCore
import Synchronization

/// A server on a free port of 127.0.0.1 that says what a test tells it, byte by byte.
///
/// ```swift
/// let server = try await RawServer.start(answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
/// ```
public final class RawServer: Sendable {
    /// The port it listens on.
    public let port: Int

    private let counter: Shared<Int>
    private let listening: Task<Void, Never>

    private init(port: Int, counter: Shared<Int>, listening: Task<Void, Never>) {
        self.port = port
        self.counter = counter
        self.listening = listening
    }

    deinit {
        listening.cancel()
    }

    /// Its URL for HTTP, which ends in `/`.
    public var url: URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", port, "/")
        return parts.url ?? URL(filePath: "/")
    }

    /// How many connections were made so far.
    public var connectionCount: Int { counter.value.withLock { $0 } }

    /// Starts a server that talks with each client.
    ///
    /// - Parameter talk: The work with a connection, which is closed when this returns or throws.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(_ talk: @escaping @Sendable (RawConnection) async throws -> Void) async throws -> RawServer
    {
        let early = Shared<[ObjectIdentifier: EarlyBytes]>([:])
        let listener = try await LoopbackListener { channel in
            let bytes = EarlyBytes()
            try channel.pipeline.syncOperations.addHandler(bytes)
            early.value.withLock { $0[ObjectIdentifier(channel)] = bytes }
        }
        let counter = Shared(0)
        // It lives until `stop`, which ends this task and all that it has started.
        let listening = Task {
            await listener.serve { client in
                let number = counter.value.withLock { counter in
                    counter += 1
                    return counter
                }
                let early = early.value.withLock { $0.removeValue(forKey: ObjectIdentifier(client)) }
                do {
                    try await withConnection(client, sending: ByteBuffer.self) { inbound, _ in
                        let unread = early?.take() ?? ByteBuffer()
                        try await talk(
                            RawConnection(
                                number: number,
                                channel: client,
                                unread: unread,
                                inbound: inbound.makeAsyncIterator()
                            )
                        )
                    }
                } catch ChannelError.alreadyClosed {
                    // It said something, and was gone before anybody looked.
                    guard let unread = early?.take(), unread.readableBytes > 0 else { return }
                    try await talk(RawConnection(number: number, channel: client, unread: unread, inbound: nil))
                }
            }
        }
        return RawServer(port: listener.port, counter: counter, listening: listening)
    }

    /// Starts a server that reads the head of a request, says something, and closes the connection.
    ///
    /// - Parameters:
    ///   - answer: The bytes to answer, as text.
    ///   - staysOpen: `true` if it leaves the connection open until the client closes it.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(answering answer: String, staysOpen: Bool = false) async throws -> RawServer {
        try await start { connection in
            try await connection.readHead()
            try await connection.write(answer)
            if staysOpen { try await connection.readToEnd() }
        }
    }

    /// Stops listening, and closes all connections; returns when that is done.
    public func stop() async {
        listening.cancel()
        await listening.value
    }
}

/// Starts a server that talks with each client, for as long as the test needs it.
///
/// - Parameters:
///   - talk: The work with a connection, which is closed when this returns or throws.
///   - body: The work with the server.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws, or the error that keeps the server from listening.
public func withRawServer<Result>(
    _ talk: @escaping @Sendable (RawConnection) async throws -> Void,
    perform body: (RawServer) async throws -> Result
) async throws -> Result {
    try await withServer(RawServer.start(talk), stop: { await $0.stop() }, body)
}
