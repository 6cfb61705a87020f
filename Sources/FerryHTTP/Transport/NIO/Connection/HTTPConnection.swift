import FerryCore
import Foundation
import HTTPTypes
import NIOCore
import NIOTLS

/// A connection to a server: sends one request after the other, and reads the answers.
///
/// All of it runs on the event loop of its channel; others hold a ``Handle``. What follows upon what is decided by
/// ``HTTPConnectionState``. Time counts only while it is the server's turn: a body that we make slowly, or that its
/// reader takes slowly, is no time-out.
final class HTTPConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How connections work.
    struct Settings: Sendable {
        let route: RequestHeadWriter.Route
        let idleTimeout: TimeAmount
        /// How long the server may take to begin to answer what makes it work.
        let workTimeout: TimeAmount
        let maximumHeaderSize: Int
        /// How long the server is given to say that it wants a body.
        let continueTimeout: TimeAmount
    }

    /// Bytes of a body that are copied behind the head, so that both go in one piece.
    private static let joinedSize = 32 << 10

    let settings: Settings
    let pool: HTTPConnectionPool

    var context: ChannelHandlerContext?
    var handle: Handle?
    var parser: HTTPAnswerParser
    var state = HTTPConnectionState()
    var exchange: HTTPExchange?
    /// The parts that have come and were not delivered to the exchange yet.
    var arrived = Arrived()
    /// Indicates whether reading rests until the exchange has taken what came.
    var isPaused = false
    /// Indicates whether the channel would read on.
    var isReadHeld = false
    /// Indicates whether we have closed the channel, which over TLS takes a moment.
    var isClosing = false

    var timer: Scheduled<Void>?
    var timerDeadline = NIODeadline.distantFuture
    var lastProgress = NIODeadline.now()
    var bufferedBefore = 0
    /// How long the server keeps the connection, as it says.
    var serverKeepAlive: TimeAmount?

    /// Why the system refuses what we write; `nil` as long as it takes it, or where the server has ended in good order.
    private(set) var writeFailure: (any Error)?

    private var outgoing = ByteBuffer()

    /// The parts that one read from the connection has brought.
    struct Arrived {
        /// A chunk that is smaller is joined to the one before it.
        private static let smallSize = 8 << 10

        var head: HTTPResponse?
        var chunks: [ByteBuffer] = []
        var isComplete = false

        var isEmpty: Bool { head == nil && chunks.isEmpty && !isComplete }

        mutating func append(_ bytes: ByteBuffer) {
            if let last = chunks.last, last.readableBytes < Self.smallSize, bytes.readableBytes < Self.smallSize {
                chunks[chunks.count - 1].writeImmutableBuffer(bytes)
            } else {
                chunks.append(bytes)
            }
        }
    }

    /// Fulfilled when the first request can be sent.
    let ready: EventLoopPromise<Void>

    init(settings: Settings, pool: HTTPConnectionPool, ready: EventLoopPromise<Void>) {
        self.settings = settings
        self.pool = pool
        self.ready = ready
        parser = HTTPAnswerParser(maximumHeaderSize: settings.maximumHeaderSize)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
        handle = nil
    }

    /// Indicates whether another request can be sent.
    var isOpen: Bool { !isClosing && context?.channel.isActive ?? false }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { ready.succeed() }
    }

    // MARK: Requests

    /// Sends a request.
    func begin(_ exchange: HTTPExchange) {
        guard let context, let handle, isOpen else { return pool.add(exchange) }
        guard exchange.begin(on: handle) else { return release() }
        self.exchange = exchange
        let isHeld =
            exchange.source != nil && exchange.request.headerFields.text(.expect)?.lowercased() == "100-continue"
        state.begin(hasBody: exchange.source != nil, isHeld: isHeld)
        parser.begin(exchange.request.method)
        lastProgress = .now()
        watch(until: lastProgress + settings.idleTimeout)
        let body = fillOutgoing(with: exchange)
        if body != nil { context.write(wrapOutboundOut(outgoing), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(body ?? outgoing), promise: promise(in: context))
        guard let source = exchange.source else { return }
        guard isHeld else { return start(source, of: exchange, handle) }
        context.eventLoop.assumeIsolated().scheduleTask(in: settings.continueTimeout) {
            if self.exchange === exchange { self.releaseBody() }
        }
    }

    /// Puts a request's head into `outgoing`, with the body behind it if that is small.
    ///
    /// - Returns: The body if it has to be written by itself; `nil` if there is none, or it is behind the head.
    private func fillOutgoing(with exchange: HTTPExchange) -> ByteBuffer? {
        let framing = RequestHeadWriter.Framing(of: exchange.body, method: exchange.request.method)
        outgoing.clear()
        RequestHeadWriter.write(exchange.request, route: settings.route, framing: framing, to: &outgoing)
        guard let body = exchange.wholeBody, body.readableBytes <= Self.joinedSize else { return exchange.wholeBody }
        outgoing.writeImmutableBuffer(body)
        return nil
    }

    /// Makes the promise for the last write of a batch, which notes if the system refuses it.
    ///
    /// It goes into a write at once: a promise that is never completed is an error of the program.
    ///
    /// - Parameters:
    ///   - context: The context of the write.
    ///   - written: Called when the system has taken all, or never will.
    /// - Returns: The promise.
    private func promise(in context: ChannelHandlerContext, written: (() -> Void)? = nil) -> EventLoopPromise<Void> {
        let promise = context.eventLoop.makePromise(of: Void.self)
        // A handler is called on its channel's event loop, and the promise is that loop's: nothing crosses threads.
        promise.futureResult.assumeIsolated().whenComplete { result in
            if case .failure(let error) = result, error as? ChannelError != .eof { self.writeFailure = error }
            written?()
        }
        return promise
    }

    private func start(_ source: HTTPBodyPump, of exchange: HTTPExchange, _ handle: Handle) {
        source.start { handle.run { $0.sendBody(of: exchange) } }
    }

    /// The body that was held back is sent now.
    func releaseBody() {
        guard let exchange, let handle, let source = exchange.source, state.release() else { return }
        start(source, of: exchange, handle)
    }

    /// Sends what was made of the body.
    func sendBody(of exchange: HTTPExchange) {
        guard exchange === self.exchange, let context, let source = exchange.source else { return }
        let batch = source.take()
        if let failure = batch.failure { return end(with: failure) }
        var writes: [ByteBuffer] = []
        if exchange.body?.length == nil {
            for piece in batch.pieces {
                writes += [ByteBuffer(string: "\(String(piece.readableBytes, radix: 16))\r\n"), piece, Self.chunkEnd]
            }
            if batch.isLast { writes.append(Self.lastChunk) }
        } else {
            writes = batch.pieces
        }
        if batch.isLast { state.requestSent() }
        lastProgress = .now()
        guard let last = writes.popLast() else { return }
        for bytes in writes { context.write(wrapOutboundOut(bytes), promise: nil) }
        let count = batch.pieces.reduce(0) { $0 + $1.readableBytes }
        let promise = promise(in: context) {
            source.wrote(count)
            self.lastProgress = .now()
        }
        context.writeAndFlush(wrapOutboundOut(last), promise: promise)
    }

    private static let chunkEnd = ByteBuffer(string: "\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

    /// Bytes that the system hasn't taken.
    var unwritten: Int { (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    // MARK: Answers

    func read(context: ChannelHandlerContext) {
        if isPaused { isReadHeld = true } else { context.read() }
    }

    /// The exchange wants more.
    func goOn(_ exchange: HTTPExchange) {
        guard exchange === self.exchange, isPaused else { return }
        isPaused = false
        lastProgress = .now()
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = .now()
        parser.append(unwrapInboundIn(data))
        do {
            while let part = try parser.next() { take(part) }
        } catch {
            end(with: error)
        }
    }

    private func take(_ part: HTTPAnswerParser.Part) {
        switch part {
        case .interim(100): releaseBody()
        case .interim(101):
            end(with: URLError.answer(.cannotParseResponse, description: "the server changes to another protocol"))
        case .interim: break
        case .head(let head):
            arrived.head = head
            switch state.headReceived(status: head.status.code) {
            case .goesOn: break
            case .starts:
                if let exchange, let handle, let source = exchange.source { start(source, of: exchange, handle) }
            case .stops: exchange?.source?.stop()
            }
        case .body(let bytes): arrived.append(bytes)
        case .end: arrived.isComplete = true
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        deliver()
        // Whoever speaks without being asked is not waited for.
        if exchange == nil, parser.hasJunk { close() }
    }

    /// Hands the exchange what has come; when that is all of it, the connection is free or at its end.
    func deliver() {
        guard !arrived.isEmpty else { return }
        let arrived = arrived
        self.arrived = Arrived()
        guard let exchange else { return }
        guard arrived.isComplete else {
            isPaused = exchange.deliver(head: arrived.head, chunks: arrived.chunks, ending: nil)
            return
        }
        self.exchange = nil
        isPaused = false
        let ending = state.answerEnded(keepsConnection: parser.keepsConnection, hasUnwritten: unwritten > 0)
        // First the connection is given on: who reads the answer may have the next request at once.
        switch ending {
        case .reuse:
            serverKeepAlive = parser.framing.keepAlive?.timeAmount
            release()
        case .close: close()
        }
        _ = exchange.deliver(head: arrived.head, chunks: arrived.chunks, ending: .success(()))
    }
}
