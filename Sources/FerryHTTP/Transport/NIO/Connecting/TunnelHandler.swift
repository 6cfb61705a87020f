import NIOCore

/// Negotiates with a proxy on a new connection, and goes away when the tunnel is there.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var negotiation: any TunnelNegotiation
    private let opened: EventLoopPromise<Void>
    private var isOpen = false

    /// Makes a handler for a channel that is connected.
    ///
    /// - Parameters:
    ///   - negotiation: The negotiation with the proxy.
    ///   - opened: Fulfilled when the tunnel is there; handlers that are added then are behind it.
    init(_ negotiation: any TunnelNegotiation, opened: EventLoopPromise<Void>) {
        self.negotiation = negotiation
        self.opened = opened
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(negotiation.begin()), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        do {
            switch try negotiation.receive(unwrapInboundIn(data)) {
            case .wait: break
            case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .open(let rest):
                isOpen = true
                opened.succeed()
                if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
                context.pipeline.syncOperations.removeHandler(self, promise: nil)
            }
        } catch {
            opened.fail(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        opened.fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOpen { opened.fail(negotiation.closed()) }
        context.fireChannelInactive()
    }
}

/// The negotiation with a proxy until it has made a tunnel: a value without a connection.
protocol TunnelNegotiation: Sendable {
    /// Begins.
    ///
    /// - Returns: The bytes that are sent first.
    mutating func begin() -> ByteBuffer

    /// Takes what the proxy says.
    ///
    /// - Parameter bytes: The bytes that have come.
    /// - Returns: The next step.
    /// - Throws: A refusal.
    mutating func receive(_ bytes: ByteBuffer) throws -> TunnelStep

    /// The proxy has closed the connection.
    ///
    /// - Returns: The error that the closing means.
    mutating func closed() -> any Error
}

/// The next step after a proxy's answer.
enum TunnelStep: Equatable {
    /// More is to come.
    case wait
    /// This is sent.
    case send(ByteBuffer)
    /// The tunnel is there; these bytes came through it already.
    case open(ByteBuffer)
}
