import ArgumentParser
import FerryCore

/// `ferry remote show`: all that is kept of a remote, but its secret.
struct RemoteShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is known of a remote, but no password.",
        discussion: """
            EXAMPLES
              ferry remote show work
              ferry remote show work --json | jq -r .url
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            let storages = session.storages
            let remote = try await storages.remotes.existing(name)
            let secret = try await storages.secrets.store.credential(for: remote.configuration.account)?.secret
            let facts = RemoteFacts(remote)
            if json { return try facts.writeJSON(to: session.output) { $0.flag("hasPassword", secret != nil) } }
            let words = secret == nil ? "not stored" : "stored in \(storages.secrets.place)"
            try facts.write([("password", words)], to: session.output, styling: session.styling)
        }
    }
}
