import FerryCore
import Foundation
public import HTTPTypes
import NIOCore
import NIOSSL
import Synchronization

/// Carries requests over HTTP/1.1 with SwiftNIO: streaming with back-pressure both ways, and pooled connections.
///
/// All transports share the threads of SwiftNIO's global event loops; so a transport costs no thread, and nothing else
/// until it is used.
///
/// HTTP/2 is not spoken: all requests to a server would share one connection, whose flow control and one lost packet hold
/// up every transfer at once. Files come quicker over several connections of HTTP/1.1.
///
/// Besides `http` and `https` it knows `http+unix`, for servers on a socket of this machine:
/// `http+unix://%2Frun%2Ffiles.sock/path`.
public final class NIOTransport: HTTPTransport {
    private struct Origin: Hashable {
        let scheme: String
        let authority: String
    }

    private struct State {
        var pools: [Origin: HTTPConnectionPool] = [:]
        var isClosed = false
    }

    private let configuration: HTTPTransportConfiguration
    private let tls: TLSContextSource
    private let diagnosis: CertificateDiagnosis
    private let state = Mutex(State())

    /// Makes a transport with the usual settings; connections are made as they are needed.
    public convenience init() {
        self.init(HTTPTransportConfiguration(), tls: .makeClientConfiguration())
    }

    /// Makes a transport; connections are made as they are needed.
    ///
    /// - Parameter configuration: Time-outs, limits, whom it trusts, and what it goes through.
    /// - Throws: Any error that reading the certificates throws, `NIOSSLError` if they are none.
    public convenience init(_ configuration: HTTPTransportConfiguration) throws {
        self.init(configuration, tls: try configuration.makeTLSConfiguration())
    }

    private init(_ configuration: HTTPTransportConfiguration, tls: TLSConfiguration) {
        self.configuration = configuration
        self.tls = TLSContextSource(tls)
        diagnosis = CertificateDiagnosis(tls: tls, timeout: configuration.connectTimeout.timeAmount)
    }

    deinit {
        for pool in close() { _ = pool.close() }
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: Method, URL and fields.
    ///   - body: The body to send with it.
    /// - Returns: The answer.
    /// - Throws: See ``HTTPTransport``.
    public func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        // A request that is sent can't be called back.
        try Task.checkCancellation()
        if let path = request.path { try RequestHeadWriter.check(path) }
        let origin = Origin(scheme: request.scheme ?? "http", authority: request.authority ?? "")
        let pool = try pool(of: origin)
        let exchange = HTTPExchange(request, body: body, pool: pool)
        let rest = RestOfAnswer(exchange)
        pool.add(exchange)
        do {
            return HTTPReply(head: try await exchange.head(), body: HTTPReplyBody { try await rest.next() })
        } catch let error as URLError where error.code == .serverCertificateUntrusted {
            // Behind a proxy nobody looks.
            guard !pool.hasProxy else { throw error }
            throw await diagnosis.refine(error, of: "\(origin.scheme)://\(origin.authority)")
        }
    }

    /// Ends all requests that are under way, and closes all connections.
    public func shutdown() async {
        for closing in close().flatMap({ $0.close() }) {
            // It is closed in any case.
            try? await closing.get()
        }
    }

    private func close() -> [HTTPConnectionPool] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.pools.values)
        }
    }

    private func pool(of origin: Origin) throws -> HTTPConnectionPool {
        try state.withLock { state in
            guard !state.isClosed else { throw CancellationError() }
            if let pool = state.pools[origin] { return pool }
            let pool = try makePool(of: origin)
            state.pools[origin] = pool
            return pool
        }
    }

    private func makePool(of origin: Origin) throws -> HTTPConnectionPool {
        let endpoint = try HTTPEndpoint(scheme: origin.scheme, authority: origin.authority)
        let proxy = proxy(to: endpoint)
        var route = RequestHeadWriter.Route(host: endpoint.hostField)
        if let proxy, proxy.forwards, !endpoint.isSecure {
            (route.prefix, route.proxyCredential) = ("http://\(endpoint.hostField)", proxy.credential)
        }
        let dialer = HTTPDialer(
            endpoint: endpoint,
            proxy: proxy,
            timeout: configuration.connectTimeout.timeAmount,
            tls: tls,
            settings: HTTPConnection.Settings(
                route: route,
                idleTimeout: configuration.idleTimeout.timeAmount,
                workTimeout: configuration.workTimeout.timeAmount,
                maximumHeaderSize: configuration.maximumHeaderSize,
                continueTimeout: configuration.continueTimeout.timeAmount
            )
        )
        return HTTPConnectionPool(
            dialer: dialer,
            limit: configuration.maximumConnectionsPerHost,
            keepAlive: configuration.keepAlive.timeAmount
        )
    }

    private func proxy(to endpoint: HTTPEndpoint) -> HTTPProxy? {
        guard case .host(let host, let port) = endpoint.place else { return nil }
        if let proxy = configuration.proxy { return proxy }
        return configuration.proxyRules?.proxy(isSecure: endpoint.isSecure, host: host, port: port)
    }
}

/// Holds an answer for its reader; when nobody does any longer, the request ends.
private final class RestOfAnswer: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit { exchange.leave() }

    func next() async throws -> ByteBuffer? { try await exchange.next() }
}
