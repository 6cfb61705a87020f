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
            let place = try await storages.secrets.own(remote).place(of: remote.configuration.account)
            let facts = RemoteFacts(remote)
            if json {
                return try facts.writeJSON(to: session.output) { line in
                    line.flag("hasPassword", place != nil)
                    line.text("passwordPlace", place)
                }
            }
            let words = place.map { "stored in \($0)" } ?? "not stored"
            let name = remote.configuration.oauth2 != nil ? "login" : "password"
            try facts.write([(name, words)], to: session.output, styling: session.styling)
        }
    }
}
