/// A storage at the other end of a line.
public protocol FileProviderBasicRemote: FileProviderBasic {
    /// What carries requests: an HTTP client, a connection pool.
    associatedtype Transport: Sendable

    /// What remembers answers.
    associatedtype Cache: Sendable

    /// What carries our requests.
    var transport: Transport { get }

    /// What remembers answers, or `nil` if every question is asked anew.
    var cache: Cache? { get }

    /// Cancels all work that is under way and closes connections; later calls throw `CancellationError`.
    func invalidate() async
}
