import Synchronization

/// The exchanges of one transport that haven't come to a connection yet.
///
/// AsyncHTTPClient tells a connection nothing about a request but its head; so the exchange's number travels in a field
/// of it, which ``HTTPLineHandler`` takes out again before anything is sent.
final class HTTPExchanges: Sendable {
    /// The field that the number is in.
    static let field = "ferry-exchange"

    private struct State {
        var next: UInt64 = 0
        var waiting: [UInt64: HTTPExchange] = [:]
    }

    private let state = Mutex(State())

    /// Keeps an exchange until a connection asks for it.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: Its number.
    func add(_ exchange: HTTPExchange) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.waiting[state.next] = exchange
            return state.next
        }
    }

    /// Gives an exchange away.
    ///
    /// - Parameter number: Its number.
    /// - Returns: The exchange, once.
    @discardableResult
    func take(_ number: UInt64?) -> HTTPExchange? {
        guard let number else { return nil }
        return state.withLock { $0.waiting.removeValue(forKey: number) }
    }
}
