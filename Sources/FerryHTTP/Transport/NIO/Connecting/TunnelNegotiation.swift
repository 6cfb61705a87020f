import NIOCore

/// What is said to a proxy until it has made a tunnel: a value without a connection.
protocol TunnelNegotiation: Sendable {
    /// Begins.
    ///
    /// - Returns: What is sent first.
    mutating func begin() -> ByteBuffer

    /// Takes what the proxy says.
    ///
    /// - Parameter bytes: What has come.
    /// - Returns: What follows.
    /// - Throws: A refusal.
    mutating func receive(_ bytes: ByteBuffer) throws -> TunnelStep

    /// The proxy has closed the connection.
    ///
    /// - Returns: What that means.
    mutating func closed() -> any Error
}

/// What follows upon what a proxy says.
enum TunnelStep: Equatable {
    /// More is to come.
    case wait
    /// This is sent.
    case send(ByteBuffer)
    /// The tunnel is there; these bytes came through it already.
    case open(ByteBuffer)
}
