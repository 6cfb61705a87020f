import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote login`: a remote's secret, anew.
struct RemoteLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Give a remote its password, or log in with a browser.",
        discussion: """
            EXAMPLES
              ferry remote login work
              pass show work | ferry remote login work --password-stdin
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    @Flag(help: "Read the password from the standard input.")
    var passwordStdin = false

    func run() async throws {
        try await Session.run { session in
            let storages = session.storages
            let remote = try await storages.remotes.existing(name)
            let configuration = remote.configuration
            guard let user = configuration.user else {
                throw CocoaError.location(
                    name,
                    "it has no user",
                    "make it again with 'ferry remote add --force --user …'"
                )
            }
            let password =
                passwordStdin
                ? try await PasswordSource.fromStandardInput()
                : try await storages.passwords.password(
                    of: user,
                    at: configuration.baseURL?.host() ?? name,
                    advice: "give it with --password-stdin"
                )
            let credential = FileProviderCredential(user: user, secret: .password(password))
            try await storages.secrets.store.setCredential(credential, for: configuration.account)
        }
    }
}
