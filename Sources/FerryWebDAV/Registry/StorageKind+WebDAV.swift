public import FerryCore
import FerryHTTP
import Foundation

extension StorageKind {
    /// Any WebDAV server (RFC 4918), Yandex Disk with its public links among them.
    public static let webDAV: StorageKind = {
        var kind = StorageKind(
            type: WebDAVFileProvider.type,
            displayName: "WebDAV",
            summary: "Any WebDAV server"
        ) { configuration, opening in
            let files = try await WebDAVFileProvider(
                configuration: configuration.throughProxies,
                credentials: opening.credentials,
                environment: opening.environment
            )
            return YandexDiskFileProvider(serving: files) ?? files
        }
        kind.addressing = .web
        kind.logins = [.password, .none, .token, .oauth2(WebDAVOptions.oauth2)]
        kind.options =
            [
                StorageOption(
                    WebDAVOptions.authenticationKey,
                    "Way to prove who you are",
                    value: .choice(["automatic", "basic", "digest", "oauth2"]),
                    default: "automatic"
                )
            ] + WebDAVOptions.oauth2.storageOptions + HTTPOptions.all + [
                StorageOption(WebDAVOptions.triedKey, "Abilities that were found by trying", isLearned: true)
            ]
        kind.examples = [
            "work --type webdav --url https://example.org/dav/ --user alice",
            "lab --type webdav --url https://10.0.0.2/dav/ --user bob --auth digest --ca-file ~/lab-ca.pem",
            "docs --type webdav --url https://example.org/dav/ --auth oauth2"
                + " --authorization-url https://id.example.org/authorize"
                + " --token-url https://id.example.org/token --client-id ferry",
        ]
        kind.rclone = .webDAV(WebDAVFileProvider.type) {
            !RcloneRule.nextcloudVendors.contains($0.value("vendor") ?? "")
        }
        return kind
    }()

    /// Nextcloud and ownCloud: WebDAV, and what they add to it.
    public static let nextcloud: StorageKind = {
        var kind = StorageKind(
            type: NextcloudFileProvider.type,
            displayName: "Nextcloud",
            summary: "Nextcloud and ownCloud, with shares, versions and trash",
            open: openNextcloud
        )
        var addressing = StorageAddressing.web
        addressing.base = { path, user in NextcloudUserPath.base(of: path) }
        kind.addressing = addressing
        kind.logins = [.browser(beginNextcloudLogin), .password]
        kind.asksWhenOpened = true
        kind.offline = nextcloudOffline
        kind.options =
            [
                StorageOption(
                    WebDAVOptions.authenticationKey,
                    "Way to prove who you are",
                    value: .choice(["automatic", "basic", "digest"]),
                    default: "automatic"
                )
            ] + HTTPOptions.all + [
                StorageOption(NextcloudFileProvider.userKey, "Identifier of the user", isLearned: true),
                StorageOption(NextcloudFileProvider.serverKey, "Facts about the server", isLearned: true),
                StorageOption(WebDAVOptions.triedKey, "Abilities that were found by trying", isLearned: true),
            ]
        kind.examples = ["cloud --type nextcloud --url https://cloud.example.org"]
        kind.rclone = .webDAV(NextcloudFileProvider.type) {
            RcloneRule.nextcloudVendors.contains($0.value("vendor") ?? "")
        }
        return kind
    }()

    @Sendable
    private static func openNextcloud(
        _ configuration: ProviderConfiguration,
        _ opening: StorageOpening
    ) async throws -> any FileProviderBasic {
        do {
            let provider = try await NextcloudFileProvider(
                configuration: configuration.throughProxies,
                credentials: opening.credentials,
                environment: opening.environment,
                uploadsFolder: opening.uploadsFolder
            )
            // It is about the files of whoever has logged in, whatever user the URL names.
            guard !opening.isGuess || provider.serves(configuration) else { throw Mismatch() }
            return provider
        } catch let error as CocoaError where error.code == .coderInvalidValue {
            guard !opening.isGuess else { throw Mismatch() }
            throw CocoaError.location(
                configuration.baseURL?.absoluteString ?? configuration.type,
                "neither Nextcloud nor ownCloud answers there",
                "check the URL, or use the type webdav"
            )
        }
    }

    @Sendable
    private static func beginNextcloudLogin(
        _ configuration: ProviderConfiguration,
        _ environment: FileProviderEnvironment
    ) async throws -> any StorageBrowserLogin {
        guard let server = configuration.baseURL else {
            throw CocoaError.location(configuration.type, "it has no URL", "name the server")
        }
        let options = HTTPOptions(configuration.throughProxies.options)
        return try await NextcloudLogin.begin(
            server: server,
            transport: options.makeTransport(),
            environment: environment
        )
    }

