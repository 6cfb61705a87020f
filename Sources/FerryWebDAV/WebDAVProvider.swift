public import FerryCore
public import Foundation

/// What ``WebDAVFileProvider`` and ``NextcloudFileProvider`` have in common: all that WebDAV itself can do.
///
/// Each folder beside this file adds one ability as an extension.
public protocol WebDAVProvider: FileProviderBasic {
    /// What the provider talks to its server through.
    var connection: WebDAVConnection { get }
}

extension WebDAVProvider {
    /// The folder that is the provider's root.
    public var baseURL: URL? { connection.baseURL }

    /// Queues, delegates and logger of this provider.
    public var environment: FileProviderEnvironment { connection.environment }
}
