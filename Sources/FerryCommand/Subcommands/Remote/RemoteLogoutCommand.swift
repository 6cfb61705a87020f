import ArgumentParser
import FerryCore

/// `ferry remote logout`: forgets a remote's secret.
struct RemoteLogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget a remote's password; the remote stays.",
        discussion: """
            EXAMPLES
              ferry remote logout work
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    func run() async throws {
        try await Session.run { session in
            let remote = try await session.storages.remotes.existing(name)
            try await session.storages.secrets.setCredential(nil, for: remote.configuration.account)
            // Of a login without a name, nobody could tell whose it was.
            if remote.configuration.user == nil { await session.storages.forgetAll(of: remote) }
        }
    }
}
