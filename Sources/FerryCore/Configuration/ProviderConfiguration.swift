public import Foundation

/// The description from which a provider is made again: everything but its secrets.
public struct ProviderConfiguration: Sendable, Hashable, Codable {
    /// The kind of storage: ``FileProviderBasic/type``.
    public var type: String

    /// The URL that all paths are relative to; user and password in it are dropped.
    public var baseURL: URL? {
        didSet { baseURL = baseURL?.withoutUserInfo }
    }

    /// The account there.
    public var user: String?

    /// The other options of this kind of storage; never a secret.
    public var options: [String: String]

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - type: The kind of storage.
    ///   - baseURL: The URL that all paths are relative to; user and password in it are dropped.
    ///   - user: The user's name there.
    ///   - options: The other options of this kind of storage.
    public init(type: String, baseURL: URL? = nil, user: String? = nil, options: [String: String] = [:]) {
        self.type = type
        self.baseURL = baseURL?.withoutUserInfo
        self.user = user
        self.options = options
    }

    /// Reads a configuration; a password that somebody put into its URL is dropped.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            type: try container.decode(String.self, forKey: .type),
            baseURL: try container.decodeIfPresent(URL.self, forKey: .baseURL),
            user: try container.decodeIfPresent(String.self, forKey: .user),
            options: try container.decodeIfPresent([String: String].self, forKey: .options) ?? [:]
        )
    }

    /// The name under which a ``CredentialStore`` keeps the secret: type, base URL and user in one text.
    public var account: String {
        "\(type) \(baseURL?.absoluteString ?? "-") \(user ?? "-")"
    }
}

/// A provider that can be written down.
public protocol ConfigurableFileProvider: FileProviderBasic {
    /// The description from which this provider is made again.
    var configuration: ProviderConfiguration { get }
}

/// A provider that can be made from what was written down.
public protocol RestorableFileProvider: ConfigurableFileProvider {
    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``ConfigurableFileProvider/configuration``, in this process or another.
    ///   - credentials: Where its secret is.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type or lacks something.
    init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws
}
