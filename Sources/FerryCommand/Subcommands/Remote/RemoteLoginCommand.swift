import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote login`: a remote's secret, anew.
struct RemoteLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Give a remote its password, or log in with a browser.",
        discussion: """
            Some servers let you say yes in a browser, and a password for ferry alone is
            stored; with --password-stdin it is one that you made yourself. With OAuth 2
            you log in with a browser here, with --device on any other device, or with
            --no-browser in a browser on another machine, of which you paste the code or
            the address that it shows. See 'ferry remote types' for the ways that each
            kind of storage has. A token is tried with one request, and kept unless the
            server refuses it.

            EXAMPLES
              ferry remote login work
              pass show work | ferry remote login work --password-stdin
              ferry remote login docs --device
              ferry remote login box --no-browser
              ferry remote login docs --token-stdin < token.json
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    @Flag(help: "Read the password from the standard input.")
    var passwordStdin = false

    @Flag(help: "Read a token from the standard input, or the JSON object that rclone keeps of one.")
    var tokenStdin = false

    @Flag(help: "Log in on another device, with OAuth 2.")
    var device = false

    @Flag(help: "Log in with a browser on another machine, and paste what it shows, with OAuth 2.")
    var noBrowser = false

    func run() async throws {
        try await Session.run { session in
            let remote = try await session.storages.remotes.existing(name)
            try await session.attempt {
                if tokenStdin {
                    try await storeToken(of: remote, session)
                } else if remote.configuration.oauth2 != nil {
                    guard !passwordStdin else { throw ValidationError("--password-stdin is not for OAuth 2") }
                    let way: OAuthLogin.Way = noBrowser ? .pasting : device ? .device : .browser
                    try await OAuthLogin(remote: remote, session: session, way: way).run()
                } else if device || noBrowser {
                    throw ValidationError("--\(device ? "device" : "no-browser") is for remotes with OAuth 2")
                } else if let begin = remote.configuration.kind?.browserLogin, !passwordStdin {
                    try await BrowserLogin(remote: remote, session: session, begin: begin).run()
                } else {
                    try await storePassword(of: remote, session)
                }
            }
        }
    }

    func validate() throws {
        if tokenStdin, passwordStdin || device || noBrowser {
            throw ValidationError("--token-stdin excludes --password-stdin, --device and --no-browser")
        }
        if device, noBrowser { throw ValidationError("--device excludes --no-browser") }
    }

    private func storeToken(of remote: Remote, _ session: Session) async throws {
        guard remote.configuration.kind?.takesToken == true else {
            throw ValidationError("--token-stdin is not for storages of the type '\(remote.configuration.type)'")
        }
        let text = try await PasswordSource.fromStandardInput(.max, noun: "token")
        guard let secret = FileProviderCredential.Secret(token: text) else {
            throw CocoaError.location(
                "standard input",
                "there is no token in it",
                "give the token alone, or rclone's JSON"
            )
        }
        let configuration = remote.configuration
        let credential = FileProviderCredential(user: configuration.user, secret: secret)
        // A token that is refused takes the place of none that may work: it is tried before it is stored.
        let trial = MemoryCredentialStore([configuration.account: credential])
        let doubt = try await TokenTrial(remote: remote, storages: session.storages).run(with: trial)
        let secrets = session.storages.secrets.own(remote)
        try await uncancelled {
            // The trial has renewed it if it had ended.
            let tried = await trial.credential(for: configuration.account)
            try await secrets.setCredential(tried ?? credential, for: configuration.account)
        }
        // Nobody knows whether it is the same person as before.
        if configuration.user == nil { await session.storages.forgetAll(of: remote) }
        let note = doubt.map { ", but the token could not be tried: \($0)" } ?? ""
        session.console.tell(TerminalText.oneLine("\(remote.name): logged in\(note)"))
    }

    private func storePassword(of remote: Remote, _ session: Session) async throws {
        let storages = session.storages
        let configuration = remote.configuration
        guard let user = configuration.user else {
            throw CocoaError.location(
                remote.name,
                "it has no user",
                "make it again with 'ferry remote add --force --user …'"
            )
        }
        let password =
            passwordStdin
            ? try await PasswordSource.fromStandardInput()
            : try await storages.passwords.password(
                of: user,
                at: configuration.baseURL?.host() ?? remote.name,
                advice: "give it with --password-stdin"
            )
        let credential = FileProviderCredential(user: user, secret: .password(password))
        let before = try await OwnPassword(storages).revocation(of: remote)
        try await storages.secrets.own(remote).setCredential(credential, for: configuration.account)
        await before?.run(session.console)
    }
}
