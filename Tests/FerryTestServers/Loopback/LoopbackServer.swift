public import Foundation
public import HTTPTypes
public import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server in this process, on a free port of 127.0.0.1: a test says what it answers.
///
/// ```swift
/// let server = try await LoopbackServer.start { request in
///     LoopbackAnswer(status: .ok, body: "hello")
/// }
/// // … requests to server.url …
/// try await server.stop()
/// ```
public final class LoopbackServer: Sendable {
    /// Says what to answer; throwing closes the connection without an answer.
    public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackAnswer

    private let channel: any Channel

    private init(channel: any Channel) {
        self.channel = channel
    }

    /// The port it listens on.
    public var port: Int { channel.localAddress?.port ?? 0 }

    /// Its URL, which ends in `/`.
    public var url: URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", port, "/")
        return parts.url ?? URL(filePath: "/")
    }

    /// Starts a server.
    ///
    /// - Parameter handler: Says what to answer.
    /// - Returns: The server, listening.
    /// - Throws: What keeps it from listening.
    public static func start(_ handler: @escaping Handler) async throws -> LoopbackServer {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(LoopbackHandler(handler))
                }
            }
            .childChannelOption(.autoRead, value: true)
        return LoopbackServer(channel: try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
    }

    /// Stops listening; connections that are open stay so until their end.
    ///
    /// - Throws: What keeps it from closing.
    public func stop() async throws {
        try await channel.close()
    }
}

/// What came to a ``LoopbackServer``: a whole request.
public struct LoopbackRequest: Sendable {
    /// Method, path and query as they came.
    public var head: HTTPRequest
    /// All of the body.
    public var body: ByteBuffer

    /// Path and query, percent-encoded.
    public var target: String { head.path ?? "/" }

    /// A field's value.
    public subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headerFields[$0] }
    }

    /// The body as text.
    public var text: String { String(buffer: body) }
}

/// What a ``LoopbackServer`` answers.
public struct LoopbackAnswer: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The fields; `Content-Length` is added unless there is one, or `Transfer-Encoding`.
    public var fields: HTTPFields
    /// All of the body.
    public var body: ByteBuffer

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - body: All of the body.
    public init(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - text: All of the body.
    public init(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), text: String) {
        self.init(status, fields: fields, body: ByteBuffer(string: text))
    }
}

private final class LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let handler: LoopbackServer.Handler
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(_ handler: @escaping LoopbackServer.Handler) {
        self.handler = handler
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var bytes): body.writeBuffer(&bytes)
        case .end:
            guard let head = self.head.take() else { return }
            answer(LoopbackRequest(head, body: body), isKeptAlive: head.isKeepAlive, on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ request: LoopbackRequest, isKeptAlive: Bool, on channel: any Channel) {
        let handler = handler
        Task {
            do {
                let answer = try await handler(request)
                try await channel.writeAndFlush(answer, to: request)
                if !isKeptAlive { try await channel.close() }
            } catch {
                try? await channel.close()
            }
        }
    }
}

extension LoopbackRequest {
    fileprivate init(_ head: HTTPRequestHead, body: ByteBuffer) {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(
            head: HTTPRequest(
                method: HTTPRequest.Method(head.method.rawValue) ?? .get,
                scheme: "http",
                authority: head.headers.first(name: "host"),
                path: head.uri,
                headerFields: fields
            ),
            body: body
        )
    }
}

extension Channel {
    fileprivate func writeAndFlush(_ answer: LoopbackAnswer, to request: LoopbackRequest) async throws {
        var headers = HTTPHeaders(answer.fields.map { ($0.name.rawName, $0.value) })
        if !headers.contains(name: "content-length"), !headers.contains(name: "transfer-encoding"),
            answer.status.code != 204, answer.status.code != 304
        {
            headers.add(name: "content-length", value: String(answer.body.readableBytes))
        }
        let status = HTTPResponseStatus(statusCode: answer.status.code, reasonPhrase: answer.status.reasonPhrase)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        write(HTTPServerResponsePart.head(head), promise: nil)
        if request.head.method != .head, answer.body.readableBytes > 0 {
            write(HTTPServerResponsePart.body(.byteBuffer(answer.body)), promise: nil)
        }
        try await writeAndFlush(HTTPServerResponsePart.end(nil))
    }
}
