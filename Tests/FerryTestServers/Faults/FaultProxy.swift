import FerryLoopback
public import Foundation
import NIOCore
import Synchronization

/// A line to a server that fails on demand: it stands on a port of its own, and passes bytes to and fro.
///
/// ```swift
/// let proxy = try await FaultProxy.start(to: server.port)
/// // … a provider whose base URL is proxy.url(like: server.url) …
/// proxy.fault = .cutAnswer(after: 10_000, times: 1)
/// ```
public final class FaultProxy: Sendable {
    /// The port that clients connect to; it stays ours even while nobody listens on it.
    public var port: Int { reserved.port }

    private let reserved: ReservedPort
    /// The server's port; `nil` if each client says itself whom it wants.
    private let target: Int?
    /// The size of the send buffer towards a client, in bytes; `nil` for the system's choice, which grows.
    private let sendBuffer: Int?
    private let traffic = Shared(FaultTraffic())
    private let listening = Mutex<Task<Void, Never>?>(nil)
    private let clients = Shared((open: 0, most: 0))

    private init(to target: Int?, sendBuffer: Int? = nil) throws {
        self.target = target
        self.sendBuffer = sendBuffer
        reserved = try ReservedPort()
    }

    deinit {
        listening.withLock { $0?.cancel() }
    }

    /// Starts a proxy, without a fault.
    ///
    /// - Parameter target: The server's port on 127.0.0.1.
    /// - Returns: The proxy, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(to target: Int) async throws -> FaultProxy {
        let proxy = try FaultProxy(to: target)
        try await proxy.listen()
        return proxy
    }

    /// Starts a proxy that connects each client to the port of 127.0.0.1 that it asks for, by SOCKS 5 or HTTP's `CONNECT`:
    /// for protocols with several connections.
    ///
    /// - Parameter sendBuffer: The size of the send buffer towards a client, in bytes; `nil` for the system's choice.
    /// - Returns: The proxy, listening.
    /// - Throws: The error that keeps it from listening.
    public static func startForwarding(sendBuffer: Int? = nil) async throws -> FaultProxy {
        let proxy = try FaultProxy(to: nil, sendBuffer: sendBuffer)
        try await proxy.listen()
        return proxy
    }

    /// The server's URL, by way of the proxy.
    ///
    /// - Parameter url: The server's own URL.
    /// - Returns: The same, with the proxy's port.
    public func url(like url: URL) -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.port = port
        return parts?.url ?? url
    }

    /// The fault that is switched on, if any.
    ///
    /// Setting it starts counting anew. What has been stalled stays so.
    public var fault: Fault? {
        get { traffic.value.withLock(\.fault) }
        set { traffic.value.withLock { $0.setFault(newValue) } }
    }

    /// How often a fault has struck so far.
    public var strikeCount: Int { traffic.value.withLock(\.strikeCount) }

    /// How many connections were made so far.
    public var connectionCount: Int { traffic.value.withLock(\.connectionCount) }

    /// How many connections there were at the same time, at most.
    public var mostConnections: Int { clients.value.withLock(\.most) }

    /// How many bytes were passed on so far to the server.
    public var requestByteCount: Int { traffic.value.withLock { $0.passed[.request, default: 0] } }

    /// How many bytes were passed on so far from the server.
    public var answerByteCount: Int { traffic.value.withLock { $0.passed[.answer, default: 0] } }

    /// Listens, again after ``stopListening()``.
    ///
    /// - Throws: The error that keeps it from listening.
    public func listen() async throws {
        await stopListening()
        let (target, sendBuffer, traffic, clients) = (target, sendBuffer, traffic, clients)
        // A program that a test starts at this moment holds copies of all descriptors until it runs: also of the socket
        // that has just been closed.
        let listener = try await untilFound("a port that is free again") {
            do {
                return try await LoopbackListener(port: port, reusesAddress: true) { channel in
                    if let sendBuffer {
                        let size = SocketOptionValue(sendBuffer)
                        try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: size)
                    }
                    guard target == nil else { return }
                    try channel.pipeline.syncOperations.addHandler(ProxyHandshake(channel.eventLoop))
                }
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                return nil
            }
        }
        // It lives until `stopListening`, which ends this task and all that it has started.
        let task = Task {
            await listener.serve { client in
                traffic.value.withLock { $0.connectionCount += 1 }
                clients.value.withLock { clients in
                    clients.open += 1
                    clients.most = max(clients.most, clients.open)
                }
                defer { clients.value.withLock { $0.open -= 1 } }
                try await FaultLine(client: client, traffic: traffic).run {
                    if let target { return target }
                    return try await client.eventLoop.flatSubmit {
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.handler(type: ProxyHandshake.self).port.futureResult
                        }
                    }.get().get()
                }
            }
        }
        listening.withLock { $0 = task }
    }

    /// Closes all connections and stops listening, so that clients are refused; returns when that is done.
    public func stopListening() async {
        let task = listening.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    /// Closes all connections, and goes on listening.
    ///
    /// - Throws: The error that keeps it from listening.
    public func cutAll() async throws {
        try await listen()
    }

    /// Closes all connections and stops listening; returns when that is done.
    public func stop() async {
        await stopListening()
    }
}

/// Puts a proxy between a test and a server, for as long as the test needs it.
///
/// - Parameters:
///   - port: The server's port on 127.0.0.1.
///   - body: The work with the proxy.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws, or the error that keeps the proxy from listening.
public func withFaultProxy<Result>(
    to port: Int,
    perform body: (FaultProxy) async throws -> Result
) async throws -> Result {
    try await withServer(FaultProxy.start(to: port), stop: { await $0.stop() }, body)
}
