import NIOCore

/// The negotiation with a proxy until it has made a tunnel: a value without a connection.
protocol TunnelNegotiation: Sendable {
    /// Begins.
    ///
    /// - Returns: The bytes that are sent first.
    mutating func begin() -> ByteBuffer

    /// Takes what the proxy says.
    ///
    /// - Parameter bytes: The bytes that have come.
    /// - Returns: The next step.
    /// - Throws: A refusal.
    mutating func receive(_ bytes: ByteBuffer) throws -> TunnelStep

    /// The proxy has closed the connection.
    ///
    /// - Returns: The error that the closing means.
    mutating func closed() -> any Error
}

/// The next step after a proxy's answer.
enum TunnelStep: Equatable {
    /// More is to come.
    case wait
    /// This is sent.
    case send(ByteBuffer)
    /// The tunnel is there; these bytes came through it already.
    case open(ByteBuffer)
}
