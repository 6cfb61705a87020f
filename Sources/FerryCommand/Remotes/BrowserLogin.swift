import FerryCore
import FerryWebDAV
import Foundation

/// A login in the browser, after which a password for ferry alone is stored.
struct BrowserLogin {
    /// The remote, which learns who the user is.
    let remote: Remote

    /// Where to say what to open.
    let session: Session

    /// The time between two questions to the server.
    private static let interval = Duration.seconds(1)

    /// The server waits no longer than twenty minutes.
    private static let patience = Duration.seconds(20 * 60)

    /// Waits until the user has said yes.
    ///
    /// - Throws: `URLError.timedOut` when that takes too long; errors of the connection; `CancellationError`.
    func run() async throws {
        guard let server = remote.configuration.baseURL else {
            throw CocoaError.location(remote.name, "it has no URL", "make it again with 'ferry remote add --force'")
        }
        let storages = session.storages
        let options = WebDAVOptions(remote.configuration.options)
        let login = try await NextcloudLogin.begin(
            server: server,
            transport: WebDAVOptions(remote.configuration.throughProxies.options).makeTransport(),
            environment: storages.providerEnvironment
        )
        session.console.tell("open this in a browser, and say yes there:")
        session.console.tell("  " + TerminalText.oneLine(login.loginURL.absoluteString))
        let granted = try await wait(for: login)
        await login.end()
        var configuration = remote.configuration
        configuration.user = granted.credential.user
        // It may have been another user before, of whom nothing holds any more; whom to trust stays.
        configuration.options = options.dictionary
        let credentials = MemoryCredentialStore([configuration.account: granted.credential])
        let provider = try await RemoteKind.open(
            configuration,
            credentials: credentials,
            environment: storages.providerEnvironment,
            uploads: storages.uploads
        )
        if let provider = provider as? any ConfigurableFileProvider { configuration = provider.configuration }
        configuration.options[OwnPassword.key] = OwnPassword.mark(granted.credential)
        let before = try await OwnPassword(storages).revocation(of: remote)
        try await storages.secrets.own(remote).setCredential(granted.credential, for: configuration.account)
        var changed = remote
        changed.configuration = configuration
        try await storages.remotes.update { [changed] file in file.set(changed) }
        await before?.run(session.console)
        session.console.tell(TerminalText.oneLine("\(remote.name): logged in as \(configuration.user ?? "nobody")"))
    }

    private func wait(for login: NextcloudLogin) async throws -> NextcloudLogin.Granted {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let granted = try await login.poll() { return granted }
            try await Task.sleep(for: Self.interval)
        }
        throw URLError.answer(.timedOut, description: "nobody said yes in the browser")
    }
}
