import FerryCore
import Foundation
import NIOCore

extension HTTPConnection {
    // MARK: Ends

    /// The connection is free for the next request, or for a rest.
    func release() {
        guard let handle, isOpen else { return close() }
        if let next = pool.freed(handle) { begin(next) } else { rest() }
    }

    /// The connection is among those that rest.
    func rest() {
        lastProgress = .now()
        watch(until: lastProgress + idleLimit)
    }

    /// The exchange ends with an error, and the connection with it.
    ///
    /// - Parameter error: Why, as its caller sees it.
    func end(with error: any Error) {
        deliver()
        _ = state.closed(hasAnswer: parser.hasBegun)
        let failed = exchange
        exchange = nil
        close()
        failed?.fail(error)
    }

    /// Nobody wants the answer any more.
    func abandon(_ exchange: HTTPExchange) {
        guard exchange === self.exchange else { return }
        self.exchange = nil
        _ = state.closed(hasAnswer: true)
        close()
    }

    /// Closes the connection; what still comes is read and dropped.
    func close() {
        guard !isClosing, let context else { return }
        isClosing = true
        if let handle { _ = pool.takeIdle(handle) }
        context.close(promise: nil)
        isPaused = false
        if isReadHeld { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ready.fail(error)
        deliver()
        lost(error)
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ready.fail(ChannelError.eof)
        // Where a write has failed, the end may be that of a reset, which the system reports once only.
        if exchange != nil, writeFailure == nil, parser.finish() { arrived.isComplete = true }
        deliver()
        let rest = exchange == nil && !isClosing ? .now() - lastProgress : nil
        lost(writeFailure)
        timer?.cancel()
        timer = nil
        if let handle { pool.closed(handle, after: rest) }
        context.fireChannelInactive()
    }

    private func lost(_ error: (any Error)?) {
        let failed = exchange
        exchange = nil
        switch state.closed(hasAnswer: parser.hasBegun) {
        case .none: break
        case .stale:
            pool.closeIdle()
            failed?.fail(StaleConnectionError(Self.closedByServer("a connection that was used before", error)))
        case .lost:
            failed?.fail(
                error.map { TransportError.mapped($0, isOnLine: true) } ?? Self.closedByServer("the connection", error)
            )
        }
    }

    private static func closedByServer(_ what: String, _ error: (any Error)?) -> URLError {
        .answer(.networkConnectionLost, description: "the server has closed \(what)", underlying: error)
    }

    // MARK: Time

    /// How long the connection may rest: a little less than until the server closes it.
    private var idleLimit: TimeAmount {
        let limit = pool.keepAlive
        guard let serverKeepAlive else { return limit }
        return min(limit, max(serverKeepAlive - .seconds(1), .nanoseconds(serverKeepAlive.nanoseconds / 2)))
    }

    /// How long the server may say nothing now, if it has taken all that we had to say.
    var silenceLimit: TimeAmount {
        guard let exchange, !parser.hasBegun, exchange.makesWork else { return settings.idleTimeout }
        return settings.workTimeout
    }

    /// Has ``timeIsUp()`` called at that time, or before: then it sees that there is time left.
    func watch(until deadline: NIODeadline) {
        guard timer == nil || deadline < timerDeadline, let context else { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.timeIsUp() }
    }

    private func timeIsUp() {
        timer = nil
        let now = NIODeadline.now()
        guard exchange != nil else {
            let deadline = lastProgress + idleLimit
            guard now >= deadline else { return watch(until: deadline) }
            // If it isn't among the idle any more, a request is on its way here.
            guard let handle, pool.takeIdle(handle) else { return watch(until: now + idleLimit) }
            return close()
        }
        // A piece of a body is one write, of which the system may have taken a part: that is progress, too.
        let unwritten = unwritten
        if unwritten < bufferedBefore { lastProgress = now }
        bufferedBefore = unwritten
        guard state.isServersTurn(isReading: !isPaused, hasUnwritten: unwritten > 0) else {
            return watch(until: now + settings.idleTimeout)
        }
        let limit = unwritten > 0 ? settings.idleTimeout : silenceLimit
        let deadline = lastProgress + limit
        // Looked at as often as ever: the limit is another one as soon as the answer begins.
        guard now >= deadline else { return watch(until: min(deadline, now + settings.idleTimeout)) }
        let silence = Double(limit.nanoseconds) / 1e9
        end(
            with: URLError.answer(
                .timedOut,
                description: unwritten > 0
                    ? "the server has taken nothing for \(silence) seconds"
                    : "the server has said nothing for \(silence) seconds"
            )
        )
    }
}
