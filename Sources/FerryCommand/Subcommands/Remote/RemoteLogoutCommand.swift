import ArgumentParser
import FerryCore

/// `ferry remote logout`: forgets a remote's secret.
struct RemoteLogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget a remote's password; the remote stays.",
        discussion: """
            A password that a login in the browser has made is revoked on the server, too.

            EXAMPLES
              ferry remote logout work
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    func run() async throws {
        try await Session.run { session in
            let remote = try await session.storages.remotes.existing(name)
            let revocation = try await OwnPassword(session.storages).revocation(of: remote)
            try await session.storages.secrets.own(remote).setCredential(nil, for: remote.configuration.account)
            await revocation?.run(session.console)
            // Of a login without a name, nobody could tell whose it was.
            if remote.configuration.user == nil { await session.storages.forgetAll(of: remote) }
        }
    }
}
