public import FerryCore

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
