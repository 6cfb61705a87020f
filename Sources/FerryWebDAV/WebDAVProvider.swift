public import FerryCore
public import FerryHTTP
public import Foundation

/// The common part of ``WebDAVFileProvider`` and ``NextcloudFileProvider``: all that WebDAV itself can do.
///
/// It is an `HTTPFileProvider`: folder `Requests` says what to ask and what the answers mean. Each other folder beside this
/// file adds one ability as an extension, made of these requests.
public protocol WebDAVProvider: HTTPFileProvider {
    /// The connection to the server.
    var connection: WebDAVConnection { get }

    /// The properties to ask for about each item, beyond those that every server has; none by default.
    ///
    /// They are asked for in listings and in ``attributesOfItem(path:)``. A server that doesn't know them leaves them
    /// out, and the item is an item all the same.
    var additionalProperties: [WebDAVPropertyName] { get }

    /// Adds to an item what a server says beyond the usual; nothing by default.
    ///
    /// - Parameters:
    ///   - item: The item, with what every server tells. A folder's size is `nil`.
    ///   - properties: All that the server told: ``additionalProperties`` by their names, as far as they were found.
    func complete(_ item: inout FileObject, with properties: WebDAVProperties)
}

extension WebDAVProvider {
    /// The folder that is the provider's root.
    public var baseURL: URL? { connection.baseURL }

    /// Queues, delegates and logger of this provider.
    public var environment: FileProviderEnvironment { connection.environment }

    /// The session that sends the requests.
    public var transport: HTTPSession { connection.session }

    /// The session's.
    public var retryPolicy: RetryPolicy { connection.session.retryPolicy }

    /// Nothing but what every server has.
    public var additionalProperties: [WebDAVPropertyName] { [] }

    /// Every server's properties are enough.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - properties: All that the server told.
    public func complete(_ item: inout FileObject, with properties: WebDAVProperties) {}
}
