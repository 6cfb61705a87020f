import NIOCore

extension HTTPConnection {
    /// A connection as other threads hold it.
    struct Handle: Sendable, Hashable {
        /// Where the connection lives.
        let loop: any EventLoop

        private let channel: any Channel
        private let connection: NIOLoopBound<HTTPConnection>

        /// Makes a handle, on the connection's event loop.
        init(_ connection: HTTPConnection, channel: any Channel) {
            loop = channel.eventLoop
            self.channel = channel
            self.connection = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        }

        /// Sends a request.
        func begin(_ exchange: HTTPExchange) {
            run { $0.begin(exchange) }
        }

        /// Keeps the connection for the next request.
        func rest() {
            run { $0.rest() }
        }

        /// Sends what was made of a body.
        func sendBody(of exchange: HTTPExchange) {
            run { $0.sendBody(of: exchange) }
        }

        /// Reads on.
        func goOn(_ exchange: HTTPExchange) {
            run { $0.goOn(exchange) }
        }

        /// Closes the connection if the exchange is still under way.
        func abandon(_ exchange: HTTPExchange) {
            run { $0.abandon(exchange) }
        }

        /// Ends what is under way with an error, and closes the connection.
        ///
        /// - Parameter error: The error that the request that is under way throws.
        /// - Returns: Completes when the connection is closed.
        func close(throwing error: any Error) -> EventLoopFuture<Void> {
            run { $0.end(with: error) }
            return channel.closeFuture
        }

        private func run(_ action: @escaping @Sendable (HTTPConnection) -> Void) {
            if loop.inEventLoop {
                action(connection.value)
            } else {
                loop.execute { action(connection.value) }
            }
        }

        static func == (one: Handle, other: Handle) -> Bool { one.channel === other.channel }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(channel))
        }
    }
}
