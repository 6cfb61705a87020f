import NIOCore

/// The beginning of a client's connection to a forwarding ``FaultProxy``, up to where it says whom it wants: SOCKS 5
/// (RFC 1928, without a login) or `CONNECT` of HTTP (RFC 9110 §9.3.6).
///
/// All that comes behind is passed on.
final class ProxyHandshake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Step {
        case start
        case socksRequest
        case done
    }

    /// The port of 127.0.0.1 that the client wants.
    let port: EventLoopPromise<Int>
    private var step = Step.start
    private var unread = ByteBuffer()

    init(_ loop: any EventLoop) {
        port = loop.makePromise()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard step != .done else { return context.fireChannelRead(data) }
        var chunk = unwrapInboundIn(data)
        unread.writeBuffer(&chunk)
        while step != .done, let (next, answer, wanted) = advance() {
            step = next
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            if let wanted { port.succeed(wanted) }
        }
        if step == .done, unread.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(unread)) }
    }

    /// Whoever waits for the port is not left waiting, however the connection ended.
    func handlerRemoved(context: ChannelHandlerContext) { port.fail(ChannelError.eof) }

    /// Reads what has come, if that is enough for a step.
    private func advance() -> (Step, answer: ByteBuffer, port: Int?)? {
        let bytes = Array(unread.readableBytesView)
        switch step {
        case .start where bytes.first == 5:
            guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else { return nil }
            unread.moveReaderIndex(forwardBy: 2 + Int(bytes[1]))
            return (.socksRequest, ByteBuffer(bytes: [5, 0]), nil)
        case .start:
            guard let end = unread.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: bytes, as: UTF8.self)
            unread.moveReaderIndex(to: end.upperBound)
            let wanted = head.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap { Int($0) }
            return (.done, ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"), wanted ?? 0)
        case .socksRequest:
            guard bytes.count >= 5 else { return nil }
            let address = [1: 4, 3: 1 + Int(bytes[4]), 4: 16][bytes[3]] ?? 0
            guard bytes.count >= 6 + address else { return nil }
            let wanted = Int(bytes[4 + address]) << 8 | Int(bytes[5 + address])
            unread.moveReaderIndex(forwardBy: 6 + address)
            return (.done, ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]), wanted)
        case .done: return nil
        }
    }
}
