public import Foundation

/// A connection that was used before was closed before any byte of an answer came: the server may have grown tired of
/// it, and not have seen the request.
public struct StaleConnectionError: Error {
    /// The error to throw if the request is not repeated.
    public let lost: URLError

    /// Makes an error.
    ///
    /// - Parameter lost: The error to throw if the request is not repeated.
    public init(_ lost: URLError) {
        self.lost = lost
    }
}
