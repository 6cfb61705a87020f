import Synchronization

/// A record of all exchanges with a lab, in the order in which they ended.
public final class Journal: Sendable {
    private struct State {
        var exchanges: [Exchange] = []
        var count = 0
        var observer: (@Sendable (Exchange) -> Void)?
    }

    private let state = Mutex(State())

    init() {}

    /// All exchanges since the start, or since the last ``removeAll()``.
    public var exchanges: [Exchange] { state.withLock(\.exchanges) }

    /// Returns the exchanges with an operation.
    ///
    /// - Parameter route: The operation in the service's words, such as `files/upload`.
    /// - Returns: The exchanges, in order.
    public func exchanges(route: String) -> [Exchange] { exchanges.filter { $0.route == route } }

    /// The exchanges as JSON, one line each.
    public var jsonLines: String { exchanges.map { $0.jsonLine + "\n" }.joined() }

    /// Forgets all exchanges.
    public func removeAll() { state.withLock { $0.exchanges = [] } }

    /// Sets a function that gets each exchange when it has ended.
    ///
    /// - Parameter observer: The function; it must return quickly. `nil` removes it.
    public func observe(_ observer: (@Sendable (Exchange) -> Void)?) { state.withLock { $0.observer = observer } }

    func append(_ exchange: Exchange) {
        var exchange = exchange
        let observer = state.withLock { state in
            exchange.number = state.count
            state.count += 1
            state.exchanges.append(exchange)
            return state.observer
        }
        observer?(exchange)
    }
}
