import Synchronization

/// A record of all exchanges with a lab, in the order in which they ended.
public final class Journal: Sendable {
    private struct State {
        var exchanges: [Exchange] = []
        var count = 0
        var observer: (@Sendable (Exchange) -> Void)?
        /// The requests that wait for their answers now, by operation, and the most that ever did.
        var waiting: [String: Int] = [:]
        var mostAtOnce: [String: Int] = [:]
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

    /// Returns the largest number of requests for an operation that waited for their answers at the same time.
    ///
    /// The time is that between the end of a request and the beginning of its answer, which includes
    /// ``CloudLab/Options/latency``.
    ///
    /// - Parameter route: The operation in the service's words, such as `files/upload`.
    /// - Returns: 0 if there was no request, or none since the last ``removeAll()``.
    public func mostAtOnce(route: String) -> Int { state.withLock { $0.mostAtOnce[route] ?? 0 } }

    /// The exchanges as JSON, one line each.
    public var jsonLines: String { exchanges.map { $0.jsonLine + "\n" }.joined() }

    /// Forgets all exchanges.
    public func removeAll() { state.withLock { ($0.exchanges, $0.mostAtOnce) = ([], [:]) } }

    /// Sets a function that gets each exchange when it has ended.
    ///
    /// - Parameter observer: The function; it must return quickly. `nil` removes it.
    public func observe(_ observer: (@Sendable (Exchange) -> Void)?) { state.withLock { $0.observer = observer } }

    /// Counts a request as waiting while something is done.
    func counting<Value>(_ route: String, _ body: () async -> Value) async -> Value {
        state.withLock { state in
            let count = state.waiting[route, default: 0] + 1
            state.waiting[route] = count
            state.mostAtOnce[route] = max(count, state.mostAtOnce[route] ?? 0)
        }
        defer { state.withLock { $0.waiting[route, default: 1] -= 1 } }
        return await body()
    }

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
