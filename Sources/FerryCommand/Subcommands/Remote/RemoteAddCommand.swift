import ArgumentParser
import FerryCore
import FerryWebDAV
import Foundation

/// `ferry remote add`: gives a storage a name.
struct RemoteAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Give a storage a name.",
        discussion: """
            Without --user the storage is used without a login; Nextcloud wants one with
            'ferry remote login'. 'ferry remote test' tells whether all works.

            EXAMPLES
              ferry remote add work --type webdav --url https://example.org/dav/ \\
                --user alice
              ferry remote add cloud --type nextcloud --url https://cloud.example.org \\
                && ferry remote login cloud
              pass show work | ferry remote add work --type webdav \\
                --url https://example.org/dav/ --user alice --password-stdin
              ferry remote add lab --type webdav --url https://10.0.0.2/dav/ \\
                --user bob --auth digest --ca-file ~/lab-ca.pem
              ferry remote add docs --type webdav --url https://example.org/dav/ \\
                --auth oauth2 --authorization-url https://id.example.org/authorize \\
                --token-url https://id.example.org/token --client-id ferry \\
                && ferry remote login docs
              ferry remote add site --type ftp --url ftp://example.org/htdocs/ \\
                --user alice --option tls=explicit
              ferry remote add lab --type sftp --url sftp://alice@lab.example.org/data
              ferry remote add nas --type sftp --url sftp://bob@nas/~ \\
                --option key-file=~/.ssh/nas --option connections=2
            """
    )

    @Argument(help: .remoteName("The name, without ':' and '/'."))
    var name: String

    @Option(help: "What kind of storage it is.")
    var type: RemoteKind

    @Option(help: "The URL of the folder that is its root.")
    var url: String

    @Option(help: "Who you are there.")
    var user: String?

    @Option(help: "How to prove it (default: what the server asks for).")
    var auth: AuthenticationKind?

    @Option(help: "Trust the certificates in this PEM file, too.", completion: .file())
    var caFile: String?

    @Option(help: "A certificate of your own, as a PEM file.", completion: .file())
    var clientCert: String?

    @Option(help: "Its key, as a PEM file.", completion: .file())
    var clientKey: String?

    @Option(help: "The fingerprint that the server's key must have (sftp).")
    var fingerprint: String?

    @Option(help: ArgumentHelp("How long the server may be silent (default: 60).", valueName: "seconds"))
    var timeout: Int?

    @OptionGroup
    var oauth: RemoteOAuthOptions

    @Option(name: .customLong("option"), help: ArgumentHelp("Anything else it wants to know.", valueName: "key=value"))
    var options: [String] = []

    @Flag(help: "Read the password from the standard input.")
    var passwordStdin = false

    @Flag(help: "Store no password: it is asked for each time.")
    var noPassword = false

    @Flag(help: "Keep nothing of it on this machine: see 'ferry cache'.")
    var noCache = false

    @Flag(help: "Set nothing aside on it: what is done there can't be undone.")
    var noUndo = false

    @Flag(name: .shortAndLong, help: "Replace the remote of that name.")
    var force = false

    func validate() throws {
        for option in options where !option.dropFirst().contains("=") {
            throw ValidationError("--option wants key=value, not '\(option)'")
        }
        if passwordStdin, user == nil { throw ValidationError("--password-stdin wants --user") }
        if passwordStdin, noPassword { throw ValidationError("--no-password and --password-stdin exclude each other") }
        if auth == .oauth2 {
            try oauth.requireComplete()
            if passwordStdin { throw ValidationError("--password-stdin is not for --auth oauth2") }
            if type != .webdav { throw ValidationError("--auth oauth2 is for --type webdav") }
        } else if !oauth.isEmpty {
            throw ValidationError("--token-url and its like want --auth oauth2")
        }
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout wants seconds, from 1 to 86400")
        }
        if clientKey != nil, clientCert == nil { throw ValidationError("--client-key wants --client-cert") }
    }

    func run() async throws {
        try await Session.run { session in
            try RemoteName.check(name)
            let storages = session.storages
            var configuration = try configuration()
            let old = try await storages.remotes.remote(named: name)
            if old != nil, !force { throw CocoaError.remoteExists(name) }
            let key = try RemoteFileOptions.takeKey(from: &configuration, of: type)
            let secret: FileProviderCredential.Secret? =
                if let key { .token(key) } else { try await password(session).map { .password($0) } }
            let credential = secret.map { FileProviderCredential(user: configuration.user, secret: $0) }
            let clientSecret = try await oauth.clientSecret()
            let isAsked = type != .nextcloud || credential != nil
            let known = isAsked ? try await Self.described(configuration, credential, storages) : configuration
            let remote = Remote(
                name: name,
                configuration: known,
                id: old?.id,
                isCached: !noCache,
                isUndoable: !noUndo
            )
            let secrets = storages.secrets.own(remote)
            if let credential { try await secrets.setCredential(credential, for: known.account) }
            if let clientSecret { try await secrets.setCredential(clientSecret, for: known.oauthClientAccount) }
            try await storages.remotes.update { [name, force] file in
                // Whoever came between the look above and now is not replaced either.
                if !force, file.names.contains(name) { throw CocoaError.remoteExists(name) }
                file.set(remote)
            }
            if let old, old.configuration.account != known.account { try await secrets.forget(old.configuration) }
            // What was kept of a login without a name went by the remote's.
            if let old, old.configuration.user == nil { await storages.forgetAll(of: old) }
            let next =
                isAsked && auth != .oauth2
                ? "try 'ferry remote test \(name)'" : "log in with 'ferry remote login \(name)'"
            session.console.tell(TerminalText.oneLine("\(name): is there; \(next)"))
        }
    }

    /// The configuration as its provider writes it down, with what a server has said of itself.
    ///
    /// What can't work is found here, and not kept.
    private static func described(
        _ configuration: ProviderConfiguration,
        _ credential: FileProviderCredential?,
        _ storages: Storages
    ) async throws -> ProviderConfiguration {
        let credentials = MemoryCredentialStore()
        await credentials.setCredential(credential, for: configuration.account)
        let provider = try await RemoteKind.open(
            configuration,
            credentials: credentials,
            environment: storages.providerEnvironment,
            uploads: storages.uploads
        )
        try check(configuration, isUnderstoodBy: provider)
        guard let provider = provider as? any ConfigurableFileProvider else { return configuration }
        var described = provider.configuration
        described.user = configuration.user
        // What the environment says may differ the next time.
        if configuration.options[WebDAVOptions.proxyKey] == nil { described.options[WebDAVOptions.proxyKey] = nil }
        return described
    }

    /// An option that the provider does not keep is one that it does not know.
    private static func check(
        _ configuration: ProviderConfiguration,
        isUnderstoodBy provider: any FileProviderBasic
    ) throws {
        guard let known = (provider as? any ConfigurableFileProvider)?.configuration.options else { return }
        for (key, value) in configuration.options.sorted(by: { $0.key < $1.key }) where known[key] == nil {
            throw CocoaError.location(
                "\(key)=\(value)",
                "a storage of type '\(configuration.type)' knows no such option",
                "leave it out"
            )
        }
    }

    private func configuration() throws -> ProviderConfiguration {
        guard let url = URL(written: url), let scheme = url.scheme?.lowercased(), type.schemes[scheme] != nil,
            url.host()?.isEmpty == false
        else {
            throw CocoaError.location(
                Self.withoutPassword(url),
                "not the URL of \(type.serverWords)",
                "write \(type.exampleURL)"
            )
        }
        guard url.password == nil else {
            throw CocoaError.location(
                Self.withoutPassword(self.url),
                "a password in a URL can be seen by others",
                "leave it out: ferry asks for it, or reads it with --password-stdin"
            )
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = type.schemes[scheme]
        var options: [String: String] = [:]
        for option in self.options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            options[String(parts[0])] = String(parts[1])
        }
        for (key, value) in try fileOptions() { options[key] = value }
        if let fingerprint { options["fingerprint"] = fingerprint }
        try RemoteFileOptions.makeAbsolute(&options, of: type)
        if let timeout { options[WebDAVOptions.timeoutKey] = String(timeout) }
        if auth == .oauth2 {
            options.merge(try oauth.options()) { $1 }
        } else if let auth, auth != .automatic {
            options["authentication"] = auth.rawValue
        }
        let user = user ?? url.user(percentEncoded: false)
        return ProviderConfiguration(type: type.rawValue, baseURL: parts?.url, user: user, options: options)
    }

    /// Files by absolute paths: the remote is used from other folders, too.
    private func fileOptions() throws -> [(String, String)] {
        let paths = LocalPaths()
        return try [
            ("certificate-authority", caFile), ("client-certificate", clientCert), ("client-key", clientKey),
        ]
        .compactMap { key, file in
            guard let file else { return nil }
            let path = try paths.absolutePath(file).string
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CocoaError.location(file, "can't be read", "check the name and its permissions")
            }
            return (key, path)
        }
    }

    private func password(_ session: Session) async throws -> String? {
        guard let user, !noPassword, auth != .oauth2 else { return nil }
        if passwordStdin { return try await PasswordSource.fromStandardInput() }
        // Most log in by a key.
        guard type.beginsWithPassword else { return nil }
        return try await session.storages.passwords.password(
            of: user,
            at: URL(written: url)?.host() ?? name,
            advice: "give it with --password-stdin, or --no-password to be asked later"
        )
    }

    /// A URL to show; what stands between the user and the host may be a secret.
    private static func withoutPassword(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@"), let start = text.range(of: "://")?.upperBound, start <= at else {
            return text
        }
        return String(text[..<start] + text[start..<at].prefix { $0 != ":" } + text[at...])
    }
}

/// How to prove who we are.
enum AuthenticationKind: String, ExpressibleByArgument, CaseIterable {
    case automatic, basic, digest, oauth2
}

extension RemoteKind: ExpressibleByArgument {}

extension CocoaError {
    /// The name is in use.
    static func remoteExists(_ name: String) -> CocoaError {
        .location(name, "there is a remote of this name already", "choose another name, or give --force")
    }
}
