package import NIOCore

/// A line to an SFTP server: bytes to and fro, in order.
///
/// The system's `ssh` is one; another may come, and tests have their own.
package protocol SFTPChannel: AnyObject, Sendable {
    /// Sends bytes after those that were sent before; returns at once, from any thread.
    func send(_ bytes: ByteBuffer)

    /// Ends the line; nothing is received any more, but that it has ended.
    func close()

    /// The time since a person was last thinking about a question of the login, zero while one is; `nil` if nobody was asked.
    var timeSinceQuestion: Duration? { get }
}

extension SFTPChannel {
    package var timeSinceQuestion: Duration? { nil }
}

/// The receiver of what comes from the server, on one thread at a time.
package protocol SFTPReceiver: AnyObject, Sendable {
    /// Bytes have arrived.
    func received(_ bytes: ByteBuffer)

    /// The line has ended; called once.
    ///
    /// - Parameter error: Why, in the words of whoever knows best; `nil` where it just ended.
    func ended(_ error: (any Error)?)
}

/// Makes lines to one server, as one user.
package protocol SFTPChannelOpener: Sendable {
    /// Makes a line.
    ///
    /// - Parameter receiver: The receiver of the bytes that come.
    /// - Returns: The line. Whether somebody speaks at its other end is seen when the first bytes come.
    /// - Throws: The error that keeps it from being made.
    func openChannel(to receiver: any SFTPReceiver) async throws -> any SFTPChannel

    /// Ends what all lines share; those that are open end, too.
    func shutdown() async
}
