public import FerryCore

/// A storage whose requests all go through one session.
///
/// An ``HTTPFileProvider`` gets its operations from what it says of requests and answers. Providers that write all
/// operations themselves need no more than this.
public protocol HTTPBackedFileProvider: FileProvider, FileProviderConditionalReading, FileProviderBasicRemote
where Transport == HTTPSession, Cache == HTTPAnswerCache {
    /// The rules by which a download goes on after a cut.
    var retryPolicy: RetryPolicy { get }
}

extension HTTPBackedFileProvider {
    /// The usual one.
    public var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Nothing is remembered.
    public var cache: HTTPAnswerCache? { nil }

    /// Ends all requests that are under way, and closes all connections.
    public func invalidate() async {
        await transport.invalidate()
    }
}
