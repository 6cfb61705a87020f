import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Prepares a transport's connections.
struct HTTPLine: Sendable {
    let exchanges: HTTPExchanges
    let idleTimeout: TimeAmount
    let maximumHeaderSize: Int

    /// Puts our handlers around the HTTP/1.1 codec of a connection.
    func prepareConnection(_ channel: any Channel) -> EventLoopFuture<Void> {
        tune(channel).flatMapThrowing {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            let counter = HTTPLineCounter(maximumHeaderSize: maximumHeaderSize)
            try pipeline.addHandler(counter, position: .before(encoder))
            try pipeline.addHandler(handler(counter), position: .after(decoder))
        }
    }

    /// Puts our handler before AsyncHTTPClient's in a stream of HTTP/2, where the codec bounds the head.
    func prepareStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            let counter = HTTPLineCounter(maximumHeaderSize: maximumHeaderSize)
            try pipeline.addHandler(handler(counter), position: .after(codec))
        }
    }

    /// Makes a connection's buffers large enough for fast lines, and small enough for many connections.
    func tune(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let options = channel.syncOptions
            try options?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 2 << 10, initial: 16 << 10, maximum: 256 << 10)
            )
            // A connection keeps as many buffers as it fills at a time: at 256 KiB each, one is enough.
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try options?.setOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
        }
    }

    private func handler(_ counter: HTTPLineCounter) -> HTTPLineHandler {
        HTTPLineHandler(exchanges: exchanges, counter: counter, idleTimeout: idleTimeout)
    }
}
