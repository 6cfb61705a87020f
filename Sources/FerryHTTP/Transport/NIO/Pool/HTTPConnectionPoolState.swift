import NIOCore

/// Which connections to one origin there are, and which requests wait for one; does nothing itself.
///
/// The connection that was used last is used next: what isn't needed rests, and can be closed. Requests that wait are
/// served in their order, by whichever connection is free first.
struct HTTPConnectionPoolState<Connection: Hashable, Request: Hashable> {
    /// The decision about a request.
    enum Admission: Equatable {
        /// It is sent on this connection.
        case start(Connection)
        /// It waits, and a connection is to be made.
        case dial
        /// It waits.
        case wait
        /// The pool is closed.
        case refuse
    }

    /// The decision about a connection that is free.
    enum Assignment: Equatable {
        /// The request that has waited longest is sent on it.
        case start(Request)
        /// It rests.
        case rest
        /// The pool is closed, and it is to be closed, too.
        case close
    }

    private let limit: Int
    private var open: Set<Connection> = []
    private var idle: [Connection] = []
    private var waiting = CircularBuffer<Request>(initialCapacity: 0)
    private var dialing = 0
    private var isClosed = false

    /// Makes an empty pool.
    ///
    /// - Parameter limit: Connections at a time, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    private var hasRoom: Bool { open.count + dialing < limit }

    /// A request comes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - suits: Returns `true` if a connection is one of those that it does best on; another is used only if no more
    ///     may be made.
    /// - Returns: The decision about the request.
    mutating func add(_ request: Request, suits: (Connection) -> Bool) -> Admission {
        guard !isClosed else { return .refuse }
        if let index = idle.lastIndex(where: suits) { return .start(idle.remove(at: index)) }
        if !hasRoom, let last = idle.popLast() { return .start(last) }
        waiting.append(request)
        guard hasRoom, dialing < waiting.count else { return .wait }
        dialing += 1
        return .dial
    }

    /// Nobody wants the answer of a request any more that waits.
    ///
    /// - Parameter request: The request.
    mutating func remove(_ request: Request) {
        if let index = waiting.firstIndex(of: request) { waiting.remove(at: index) }
    }

    /// A connection was made.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: The decision about the connection.
    mutating func dialed(_ connection: Connection) -> Assignment {
        dialing -= 1
        guard !isClosed else { return .close }
        open.insert(connection)
        return freed(connection)
    }

    /// A connection couldn't be made.
    ///
    /// - Returns: The request that fails with that, and how many connections are to be made now.
    mutating func dialFailed() -> (failed: Request?, dials: Int) {
        dialing -= 1
        return (waiting.popFirst(), takeDials())
    }

    /// A connection has done its work.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: The decision about the connection.
    mutating func freed(_ connection: Connection) -> Assignment {
        guard !isClosed else { return .close }
        if let next = waiting.popFirst() { return .start(next) }
        idle.append(connection)
        return .rest
    }

    /// A connection that rests is to be closed.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: `false` if it doesn't rest any more.
    mutating func takeIdle(_ connection: Connection) -> Bool {
        guard let index = idle.lastIndex(of: connection) else { return false }
        idle.remove(at: index)
        return true
    }

    /// All connections that rest are to be closed.
    ///
    /// - Returns: The connections.
    mutating func takeAllIdle() -> [Connection] {
        defer { idle = [] }
        return idle
    }

    /// A connection is closed.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: How many connections are to be made now.
    mutating func closed(_ connection: Connection) -> Int {
        open.remove(connection)
        _ = takeIdle(connection)
        return takeDials()
    }

    /// Nothing is sent any more.
    ///
    /// - Returns: The requests that wait, and the connections that are open.
    mutating func close() -> (waiting: [Request], open: [Connection]) {
        isClosed = true
        defer { (waiting, idle) = ([], []) }
        return (Array(waiting), Array(open))
    }

    private mutating func takeDials() -> Int {
        let dials = isClosed ? 0 : max(0, min(limit - open.count - dialing, waiting.count - dialing))
        dialing += dials
        return dials
    }
}
