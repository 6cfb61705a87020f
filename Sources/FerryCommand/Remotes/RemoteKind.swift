import FerryCore
import FerryFTP
import FerrySFTP
import FerryWebDAV
import Foundation

/// The kinds of storages that a remote can be.
enum RemoteKind: String, CaseIterable, Sendable {
    /// Any WebDAV server.
    case webdav
    /// Nextcloud and ownCloud: WebDAV, and what they add to it.
    case nextcloud
    /// A server that is reached over SSH.
    case sftp
    /// An FTP server, with TLS or without.
    case ftp

    /// A server is of another kind than it looked like.
    struct OtherServer: Error {}

    /// Makes the provider that a configuration describes; nothing is sent, unless the configuration says too little.
    ///
    /// - Parameters:
    ///   - configuration: What kind it is, and where.
    ///   - credentials: Where its secret is.
    ///   - environment: Queues, delegates and logger.
    ///   - uploads: The folder in which uploads that are under way are remembered.
    ///   - passwords: Who answers what a server asks by itself; `nil` if nobody is to be asked.
    ///   - isNamed: Whether a person has said what kind it is.
    /// - Returns: The provider.
    /// - Throws: `CocoaError.featureUnsupported` for a kind that this version does not know; what the provider throws;
    ///   ``OtherServer`` if nobody has said what kind it is, and it is another.
    static func open(
        _ configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment,
        uploads: URL,
        asking passwords: PasswordSource? = nil,
        isNamed: Bool = true
    ) async throws -> any FileProviderBasic {
        let configuration = configuration.throughProxies
        switch RemoteKind(rawValue: configuration.type) {
        case .webdav:
            let files = try await WebDAVFileProvider(
                configuration: configuration,
                credentials: credentials,
                environment: environment
            )
            return YandexDiskFileProvider(serving: files) ?? files
        case .nextcloud:
            do {
                return try await NextcloudFileProvider(
                    configuration: configuration,
                    credentials: credentials,
                    environment: environment,
                    uploadsFolder: uploads
                )
            } catch let error as CocoaError where error.code == .coderInvalidValue {
                guard isNamed else { throw OtherServer() }
                throw CocoaError.location(
                    configuration.baseURL?.absoluteString ?? configuration.type,
                    "neither Nextcloud nor ownCloud answers there",
                    "check the URL, or use the type webdav"
                )
            }
        case .sftp:
            return try await SFTPFileProvider(
                configuration: configuration,
                credentials: credentials,
                asking: passwords.map { SSHAnswers(passwords: $0) },
                environment: environment
            )
        case .ftp:
            return try await FTPFileProvider(
                configuration: configuration,
                credentials: credentials,
                environment: environment
            )
        case nil:
            throw CocoaError.location(
                configuration.type,
                "this ferry knows no storage of this type",
                "it knows: " + allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
    }
}
