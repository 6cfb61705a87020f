public import NIOCore

/// A fault that a ``FaultProxy`` inflicts on the bytes that pass through it.
public struct Fault: Sendable {
    /// Which way bytes go.
    public enum Direction: Sendable {
        /// To the server.
        case request
        /// From the server.
        case answer
    }

    /// The effect at the place.
    public enum Effect: Sendable {
        /// Both connections are closed.
        case cut
        /// The client's connection is reset, as by a machine that has lost its memory.
        case reset
        /// Nothing more passes that way, nor is it read; the connections stay open.
        case stall
        /// The client gets this instead of what the server says, and its connection is closed.
        case garbage(ByteBuffer)
    }

    /// From where bytes are counted.
    public enum Counting: Sendable {
        /// For each connection on its own, from its first byte.
        case eachConnection
        /// For all connections together, from the moment when the fault is switched on.
        case fromNow
    }

    /// Which bytes are counted and concerned.
    public var direction: Direction
    /// How many bytes pass before it strikes: it does so as soon as so many have passed, for 0 when the first one comes.
    public var offset: Int
    /// The effect.
    public var effect: Effect
    /// From where bytes are counted.
    public var counting: Counting
    /// How often it strikes, once for each connection; `nil` for always.
    public var times: Int?

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - direction: Which bytes are counted and concerned.
    ///   - offset: How many bytes pass before.
    ///   - counting: From where bytes are counted.
    ///   - times: How often it strikes; `nil` for always.
    public init(
        _ effect: Effect,
        _ direction: Direction,
        after offset: Int,
        counting: Counting = .eachConnection,
        times: Int? = nil
    ) {
        self.direction = direction
        self.offset = offset
        self.effect = effect
        self.counting = counting
        self.times = times
    }

    /// The line is cut while the server answers.
    ///
    /// - Parameters:
    ///   - offset: How many bytes of the answer, head and all, come through.
    ///   - times: How often; `nil` for always.
    /// - Returns: The fault.
    public static func cutAnswer(after offset: Int, times: Int? = nil) -> Fault {
        Fault(.cut, .answer, after: offset, counting: .fromNow, times: times)
    }

    /// The line is cut while the client sends.
    ///
    /// - Parameters:
    ///   - offset: How many bytes of the request, head and all, come through.
    ///   - times: How often; `nil` for always.
    /// - Returns: The fault.
    public static func cutRequest(after offset: Int, times: Int? = nil) -> Fault {
        Fault(.cut, .request, after: offset, counting: .fromNow, times: times)
    }

    /// The server takes requests and never answers.
    public static let silence = Fault(.stall, .answer, after: 0, counting: .fromNow)

    /// The server's answers make no sense.
    public static let nonsense = Fault(
        .garbage(ByteBuffer(string: "\u{1}\u{2} this is no protocol that anybody speaks\r\n\r\n")),
        .answer,
        after: 0,
        counting: .fromNow
    )
}
