import ArgumentParser
import FerryCore
import FerryHTTP
import Foundation

/// `ferry remote add`: gives a storage a name.
struct RemoteAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Give a storage a name.",
        discussion: """
            At a terminal you are asked for the type, the URL and the options that
            are missing. Without --user the storage is used without a login, or log
            in afterwards with 'ferry remote login'. 'ferry remote types' lists types
            and options, and 'ferry remote test' tries all of it.

            EXAMPLES
              ferry remote add work
              \(examples.indentedAfterFirstLine(by: 2))
              pass show work | ferry remote add … --user alice --password-stdin
            """
    )

    private static var examples: String {
        StorageKind.ofRemotes.flatMap(\.exampleLines).joined(separator: "\n")
    }

    @Argument(help: .remoteName("The name, without ':' and '/'."))
    var name: String

    @Option(help: "Kind of storage: see 'ferry remote types'.", completion: .list(StorageKind.typeNames))
    var type: String?

    @Option(help: "URL of the folder that is its root.")
    var url: String?

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

    @Option(help: "Fingerprint that the server's key must have.")
    var fingerprint: String?

    @Option(help: ArgumentHelp("How long the server may be silent (default: 60).", valueName: "seconds"))
    var timeout: Int?

    @OptionGroup
    var oauth: RemoteOAuthOptions

    @Option(
        name: .customLong("option"),
        help: ArgumentHelp("Any option that 'ferry remote types' lists.", valueName: "key=value")
    )
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
        if passwordStdin, noPassword { throw ValidationError("--no-password and --password-stdin exclude each other") }
        if auth == .oauth2, passwordStdin { throw ValidationError("--password-stdin is not for --auth oauth2") }
        if let type { try validate(Self.kind(type)) }
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout wants seconds, from 1 to 86400")
        }
        if clientKey != nil, clientCert == nil { throw ValidationError("--client-key wants --client-cert") }
    }

    /// The kind of a type that was given as an argument.
    private static func kind(_ type: String) throws -> StorageKind {
        guard let kind = StorageKind.ofRemotes.first(where: { $0.type == type }) else {
            throw ValidationError(
                "no storage is of the type '\(type)'; there are: " + StorageKind.typeNames.joined(separator: ", ")
            )
        }
        return kind
    }

    /// Checks the arguments that depend on the kind of storage.
    private func validate(_ kind: StorageKind) throws {
        if url != nil, kind.addressing == nil { throw ValidationError("--url is not for --type \(kind.type)") }
        if passwordStdin, !kind.takesPassword {
            throw ValidationError("--password-stdin is not for --type \(kind.type)")
        }
        if kind.oauth2 == nil, !oauth.isEmpty { throw ValidationError("OAuth 2 is not for --type \(kind.type)") }
        if usesOAuth2(kind) {
            guard kind.oauth2 != nil else { throw ValidationError("--auth oauth2 is not for --type \(kind.type)") }
        } else if !oauth.isEmpty {
            throw ValidationError("--token-url and its like want --auth oauth2")
        }
    }

    private func usesOAuth2(_ kind: StorageKind) -> Bool {
        auth == .oauth2 || kind.oauth2.map { $0.selector == nil && !oauth.isEmpty } ?? false
    }

    func run() async throws {
        try await Session.run { session in
            try RemoteName.check(name)
            let storages = session.storages
            let old = try await storages.remotes.remote(named: name)
            if old != nil, !force { throw CocoaError.remoteExists(name) }
            let answers = try await questions.ask()
            let kind = answers.kind
            try validate(kind)
            var configuration = try configuration(answers)
            try kind.check(configuration.options)
            let key = try RemoteFileOptions.takeSecret(from: &configuration, of: kind)
            let secret: FileProviderCredential.Secret? =
                if let key { .token(key) } else { try await password(configuration, session).map { .password($0) } }
            let credential = secret.map { FileProviderCredential(user: configuration.user, secret: $0) }
            let clientID = kind.oauth2.flatMap { configuration.options[$0.option("client-id")] }
            let clientSecret = try await oauth.clientSecret(of: clientID)
            let isAsked = !kind.asksWhenOpened || credential != nil
            let known = isAsked ? try await Self.described(configuration, credential, storages) : configuration
            let remote = Remote(
                name: name,
                configuration: known,
                id: old?.id,
                isCached: !noCache,
                isUndoable: !noUndo
            )
            let secrets = storages.secrets.own(remote)
            // Secrets stay with the place that they were given for.
            if let old, !old.configuration.leadsWhere(known) { try await secrets.forget(old.configuration) }
            if let credential { try await secrets.setCredential(credential, for: known.account) }
            if let clientSecret { try await secrets.setCredential(clientSecret, for: known.oauthClientAccount) }
            try await storages.remotes.update { [name, force] file in
                // Whoever came between the look above and now is not replaced either.
                if !force, file.names.contains(name) { throw CocoaError.remoteExists(name) }
                file.set(remote)
            }
            // Cached items of a login without a user name are stored under the remote's name.
            if let old, old.configuration.user == nil { await storages.forgetAll(of: old) }
            let next =
                isAsked && known.oauth2 == nil
                ? "try 'ferry remote test \(name)'" : "log in with 'ferry remote login \(name)'"
            session.console.tell(TerminalText.oneLine("\(name): is there; \(next)"))
        }
    }

    /// The questions about what the arguments leave out.
    private var questions: RemoteQuestions {
        let own: [(name: String, isGiven: Bool)] = [
            ("certificate-authority", caFile != nil), ("client-certificate", clientCert != nil),
            ("client-key", clientKey != nil), ("fingerprint", fingerprint != nil), ("timeout", timeout != nil),
            ("authentication", auth != nil),
        ]
        return RemoteQuestions(
            type: type,
            url: url,
            user: user,
            options: options,
            ownOptions: Set(own.filter(\.isGiven).map(\.name)),
            oauthOptions: oauth.names
        )
    }

    /// The configuration as its provider writes it down, with what a server has said of itself.
    ///
    /// A configuration that can't work is found here, and not kept.
    private static func described(
        _ configuration: ProviderConfiguration,
        _ credential: FileProviderCredential?,
        _ storages: Storages
    ) async throws -> ProviderConfiguration {
        let credentials = MemoryCredentialStore()
        await credentials.setCredential(credential, for: configuration.account)
        let provider = try await StorageKind.open(configuration, storages.opening(credentials))
        var described = configuration.described(by: provider)
        described.user = configuration.user
        return described
    }

    /// The URL as the provider takes it.
    private static func url(_ text: String, of addressing: StorageAddressing) throws -> URL? {
        guard let url = URL(written: text), let scheme = url.scheme?.lowercased(),
            let meaning = addressing.scheme(scheme), url.host()?.isEmpty == false
        else {
            throw CocoaError.location(
                withoutPassword(text),
                "not the URL of \(addressing.serverWords)",
                "write \(addressing.example)"
            )
        }
        guard url.password == nil else {
            throw CocoaError.location(
                withoutPassword(text),
                "a password in a URL can be seen by others",
                "leave it out: ferry asks for it, or reads it with --password-stdin"
            )
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = meaning.url
        return parts?.url
    }

    private func configuration(_ answers: RemoteQuestions.Answers) throws -> ProviderConfiguration {
        let kind = answers.kind
        let url = try kind.addressing.flatMap { try Self.url(answers.url ?? "", of: $0) }
        var options: [String: String] = [:]
        for option in self.options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            options[String(parts[0])] = String(parts[1])
        }
        options.merge(answers.options) { $1 }
        for (key, value) in try fileOptions() { options[key] = value }
        if let fingerprint { options["fingerprint"] = fingerprint }
        try RemoteFileOptions.makeAbsolute(&options, of: kind)
        if let timeout { options["timeout"] = String(timeout) }
        if usesOAuth2(kind), let login = kind.oauth2 {
            options = try oauth.adding(to: options, login)
        } else if let auth, auth != .automatic {
            options["authentication"] = auth.rawValue
        }
        let user = answers.user ?? url?.user(percentEncoded: false)
        return ProviderConfiguration(type: kind.type, baseURL: url, user: user, options: options)
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

    private func password(_ configuration: ProviderConfiguration, _ session: Session) async throws -> String? {
        guard let user = configuration.user else {
            if passwordStdin { throw ValidationError("--password-stdin wants --user") }
            return nil
        }
        guard !noPassword, configuration.oauth2 == nil else { return nil }
        if passwordStdin { return try await PasswordSource.fromStandardInput() }
        // Most log in by a key, where a program logs in.
        guard let kind = configuration.kind, kind.takesPassword, !kind.logsInByProgram else { return nil }
        // Of a user who is named in the URL only, a script need not give a password.
        guard self.user != nil || ShellSession.isInteractive else { return nil }
        return try await session.storages.passwords.password(
            of: user,
            at: configuration.baseURL?.host() ?? name,
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

extension CocoaError {
    /// The name is in use.
    static func remoteExists(_ name: String) -> CocoaError {
        .location(name, "there is a remote of this name already", "choose another name, or give --force")
    }
}
