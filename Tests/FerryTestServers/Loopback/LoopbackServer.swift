import FerryLoopback
public import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// An HTTP/1.1 server in this process, on a free port of 127.0.0.1: a test says what it answers.
///
/// ```swift
/// try await withLoopbackServer { request in
///     LoopbackAnswer(.ok, text: "hello")
/// } perform: { server in
///     // … requests to server.url …
///     #expect(server.requests.map(\.method) == [.get])
/// }
/// ```
public final class LoopbackServer: Sendable {
    /// Says what to answer to a whole request; throwing closes the connection without an answer.
    public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackAnswer

    /// Says what to answer to a request whose body it reads as it arrives, or doesn't; throwing closes the connection.
    public typealias StreamingHandler = @Sendable (LoopbackStreamedRequest) async throws -> LoopbackAnswer

    private struct State {
        var requests: [HTTPRequest] = []
        var connectionCount = 0
        var openConnectionCount = 0
    }

    /// The port it listens on.
    public let port: Int

    private let scheme: String
    private let state: Shared<State>
    private let listening: Task<Void, Never>

    private init(port: Int, scheme: String, state: Shared<State>, listening: Task<Void, Never>) {
        self.port = port
        self.scheme = scheme
        self.state = state
        self.listening = listening
    }

    deinit {
        listening.cancel()
    }

    /// Its URL, which ends in `/`.
    public var url: URL { url(host: "127.0.0.1") }

    /// Its URL by another of its names, such as `localhost`.
    ///
    /// - Parameter host: A name of 127.0.0.1.
    /// - Returns: The URL, which ends in `/`.
    public func url(host: String) -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port, parts.path) = (scheme, host, port, "/")
        return parts.url ?? URL(filePath: "/")
    }

    /// The heads of all requests that came so far, in order.
    public var requests: [HTTPRequest] { state.value.withLock(\.requests) }

    /// How many connections were made so far.
    public var connectionCount: Int { state.value.withLock(\.connectionCount) }

    /// How many connections are open now.
    public var openConnectionCount: Int { state.value.withLock(\.openConnectionCount) }

    /// Forgets what ``requests`` and ``connectionCount`` tell.
    public func forget() {
        state.value.withLock { state in
            state.requests = []
            state.connectionCount = 0
        }
    }

    /// Starts a server that reads a request before it answers.
    ///
    /// - Parameters:
    ///   - tls: How it speaks TLS; `nil` for plain HTTP.
    ///   - handler: Says what to answer.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(tls: LoopbackTLS? = nil, _ handler: @escaping Handler) async throws -> LoopbackServer {
        try await startStreaming(tls: tls) { request in
            let body = try await request.collect()
            return try await handler(LoopbackRequest(head: request.head, body: body))
        }
    }

    /// Starts a server that can answer before it has read a request.
    ///
    /// - Parameters:
    ///   - tls: How it speaks TLS; `nil` for plain HTTP.
    ///   - handler: Says what to answer.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func startStreaming(
        tls: LoopbackTLS? = nil,
        _ handler: @escaping StreamingHandler
    ) async throws -> LoopbackServer {
        let context = try tls?.context
        let listener = try await LoopbackListener { channel in
            let pipeline = channel.pipeline.syncOperations
            if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: true)
        }
        let scheme = context == nil ? "http" : "https"
        let state = Shared(State())
        // The server lives until `stop`, which ends this task and all that it has started.
        let listening = Task {
            await listener.serve { channel in
                state.value.withLock { state in
                    state.connectionCount += 1
                    state.openConnectionCount += 1
                }
                defer { state.value.withLock { $0.openConnectionCount -= 1 } }
                try await withConnection(channel, sending: HTTPServerResponsePart.self) { inbound, _ in
                    let connection = LoopbackConnection(inbound.makeAsyncIterator(), channel, scheme: scheme)
                    try await connection.run(handler) { request in
                        state.value.withLock { $0.requests.append(request) }
                    }
                }
            }
        }
        return LoopbackServer(port: listener.port, scheme: scheme, state: state, listening: listening)
    }

    /// Stops listening, and closes all connections; returns when that is done.
    public func stop() async {
        listening.cancel()
        await listening.value
    }
}

/// Starts a server for as long as the test needs it.
///
/// - Parameters:
///   - tls: How it speaks TLS; `nil` for plain HTTP.
///   - handler: Says what to answer.
///   - body: The work with the server.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws, or the error that keeps the server from listening.
public func withLoopbackServer<Result>(
    tls: LoopbackTLS? = nil,
    _ handler: @escaping LoopbackServer.Handler,
    perform body: (LoopbackServer) async throws -> Result
) async throws -> Result {
    try await withServer(LoopbackServer.start(tls: tls, handler), stop: { await $0.stop() }, body)
}

/// Starts a server that can answer before it has read a request, for as long as the test needs it.
///
/// - Parameters:
///   - tls: How it speaks TLS; `nil` for plain HTTP.
///   - handler: Says what to answer.
///   - body: The work with the server.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws, or the error that keeps the server from listening.
public func withStreamingLoopbackServer<Result>(
    tls: LoopbackTLS? = nil,
    _ handler: @escaping LoopbackServer.StreamingHandler,
    perform body: (LoopbackServer) async throws -> Result
) async throws -> Result {
    try await withServer(LoopbackServer.startStreaming(tls: tls, handler), stop: { await $0.stop() }, body)
}
