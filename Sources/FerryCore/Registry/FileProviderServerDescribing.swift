/// A server's description of itself, as far as every kind of server has it.
public struct ServerDescription: Sendable, Hashable {
    /// The kind of server, in one word; `nil` if it is not known.
    public var kind: String?

    /// The software that it says it is; `nil` if it says nothing.
    public var software: String?

    /// Indicates whether items can be locked there.
    public var hasLocks: Bool

    /// The kind of storage that can do more with this server; `nil` if the present one is the right one.
    public var betterKind: BetterKind?

    /// A kind of storage that can do more with a server.
    public struct BetterKind: Sendable, Hashable {
        /// The ``StorageKind/type``.
        public let type: String

        /// The reason, in words that begin a sentence.
        public let reason: String

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - type: The ``StorageKind/type``.
        ///   - reason: The reason, in words that begin a sentence.
        public init(type: String, reason: String) {
            self.type = type
            self.reason = reason
        }
    }

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - kind: The kind of server, in one word.
    ///   - software: The software that it says it is.
    ///   - hasLocks: `true` if items can be locked there.
    public init(kind: String? = nil, software: String? = nil, hasLocks: Bool = false) {
        self.kind = kind
        self.software = software
        self.hasLocks = hasLocks
    }
}

/// A storage whose server can be asked, or tried out, for its abilities.
public protocol FileProviderServerDescribing: FileProviderBasic {
    /// Indicates whether this provider has tried its server out, so that its configuration says more than before.
    var hasTriedServer: Bool { get }

    /// Asks the server for its kind and abilities; abilities that it does not name are tried out with a temporary file,
    /// which is removed again.
    ///
    /// - Returns: The description; the provider's capabilities and configuration say the rest afterwards.
    /// - Throws: `URLError.userAuthenticationRequired` and other errors of the connection.
    func describeServer() async throws -> ServerDescription
}
