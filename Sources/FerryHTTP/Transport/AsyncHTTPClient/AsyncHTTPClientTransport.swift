import AsyncHTTPClient
import FerryCore
import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL

/// Carries requests with AsyncHTTPClient: streaming with back-pressure both ways, and pooled connections.
///
/// All transports share the threads of SwiftNIO's global event loops; so a transport costs no thread, and nothing else
/// until it is used.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let exchanges = HTTPExchanges()
    private let templates = RequestTemplates()
    private let slots: ConnectionSlots
    /// `nil` behind a proxy, past which we don't look.
    private let diagnosis: CertificateDiagnosis?

    /// Makes a transport with the usual settings; connections are made as they are needed.
    public convenience init() {
        self.init(HTTPTransportConfiguration(), tls: .makeClientConfiguration())
    }

    /// Makes a transport; connections are made as they are needed.
    ///
    /// - Parameter configuration: Time-outs, limits, whom it trusts, and what it goes through.
    /// - Throws: What reading the certificates throws, `NIOSSLError` if they are none.
    public convenience init(_ configuration: HTTPTransportConfiguration) throws {
        self.init(configuration, tls: try configuration.makeTLSConfiguration())
    }

    private init(_ configuration: HTTPTransportConfiguration, tls: TLSConfiguration) {
        let limit = max(1, configuration.maximumConnectionsPerHost)
        slots = ConnectionSlots(limit: limit)
        let connectTimeout = configuration.connectTimeout.timeAmount
        diagnosis = configuration.proxy == nil ? CertificateDiagnosis(tls: tls, timeout: connectTimeout) : nil
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        settings.decompression = .disabled
        settings.httpVersion = configuration.allowsHTTP2 ? .automatic : .http1Only
        settings.timeout.connect = connectTimeout
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
        settings.connectionPool.idleTimeout = configuration.keepAlive.timeAmount
        // Whether to try again is the session's to decide; here, a refused connection is an answer.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.networkFrameworkWaitForConnectivity = false
        settings.proxy = configuration.proxy?.setting
        // A span takes its time even where nobody looks at it.
        settings.tracing.tracer = nil
        let line = HTTPLine(
            exchanges: exchanges,
            idleTimeout: configuration.idleTimeout.timeAmount,
            maximumHeaderSize: configuration.maximumHeaderSize
        )
        settings.http1_1ConnectionDebugInitializer = { line.prepareConnection($0) }
        settings.http2ConnectionDebugInitializer = { line.tune($0) }
        settings.http2StreamChannelDebugInitializer = { line.prepareStream($0) }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: Method, URL and fields.
    ///   - body: What to send with it.
    /// - Returns: The answer.
    /// - Throws: See ``HTTPTransport``.
    public func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let authority = request.authority ?? ""
        let origin = "\(request.scheme ?? "http")://\(authority)"
        guard Self.hasPossiblePort(authority) else {
            throw URLError.answer(.unsupportedURL, description: "there is no such port", url: URL(string: origin))
        }
        let slot = try await slots.acquire(origin)
        // What is sent can't be called back.
        try Task.checkCancellation()
        // What is small goes in one piece; for all else there is a task that makes the body.
        let wholeBytes = body?.wholeBytes?()
        let exchange = try await HTTPExchange(target: request.path ?? "/", body: wholeBytes == nil ? body : nil)
        let number = exchanges.add(exchange)
        var headers = HTTPHeaders()
        headers.reserveCapacity(request.headerFields.count + 4)
        for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        headers.add(name: HTTPExchanges.field, value: String(number))
        do {
            let (head, chunks) =
                if let body, wholeBytes == nil {
                    try await stream(body, of: exchange, to: "\(origin)/", request.method, headers)
                } else {
                    try await send(wholeBytes, to: origin, request.method, headers)
                }
            guard head.status.code >= 200 else {
                throw URLError.answer(.cannotParseResponse, description: "the server changes to another protocol")
            }
            return HTTPReply(head: HTTPResponse(head), body: HTTPReplyBody(Self.guarded(chunks, exchange, slot)))
        } catch {
            exchanges.take(number)
            exchange.finish()
            let error = Self.mapped(error, exchange)
            if let error = error as? URLError, error.code == .serverCertificateUntrusted, let diagnosis {
                throw await diagnosis.refine(error, of: origin)
            }
            throw error
        }
    }

    /// Whether the port after the last colon, if there is one, can be: with any other the client ends the process.
    private static func hasPossiblePort(_ authority: String) -> Bool {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = authority[authority.utf8.index(after: colon)...]
        return port.isEmpty || port.hasSuffix("]") || UInt16(port) != nil
    }

    /// Ends all requests that are under way, and closes all connections.
    public func shutdown() async {
        slots.close()
        // It fails if it was done before: which is fine.
        try? await client.shutdown()
    }

    /// Sends a request whose body is in memory.
    private func send(
        _ bytes: ByteBuffer?,
        to origin: String,
        _ method: HTTPRequest.Method,
        _ headers: HTTPHeaders
    ) async throws -> (HTTPResponseHead, HTTPReplyBody.ChunkSource) {
        var sent = try templates.request(method.rawValue, to: origin)
        sent.headers = headers
        if let bytes, bytes.readableBytes > 0 { sent.body = .byteBuffer(bytes) }
        return try await HTTPAnswer.send(sent, by: client)
    }

    /// Sends a request whose body is made meanwhile.
    private func stream(
        _ body: HTTPRequestBody,
        of exchange: HTTPExchange,
        to url: String,
        _ method: HTTPRequest.Method,
        _ headers: HTTPHeaders
    ) async throws -> (HTTPResponseHead, HTTPReplyBody.ChunkSource) {
        var sent = HTTPClientRequest(url: url)
        sent.method = HTTPMethod(rawValue: method.rawValue)
        sent.headers = headers
        sent.body = .stream(
            HTTPExchangeBody(exchange: exchange),
            length: body.length.map { .known($0) } ?? .unknown
        )
        let response = try await client.execute(sent, deadline: .distantFuture)
        // `HTTPReplyBody` calls its source by one call at a time, so that nobody shares the iterator.
        nonisolated(unsafe) var iterator = response.body.makeAsyncIterator()
        let head = HTTPResponseHead(version: response.version, status: response.status, headers: response.headers)
        return (head, { try await iterator.next() })
    }

    /// Chunks with our errors, that give their connection back at the end.
    private static func guarded(
        _ chunks: @escaping HTTPReplyBody.ChunkSource,
        _ exchange: HTTPExchange,
        _ slot: ConnectionSlots.Slot
    ) -> HTTPReplyBody.ChunkSource {
        {
            do {
                if let chunk = try await chunks() { return chunk }
                // A cancelled reader is told that there is no more: which must not look like the end.
                try Task.checkCancellation()
                slot.release()
                return nil
            } catch {
                slot.release()
                throw mapped(error, exchange)
            }
        }
    }

    private static func mapped(_ error: any Error, _ exchange: HTTPExchange) -> any Error {
        if Task.isCancelled { return CancellationError() }
        if let failure = exchange.sourceFailure { return failure }
        if let failure = exchange.lineFailure { return TransportError.mapped(failure, isOnLine: true) }
        // A line that breaks while a body is being made ends the making first, and nobody has cancelled that: it must
        // be a lost connection, after which requests are repeated and uploads go on.
        if error is CancellationError {
            return URLError.answer(.networkConnectionLost, description: "the connection is lost")
        }
        return TransportError.mapped(error, isOnLine: exchange.isOnLine)
    }
}

extension HTTPProxy {
    fileprivate var setting: HTTPClient.Configuration.Proxy {
        switch kind {
        case .http:
            .server(
                host: host,
                port: port,
                authorization: user.map { .basic(username: $0, password: password ?? "") }
            )
        case .socks: .socksServer(host: host, port: port)
        }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: HTTPResponseHead) {
        var fields = HTTPFields()
        fields.reserveCapacity(response.headers.count)
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: Status(code: Int(response.status.code)), headerFields: fields)
    }
}
