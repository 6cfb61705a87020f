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

        /// Does something with the connection, on its event loop: at once if this is called there, else a little later.
        func run(_ action: @escaping @Sendable (HTTPConnection) -> Void) {
            if loop.inEventLoop {
                action(connection.value)
            } else {
                loop.execute { action(connection.value) }
            }
        }

        /// Ends what is under way with an error, and closes the connection.
        ///
        /// - Parameter error: The error that the request that is under way throws.
        /// - Returns: Completes when the connection is closed.
        func close(throwing error: any Error) -> EventLoopFuture<Void> {
            run { $0.end(with: error) }
            return channel.closeFuture
        }

        static func == (one: Handle, other: Handle) -> Bool { one.channel === other.channel }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(channel))
        }
    }
}
