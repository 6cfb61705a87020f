public import FerryCore
public import FerryHTTP
public import Foundation

/// The folders and files that others share with an account at Dropbox, whether they are mounted in it or not.
///
/// ```swift
/// let shared = DropboxSharedFileProvider(try DropboxFileProvider(token: token), folders: true)
/// for item in try await shared.contentsOfDirectory(path: "/Team plans") { print(item.name) }
/// ```
///
/// The root lists them by their names; of several with the same name each has its identifier in the name. In a folder, all
/// is as in an account: its namespace is the root of the paths, and it is not mounted
/// (<https://www.dropbox.com/developers/reference/path-root-header-modes>). A file is read by the page that shows it, and
/// can't be changed. Links, versions, the trash and changes are for folders that are mounted.
public final class DropboxSharedFileProvider: FileProviderBasicRemote, ConfigurableFileProvider {
    /// `dropbox`.
    public static let type = DropboxFileProvider.type

    /// The page that shows what is shared; where only folders or only files are shown, a URL that tells these apart.
    public let baseURL: URL?

    let account: DropboxFileProvider
    let items: DropboxSharedItems

    private let isReadOnly: Bool

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - account: The account; it ends with this provider.
    ///   - folders: A Boolean value that indicates whether folders are shown.
    ///   - files: A Boolean value that indicates whether files are shown that were shared one by one.
    public init(_ account: DropboxFileProvider, folders: Bool = true, files: Bool = false) {
        self.account = account
        items = DropboxSharedItems(account, folders: folders, files: files)
        isReadOnly = !folders
        // The three views have different items at the same path, so that each has a URL of its own.
        let page = DropboxOptions.vendor("https://www.dropbox.com/share/")
        baseURL = folders && files ? page : page.appending(path: folders ? "folders/" : "files/")
    }

    /// The account, without its secret.
    public var credential: FileProviderCredential? { account.credential }

    /// Queues, delegates and logger.
    public var environment: FileProviderEnvironment { account.environment }

    /// The session that requests go through.
    public var transport: HTTPSession { account.transport }

    /// `nil`: each question is asked anew.
    public var cache: HTTPAnswerCache? { nil }

    /// The account's, with the options that show these items.
    public var configuration: ProviderConfiguration { account.configuration }

    /// The abilities of Dropbox.
    public var capabilities: FileProviderCapabilities {
        var capabilities = account.capabilities
        capabilities.addressesByIdentifier = false
        capabilities.isReadOnly = isReadOnly
        capabilities.versionsOutliveFiles = false
        return capabilities
    }

    /// Returns `nil`: the items have pages of their own, which their paths do not tell.
    ///
    /// - Parameter path: The item.
    /// - Returns: `nil`.
    public func url(of path: ItemPath) -> URL? { nil }

    /// Returns how much space the account has, and how much of it is used.
    ///
    /// - Returns: The properties of the account: folders count for the space of their owners.
    /// - Throws: Errors of the connection and the login.
    public func storageProperties() async throws -> VolumeObject { try await account.storageProperties() }

    /// Ends all requests that are under way, and closes all connections.
    public func invalidate() async { await account.invalidate() }
}
