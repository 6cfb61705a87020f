import FerryCore
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

    /// Begins the login.
    let begin: StorageLogin.BrowserLoginStarter

    /// Waits until the user has said yes.
    ///
    /// - Throws: `URLError.timedOut` when that takes too long; errors of the connection; `CancellationError`.
    func run() async throws {
        guard remote.configuration.kind?.addressing == nil || remote.configuration.baseURL != nil else {
            throw CocoaError.location(remote.name, "it has no URL", "make it again with 'ferry remote add --force'")
        }
        let storages = session.storages
        let login = try await begin(remote.configuration, storages.providerEnvironment)
        session.console.tell("open this in a browser, and say yes there:")
        session.console.tell("  " + TerminalText.oneLine(login.loginURL.absoluteString))
        let credential = try await wait(for: login)
        await login.end()
        var configuration = remote.configuration
        configuration.user = credential.user
        // It may have been another user before, of whom nothing holds any more; the trusted certificates stay.
        let kept = Set(configuration.kind?.options.filter { !$0.isLearned }.map(\.name) ?? [])
        configuration.options = configuration.options.filter { kept.contains($0.key) }
        let opening = storages.opening(MemoryCredentialStore([configuration.account: credential]))
        let provider = try await StorageKind.open(configuration, opening)
        configuration = configuration.described(by: provider)
        configuration.options[OwnPassword.key] = OwnPassword.mark(credential)
        let before = try await OwnPassword(storages).revocation(of: remote)
        try await storages.secrets.own(remote).setCredential(credential, for: configuration.account)
        var changed = remote
        changed.configuration = configuration
        try await storages.remotes.update { [changed] file in file.set(changed) }
        await before?.run(session.console)
        session.console.tell(TerminalText.oneLine("\(remote.name): logged in as \(configuration.user ?? "nobody")"))
    }

    private func wait(for login: any StorageBrowserLogin) async throws -> FileProviderCredential {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let credential = try await login.pollCredential() { return credential }
            try await Task.sleep(for: Self.interval)
        }
        throw URLError.answer(.timedOut, description: "nobody said yes in the browser")
    }
}
