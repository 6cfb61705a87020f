import Foundation

/// A storage at the other end of a line.
public protocol FileProviderBasicRemote: FileProviderBasic {
    /// The type that carries requests: an HTTP client, a connection pool.
    associatedtype Transport: Sendable

    /// The type that remembers answers.
    associatedtype Cache: Sendable

    /// The transport that carries our requests.
    var transport: Transport { get }

    /// The cache that remembers answers, or `nil` if every question is asked anew.
    var cache: Cache? { get }

    /// Cancels all work that is under way and closes connections; later calls throw `CancellationError`.
    func invalidate() async
}

extension FileProviderBasic {
    /// A Boolean value that indicates whether the files are at the other end of a network connection.
    ///
    /// Then each request costs time, and a listing may leave something out.
    package var isRemote: Bool {
        self is any FileProviderBasicRemote || baseURL.map { !$0.isFileURL } ?? false
    }
}