    /// Returns a configuration for which no server is asked: user and server are known, or guessed from the URL.
    @Sendable
    private static func nextcloudOffline(
        _ configuration: ProviderConfiguration,
        isGuess: Bool
    ) -> ProviderConfiguration? {
        let options = configuration.options
        if options[NextcloudFileProvider.userKey] != nil, options[NextcloudFileProvider.serverKey] != nil {
            return configuration
        }
        guard isGuess, let base = configuration.baseURL, let path = ItemPath(base.path(percentEncoded: false)),
            let facts = try? JSONEncoder().encode(NextcloudServerFacts())
        else { return nil }
        var known = configuration
        known.options[NextcloudFileProvider.userKey] = NextcloudUserPath.user(of: path) ?? configuration.user
        known.options[NextcloudFileProvider.serverKey] = String(decoding: facts, as: UTF8.self)
        return known
    }
}

extension StorageAddressing {
    /// The URLs of web servers.
    fileprivate static let web = StorageAddressing(
        schemes: [
            Scheme("https", defaultPort: 443), Scheme("http", defaultPort: 80),
            Scheme("davs", url: "https", defaultPort: 443), Scheme("dav", url: "http", defaultPort: 80),
        ],
        example: "https://host/folder/",
        serverWords: "a web server"
    )
}

extension RcloneRule {
    fileprivate static let nextcloudVendors = ["nextcloud", "owncloud"]

    fileprivate static func webDAV(
        _ type: String,
        if applies: @escaping @Sendable (RcloneSection) -> Bool
    ) -> RcloneRule {
        var rule = RcloneRule(type: "webdav") { section in
            guard let url = section.value("url").flatMap({ URL(written: $0) }), url.host() != nil else {
                throw RcloneSection.Problem("it has no valid URL")
            }
            let configuration = ProviderConfiguration(type: type, baseURL: url, user: section.value("user"))
            if let token = section.value("bearer_token") { return RcloneRemote(configuration, secret: .token(token)) }
            let (secret, notes) = section.password()
            return RcloneRemote(configuration, secret: secret, notes: notes)
        }
        rule.applies = applies
        rule.leftOut = ["bearer_token_command", "headers", "unix_socket", "auth_redirect"]
        return rule
    }
}

/// The place of users' files in the paths of a Nextcloud or an ownCloud, whose URLs look like those of any web server.
private enum NextcloudUserPath {
    /// Returns the folder that a user's files are in.
    ///
    /// - Parameter path: A path on the server.
    /// - Returns: The folder; `nil` for a path that can't lead into one.
    static func base(of path: ItemPath) -> ItemPath? {
        let names = path.components
        guard let start = names.firstIndex(of: "remote.php") else { return nil }
        let rest = names[(start + 1)...]
        let count = rest.starts(with: ["webdav"]) ? 1 : rest.starts(with: ["dav", "files"]) && rest.count > 2 ? 3 : 0
        guard count > 0 else { return nil }
        return names[...(start + count)].reduce(.root) { $0.appending(component: $1) }
    }

    /// Returns the user whom a path names.
    ///
    /// - Parameter path: A path on the server.
    /// - Returns: The user's identifier; `nil` if the path leads to the files of whoever has logged in.
    static func user(of path: ItemPath) -> String? {
        guard let base = base(of: path), base.parent.lastName == "files" else { return nil }
        return base.lastName
    }
}

extension NextcloudFileProvider {
    /// Returns whether the files of a URL are those of the user who has logged in, by identifier or by the login's name.
    fileprivate func serves(_ configuration: ProviderConfiguration) -> Bool {
        guard let base = configuration.baseURL, let path = ItemPath(base.path(percentEncoded: false)),
            let user = NextcloudUserPath.user(of: path)
        else { return true }
        return [userID, configuration.user].contains { $0?.lowercased() == user.lowercased() }
    }
}

extension NextcloudFileProvider: FileProviderLoginRevoking {
    /// Withdraws the app password that this provider logs in with, and closes its connections.
    ///
    /// - Throws: As ``revokeAppPassword()``.
    public func revokeLogin() async throws {
        do {
            try await revokeAppPassword()
            await invalidate()
        } catch {
            await invalidate()
            throw error
        }
    }
}

extension NextcloudLogin: StorageBrowserLogin {
    /// Asks the server whether the person has allowed the login.
    ///
    /// - Returns: The credential, once; `nil` as long as nothing was decided.
    /// - Throws: Errors of the connection.
    public func pollCredential() async throws -> FileProviderCredential? { try await poll()?.credential }
}
