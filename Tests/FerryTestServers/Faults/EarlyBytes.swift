import NIOCore
import Synchronization

/// Keeps what a connection brings before somebody reads it.
///
/// A client that says all it has to say and closes at once may be gone before its connection is looked at: what it has
/// said would be lost with the channel.
final class EarlyBytes: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let kept = Mutex<ByteBuffer?>(ByteBuffer())

    /// Takes what has come, and passes on what comes from now on.
    ///
    /// - Returns: The bytes, or none.
    func take() -> ByteBuffer {
        kept.withLock { $0.take() } ?? ByteBuffer()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let isKept = kept.withLock { kept in
            kept?.writeBuffer(&bytes) != nil
        }
        if !isKept { context.fireChannelRead(wrapInboundOut(bytes)) }
    }
}
