import FerryCore
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The connections to one origin.
final class HTTPConnectionPool: Sendable {
    private struct State {
        var pool: HTTPConnectionPoolState<HTTPConnection.Handle, HTTPExchange>
        var keepAlive: TimeAmount
    }

    private let dialer: HTTPDialer
    private let state: Mutex<State>

    /// Makes an empty pool.
    ///
    /// - Parameters:
    ///   - dialer: Makes the connections.
    ///   - limit: Connections at a time.
    ///   - keepAlive: How long a connection that nobody needs is kept.
    init(dialer: HTTPDialer, limit: Int, keepAlive: TimeAmount) {
        self.dialer = dialer
        state = Mutex(State(pool: HTTPConnectionPoolState(limit: limit), keepAlive: keepAlive))
    }

    /// Indicates whether the connections go through a proxy.
    var hasProxy: Bool { dialer.proxy != nil }

    /// How long a connection that nobody needs is kept: less, once the server has closed one that rested.
    var keepAlive: TimeAmount { state.withLock(\.keepAlive) }

    /// Sends a request, as soon as there is a connection for it.
    ///
    /// A task that runs on one of SwiftNIO's threads gets a connection of that thread, if there is one or may be one more:
    /// two threads would wake each other for each request.
    func add(_ exchange: HTTPExchange) {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let isHere = loop.inEventLoop
        switch state.withLock({ $0.pool.add(exchange) { !isHere || $0.loop === loop } }) {
        case .start(let connection): connection.run { $0.begin(exchange) }
        case .dial: dial(on: loop)
        case .wait: break
        case .refuse: exchange.fail(CancellationError())
        }
    }

    /// A request that waits isn't wanted any more.
    func remove(_ exchange: HTTPExchange) {
        state.withLock { $0.pool.remove(exchange) }
    }

    /// A connection is free.
    ///
    /// - Returns: The request that is to be sent on it now.
    func freed(_ connection: HTTPConnection.Handle) -> HTTPExchange? {
        switch state.withLock({ $0.pool.freed(connection) }) {
        case .start(let exchange): return exchange
        case .rest: break
        case .close: _ = connection.close(throwing: CancellationError())
        }
        return nil
    }

    /// A connection that rests is to be closed.
    ///
    /// - Returns: `false` if a request is on its way to it.
    func takeIdle(_ connection: HTTPConnection.Handle) -> Bool {
        state.withLock { $0.pool.takeIdle(connection) }
    }

    /// Closes the connections that rest.
    ///
    /// The server has closed one that was just taken from them; the others have rested for longer.
    func closeIdle() {
        for connection in state.withLock({ $0.pool.takeAllIdle() }) {
            _ = connection.close(throwing: CancellationError())
        }
    }

    /// A connection is closed.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - rest: How long it had rested, if it was the server that closed it then.
    func closed(_ connection: HTTPConnection.Handle, after rest: TimeAmount?) {
        let dials = state.withLock { state in
            // Connections that a server closes at once it closes for another reason.
            if let rest, rest > .seconds(1), rest < state.keepAlive {
                state.keepAlive = rest - .nanoseconds(rest.nanoseconds / 8)
            }
            return state.pool.closed(connection)
        }
        dial(dials)
    }

    /// Ends all requests, and closes all connections.
    ///
    /// - Returns: Completes, for each connection, when it is closed.
    func close() -> [EventLoopFuture<Void>] {
        let (waiting, open) = state.withLock { $0.pool.close() }
        for exchange in waiting { exchange.fail(CancellationError()) }
        return open.map { $0.close(throwing: CancellationError()) }
    }

    private func dial(_ count: Int) {
        for _ in 0..<count { dial(on: MultiThreadedEventLoopGroup.singleton.next()) }
    }

    private func dial(on loop: any EventLoop) {
        dialer.dial(on: loop, for: self).whenComplete { result in
            switch result {
            case .success(let connection): self.dialed(connection)
            case .failure(let error):
                let (failed, dials) = self.state.withLock { $0.pool.dialFailed() }
                failed?.fail(error)
                self.dial(dials)
            }
        }
    }

    private func dialed(_ connection: HTTPConnection.Handle) {
        switch state.withLock({ $0.pool.dialed(connection) }) {
        case .start(let exchange): connection.run { $0.begin(exchange) }
        case .rest: connection.run { $0.rest() }
        case .close: _ = connection.close(throwing: CancellationError())
        }
    }
}
