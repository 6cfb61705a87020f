public import FerryCore
public import FerryHTTP
public import Foundation

/// Files on Yandex Disk, by WebDAV, with its public links.
///
/// ```swift
/// let disk = try YandexDiskFileProvider(
///     credential: FileProviderCredential(user: "alice", secret: .password(appPassword))
/// )
/// let link = try await disk.publicLink(to: "/photo.jpg", options: ShareOptions())
/// ```
///
/// It is made from what Yandex publishes, and has been tried on a stand-in only.
public final class YandexDiskFileProvider: WebDAVProvider {
    /// `webdav`, as of every provider of the same files.
    public static let type = WebDAVFileProvider.type

    /// The address of the service.
    public static let serviceURL = URL(string: "https://webdav.yandex.ru/") ?? URL(filePath: "/")

    private let files: WebDAVFileProvider

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - credential: A user with an app password, or a token.
    ///   - baseURL: The folder that is the provider's root.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on a web server.
    public convenience init(
        credential: FileProviderCredential,
        baseURL: URL = YandexDiskFileProvider.serviceURL,
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        self.init(
            try WebDAVFileProvider(
                baseURL: baseURL,
                credential: credential,
                transport: transport,
                environment: environment
            )
        )
    }

    private init(_ files: WebDAVFileProvider) {
        self.files = files
    }

    /// Adds the public links to a provider of the service's files; `nil` if it is one of another server.
    ///
    /// - Parameter files: The provider.
    package convenience init?(serving files: WebDAVFileProvider) {
        guard WebDAVServerKind.service(at: files.baseURL?.host()?.lowercased() ?? "") == .yandex else { return nil }
        self.init(files)
    }

    /// The connection to the server.
    public var connection: WebDAVConnection { files.connection }

    /// The account there.
    public var credential: FileProviderCredential? { files.credential }

    /// The properties that lists ask for beyond the usual ones.
    public var additionalProperties: [WebDAVPropertyName] { files.additionalProperties }

    /// Adds what the service tells beyond the usual.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - properties: All that the server told.
    public func complete(_ item: inout FileObject, with properties: WebDAVProperties) {
        files.complete(&item, with: properties)
    }
}

extension YandexDiskFileProvider: FileProviderLocking {}
extension YandexDiskFileProvider: FileProviderWholeReading {}
extension YandexDiskFileProvider: FileProviderMonitor {}
extension YandexDiskFileProvider: FileProviderChangeTracking {}
