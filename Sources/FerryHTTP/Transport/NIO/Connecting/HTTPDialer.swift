import FerryCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Makes connections to one origin: name, TCP (all addresses, RFC 8305), proxy and TLS.
struct HTTPDialer: Sendable {
    let endpoint: HTTPEndpoint
    let proxy: HTTPProxy?
    /// How long all of it may take.
    let timeout: TimeAmount
    let tls: TLSContextSource
    let settings: HTTPConnection.Settings

    /// Makes a connection.
    ///
    /// - Parameters:
    ///   - loop: Where it lives.
    ///   - pool: To whom it belongs.
    /// - Returns: The connection, ready for a request; or the error that a caller sees.
    func dial(on loop: any EventLoop, for pool: HTTPConnectionPool) -> EventLoopFuture<HTTPConnection.Handle> {
        let deadline = NIODeadline.now() + timeout
        return secrets(on: loop).flatMap { context in
            connect(on: loop).flatMap { channel in
                prepare(channel, context, until: deadline, for: pool)
            }
        }.flatMapErrorThrowing { throw TransportError.mapped($0, isOnLine: false) }
    }

    private func secrets(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext?> {
        endpoint.isSecure ? tls.context(on: loop).map { $0 } : loop.makeSucceededFuture(nil)
    }

    private func connect(on loop: any EventLoop) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(timeout)
            // Nothing is read before there is somebody to read it.
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A connection keeps as many buffers as it fills at a time: at 256 KiB each, one is enough.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 2 << 10, initial: 16 << 10, maximum: 256 << 10)
            )
            .channelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
        if let proxy { return connect(bootstrap, proxy.host, proxy.port) }
        switch endpoint.place {
        case .host(let host, let port): return connect(bootstrap, host, port)
        case .unix(let path): return bootstrap.connect(unixDomainSocketPath: path)
        }
    }

    private func connect(_ bootstrap: ClientBootstrap, _ host: String, _ port: Int) -> EventLoopFuture<any Channel> {
        // An address needs no thread that looks it up.
        if let address = try? SocketAddress(ipAddress: host, port: port) { return bootstrap.connect(to: address) }
        return bootstrap.connect(host: host, port: port)
    }

    /// Puts the handlers into a channel that is connected.
    private func prepare(
        _ channel: any Channel,
        _ context: NIOSSLContext?,
        until deadline: NIODeadline,
        for pool: HTTPConnectionPool
    ) -> EventLoopFuture<HTTPConnection.Handle> {
        let loop = channel.eventLoop
        let tunnel = loop.makePromise(of: Void.self)
        let ready = loop.makePromise(of: Void.self)
        do {
            if let negotiation {
                try channel.pipeline.syncOperations.addHandler(TunnelHandler(negotiation, opened: tunnel))
            } else {
                tunnel.succeed()
            }
        } catch {
            tunnel.fail(error)
        }
        let made = tunnel.futureResult.flatMapThrowing {
            let connection = HTTPConnection(settings: settings, pool: pool, ready: ready)
            let handle = HTTPConnection.Handle(connection, channel: channel)
            connection.handle = handle
            if let context {
                let secure = try NIOSSLClientHandler(context: context, serverHostname: endpoint.serverName)
                try channel.pipeline.syncOperations.addHandler(secure)
            } else {
                ready.succeed()
            }
            try channel.pipeline.syncOperations.addHandler(connection)
            return handle
        }.flatMap { handle in ready.futureResult.map { handle } }
        try? channel.syncOptions?.setOption(.autoRead, value: true)
        // Without either there is nothing more to wait for.
        if negotiation != nil || context != nil {
            let expiry = loop.scheduleTask(deadline: deadline) {
                let error = URLError.connectionTimeOut(underlying: nil)
                tunnel.fail(error)
                ready.fail(error)
            }
            made.whenComplete { _ in expiry.cancel() }
        }
        made.whenFailure { error in
            ready.fail(error)
            channel.close(promise: nil)
        }
        return made
    }

    private var negotiation: (any TunnelNegotiation)? {
        guard let proxy, !isForwarded, case .host(let host, let port) = endpoint.place else { return nil }
        switch proxy.kind {
        case .http: return ConnectNegotiation(host: host, port: port, credential: proxy.credential)
        case .socks: return SOCKSNegotiation(host: host, port: port, user: proxy.user, password: proxy.password)
        }
    }

    /// Indicates whether requests are given to the proxy to pass on.
    private var isForwarded: Bool { proxy?.forwards ?? false && !endpoint.isSecure }
}

/// The TLS settings of a transport in BoringSSL's form, which are made at the first use: it takes some milliseconds to
/// read all the authorities of a system.
final class TLSContextSource: Sendable {
    private let configuration: TLSConfiguration
    private let made = Mutex<EventLoopFuture<NIOSSLContext>?>(nil)

    init(_ configuration: TLSConfiguration) {
        self.configuration = configuration
    }

    /// The settings.
    ///
    /// - Parameter loop: Where they are needed.
    /// - Returns: The settings, made on a thread that may wait for files.
    func context(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        made.withLock { made in
            if let made { return made }
            let new = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [configuration] in
                try NIOSSLContext(configuration: configuration)
            }
            made = new
            return new
        }.hop(to: loop)
    }
}
