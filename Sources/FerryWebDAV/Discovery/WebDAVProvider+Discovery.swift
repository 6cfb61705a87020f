public import FerryCore

extension WebDAVProvider {
    /// Asks the server what it is and can do; ``capabilities`` say it afterwards.
    ///
    /// - Parameter probing: `true` to try out what is not known of such a server, with a temporary file and folder in
    ///   the base folder, which are removed again. Of servers that are known, that is how files get dates, which they can
    ///   be set up for. Where nothing can be written, nothing is learnt by it.
    /// - Returns: The server's description of itself.
    /// - Throws: `URLError.userAuthenticationRequired` and other errors of the connection.
    @discardableResult
    public func discover(probing: Bool = true) async throws -> WebDAVServerDescription {
        try await connection.askWhatItIs()
        let kind = WebDAVServerKind(connection.facts)
        if probing, kind != .nextcloud { try await WebDAVProbe(connection).run(onlyDates: kind.isMeasured) }
        return WebDAVServerDescription(connection.facts)
    }
}

extension WebDAVFileProvider: FileProviderLearning {
    /// Asks the server what it is, if nobody has.
    ///
    /// - Throws: `URLError.userAuthenticationRequired`, errors of the connection.
    package func learnAboutServer() async throws {
        _ = try await connection.traits()
    }

    /// Makes a hidden file in a temporary folder of the base folder, and looks whether it is listed; once, and only on a
    /// server of which that is not known.
    ///
    /// - Throws: Errors of the connection.
    package func learnAboutDotNames() async throws {
        let traits = try await connection.traits()
        guard !traits.listsDotNames, !traits.hidesDotNames, connection.facts.tried.listsDotNames == nil else { return }
        try await WebDAVProbe(connection).runDotNames()
    }
}

extension WebDAVProvider {
    /// Indicates whether the server was tried out.
    public var hasTriedServer: Bool { connection.facts.isTried }

    /// Asks the server for its kind and abilities, and tries out what it does not say.
    ///
    /// - Returns: The description.
    /// - Throws: As ``discover(probing:)``.
    public func describeServer() async throws -> ServerDescription {
        let found = try await discover()
        var description = ServerDescription(kind: found.kind, software: found.software, hasLocks: found.hasLocks)
        if found.kind == WebDAVServerKind.nextcloud.rawValue, !(self is NextcloudFileProvider) {
            description.betterKind = ServerDescription.BetterKind(
                type: NextcloudFileProvider.type,
                reason:
                    "this is a Nextcloud or an ownCloud; a remote of the type nextcloud keeps shares and versions of "
                    + "what is replaced, and can do more"
            )
        }
        return description
    }
}

extension WebDAVFileProvider: FileProviderServerDescribing {}
extension NextcloudFileProvider: FileProviderServerDescribing {}
extension YandexDiskFileProvider: FileProviderServerDescribing {}

extension WebDAVProvider {
    /// The server's abilities, as far as known: few before ``discover(probing:)``, or the first write, has asked.
    public var capabilities: FileProviderCapabilities { connection.capabilities }
}

/// A server's description of itself.
public struct WebDAVServerDescription: Sendable, Hashable, Codable {
    /// The kind of server that it was found to be: `apache`, `nginx`, `lighttpd`, `wsgidav`, `golang`, `nextcloud`,
    /// `yandex`, `fastmail`, `unknown`.
    public let kind: String

    /// The `Server` field of its answers, which may be that of a proxy in front of it.
    public let software: String?

    /// The compliance classes of its `DAV` fields (RFC 4918 §10.1), in order.
    public let complianceClasses: [String]

    /// The methods of its `Allow` fields, in order.
    public let allowedMethods: [String]

    /// Indicates whether items can be locked there.
    public let hasLocks: Bool

    /// Describes what is known.
    ///
    /// - Parameter facts: The known facts about the server.
    package init(_ facts: WebDAVServerFacts) {
        hasLocks = facts.hasLocks
        kind = WebDAVServerKind(facts).rawValue
        software = facts.software
        complianceClasses = (facts.complianceClasses ?? []).sorted()
        allowedMethods = (facts.allowedMethods ?? []).sorted()
    }
}
