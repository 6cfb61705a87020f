#if os(Linux)
import NIOCore
import NIOHTTP1
import NIOSSL

/// A reader of `CONNECT` requests: it ends TLS itself where the host is an emulated one, and refuses all others.
final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The refusal of a host, or of a client that speaks something else.
    struct Refused: Error {}

    private static let maximumHead = 16384

    private let hosts: Set<String>
    private let context: NIOSSLContext
    private let refused: @Sendable (String) -> Void
    private let connected: EventLoopPromise<LabConnection.Wrapped>
    private var received = ByteBuffer()
    private var isDone = false

    init(
        hosts: Set<String>,
        context: NIOSSLContext,
        on eventLoop: any EventLoop,
        refused: @escaping @Sendable (String) -> Void
    ) {
        self.hosts = hosts
        self.context = context
        connected = eventLoop.makePromise()
        self.refused = refused
    }

    /// The connection, once a client has asked for a host that is emulated; fails with `ChannelError.eof` if the client
    /// leaves before.
    var connection: EventLoopFuture<LabConnection.Wrapped> { connected.futureResult }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        let text = String(buffer: received)
        guard text.contains("\r\n\r\n") else {
            if received.readableBytes > Self.maximumHead { refuse(context, "a head without an end") }
            return
        }
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
        guard line.count == 3, line[0] == "CONNECT" else { return refuse(context, line.joined(separator: " ")) }
        let host = line[1].split(separator: ":").first.map { $0.lowercased() } ?? ""
        guard hosts.contains(host) else { return refuse(context, line[1]) }
        isDone = true
        let answer = context.channel.allocator.buffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        do {
            let pipeline = context.channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: self.context))
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: true)
            let connection = try LabConnection.Wrapped(wrappingChannelSynchronously: context.channel)
            pipeline.removeHandler(context: context, promise: nil)
            connected.succeed(connection)
        } catch {
            connected.fail(error)
            context.close(promise: nil)
        }
    }

    /// Ends the waiting for a connection that was closed before, also before it was active.
    func handlerRemoved(context: ChannelHandlerContext) {
        guard !isDone else { return }
        isDone = true
        connected.fail(ChannelError.eof)
    }

    private func refuse(_ context: ChannelHandlerContext, _ target: String) {
        isDone = true
        refused(target)
        let answer = context.channel.allocator.buffer(
            string: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in channel.close(promise: nil) }
        connected.fail(Refused())
    }
}
#endif
