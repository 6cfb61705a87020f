import FerryCore
import Foundation
import NIOCore
import NIOHTTP1

/// Watches a connection between AsyncHTTPClient and the HTTP codec: how long the server makes us wait, how much of a
/// body has left, and whether the connection was used before.
///
/// Its methods, its timer and what waits for its writes run on the channel's event loop: `assumeIsolated()` says so.
///
/// Time counts only while it is the server's turn: bytes of ours wait to be taken, or the request is sent and
/// AsyncHTTPClient wants to read. A body that we make slowly, or that its reader takes slowly, is no time-out.
final class HTTPLineHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let exchanges: HTTPExchanges
    private let counter: HTTPLineCounter
    private let idleTimeout: TimeAmount

    private var exchange: HTTPExchange?
    private var exchangeCount = 0
    private var isRequestSent = false
    /// The end of an answer that came before the request's: see ``holdsBackEnd``.
    private var heldEnd: NIOAny?
    private var isAnsweredWell = false
    /// Whether AsyncHTTPClient wants to read.
    ///
    /// It does from the beginning: on a busy machine a connection is made, and its first read asked for, before anybody
    /// can put a handler there to see it.
    private var isReading = true
    private var unwritten = 0
    private var bufferedBefore = 0
    private var lastProgress = NIODeadline.now()
    private var timer: Scheduled<Void>?

    init(exchanges: HTTPExchanges, counter: HTTPLineCounter, idleTimeout: TimeAmount) {
        self.exchanges = exchanges
        self.counter = counter
        self.idleTimeout = idleTimeout
    }

    // MARK: To the server

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            begin(&head, context: context)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let body):
            writeBody(body, context: context, promise: promise)
        case .end:
            isRequestSent = true
            lastProgress = .now()
            context.write(data, promise: promise)
            // Not in AsyncHTTPClient's own call: it is in the midst of a change of its state.
            if heldEnd != nil { releaseInTheNextTurn(context) }
        }
    }

    /// Handlers are called on the loop of their channel: so the loop may be assumed to be this one, and takes what is not
    /// `Sendable`.
    private func releaseInTheNextTurn(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().execute {
            guard self.releaseHeldEnd(context) else { return }
            context.fireChannelReadComplete()
        }
    }

    /// Gives on the end of an answer that was held back.
    private func releaseHeldEnd(_ context: ChannelHandlerContext) -> Bool {
        guard let end = heldEnd else { return false }
        heldEnd = nil
        giveEnd(end, context: context)
        return true
    }

    private func begin(_ head: inout HTTPRequestHead, context: ChannelHandlerContext) {
        exchange = exchanges.take(head.headers.first(name: HTTPExchanges.field).flatMap { UInt64($0) })
        head.headers.remove(name: HTTPExchanges.field)
        if let exchange {
            head.uri = exchange.target
            exchange.reachedLine()
        }
        exchangeCount += 1
        isRequestSent = false
        isAnsweredWell = false
        unwritten = 0
        lastProgress = .now()
        counter.begin()
        if timer == nil { setTimer(after: idleTimeout, context: context) }
    }

    private func writeBody(_ body: IOData, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let count = body.readableBytes
        let number = exchangeCount
        if unwritten == 0 { lastProgress = .now() }
        unwritten += count
        // The caller's promise may be one of another thread.
        let written = context.eventLoop.makePromise(of: Void.self)
        let exchange = exchange
        // The promise is of the loop that we are on.
        written.futureResult.assumeIsolated().whenComplete { _ in
            exchange?.wrote(count)
            guard self.exchangeCount == number else { return }
            self.unwritten -= count
            self.lastProgress = .now()
        }
        written.futureResult.cascade(to: promise)
        context.write(wrapOutboundOut(.body(body)), promise: written)
    }

    func read(context: ChannelHandlerContext) {
        if !isReading {
            isReading = true
            lastProgress = .now()
        }
        context.read()
    }

    // MARK: From the server

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = .now()
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status.code >= 200 { counter.headReceived() }
            isAnsweredWell = (200..<300).contains(head.status.code)
        case .body: break
        case .end:
            if holdsBackEnd {
                heldEnd = data
                return
            }
            return giveEnd(data, context: context)
        }
        context.fireChannelRead(data)
    }

    /// Whether the answer's end has to wait until the request's has left.
    ///
    /// AsyncHTTPClient writes a body that is in memory by way of the thread that asked for it. If the answer is complete
    /// by then, it says that the connection is free when it hears on that thread that the body has left; and if the
    /// server has closed the connection meanwhile, it ends the process. Refusals close the connection in any case.
    private var holdsBackEnd: Bool { !isRequestSent && isAnsweredWell && exchange?.hasStreamedBody == false }

    private func giveEnd(_ end: NIOAny, context: ChannelHandlerContext) {
        // First the answer is given on: what is left of the body may fail then, and nobody minds. By that the next
        // exchange may begin here, which is not the one that ends.
        let ended = exchange
        context.fireChannelRead(end)
        endExchange(ended)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(isStale ? StaleConnectionError(closedByServer(error)) : error, context: context)
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        exchange?.lineFailed(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        _ = releaseHeldEnd(context)
        if isStale { fail(StaleConnectionError(closedByServer(nil)), context: context) }
        // AsyncHTTPClient closes the connection after an answer that came before all of the body had left, and gives
        // that answer on afterwards, in the same turn of the loop: until then the body must not end.
        let ended = exchange
        exchange = nil
        context.eventLoop.execute { ended?.finish() }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        endExchange(exchange)
    }

    /// Whether the request that is under way came on a connection that was used before, and got no byte of an answer.
    private var isStale: Bool { exchange != nil && exchangeCount > 1 && counter.byteCount == 0 }

    private func closedByServer(_ error: (any Error)?) -> URLError {
        .answer(
            .networkConnectionLost,
            description: "the server has closed a connection that was used before",
            underlying: error
        )
    }

    private func endExchange(_ ended: HTTPExchange?) {
        // On a pooled connection, the next exchange may have begun already.
        if exchange === ended { exchange = nil }
        ended?.finish()
    }

    // MARK: Time

    private var isServersTurn: Bool { unwritten > 0 || (isRequestSent && isReading) }

    private func setTimer(after delay: TimeAmount, context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: delay) { self.timeIsUp(context: context) }
    }

    private func timeIsUp(context: ChannelHandlerContext) {
        timer = nil
        guard exchange != nil else { return }
        // A piece of a body is one write, of which the system may have taken a part: that is progress too.
        let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if buffered < bufferedBefore { lastProgress = .now() }
        bufferedBefore = buffered
        guard isServersTurn else { return setTimer(after: idleTimeout, context: context) }
        let deadline = lastProgress + idleTimeout
        let now = NIODeadline.now()
        guard now >= deadline else { return setTimer(after: deadline - now, context: context) }
        let silence = Double(idleTimeout.nanoseconds) / 1e9
        let description =
            unwritten > 0
            ? "the server has taken nothing for \(silence) seconds"
            : "the server has said nothing for \(silence) seconds"
        fail(URLError.answer(.timedOut, description: description), context: context)
    }
}

/// Counts what comes from the line before it is parsed, and bounds the head of an answer.
final class HTTPLineCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let maximumHeaderSize: Int
    private var isHeadExpected = false

    /// Bytes that came since the request was begun.
    private(set) var byteCount = 0

    init(maximumHeaderSize: Int) {
        self.maximumHeaderSize = maximumHeaderSize
    }

    /// A request is sent.
    func begin() {
        byteCount = 0
        isHeadExpected = true
    }

    /// The head of its answer has come.
    func headReceived() {
        isHeadExpected = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        byteCount += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        // What came last may have been the beginning of the body, behind a head that is parsed by now.
        guard isHeadExpected, byteCount > maximumHeaderSize else { return }
        isHeadExpected = false
        context.fireErrorCaught(
            URLError.answer(
                .cannotParseResponse,
                description: "the head of the answer is longer than \(maximumHeaderSize) bytes"
            )
        )
    }
}
