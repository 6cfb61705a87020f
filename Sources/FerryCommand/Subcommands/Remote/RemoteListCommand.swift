import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote list`: all remotes.
struct RemoteListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the remotes.",
        discussion: """
            EXAMPLES
              ferry remote list
              ferry remote list --json | jq -r .name
            """,
        aliases: ["ls"]
    )

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            var remotes: [Remote] = []
            for result in try await session.storages.remotes.all() {
                try await session.attempt { remotes.append(try result.get()) }
            }
            let widths = remotes.reduce(into: (name: 0, type: 0)) { widths, remote in
                widths.name = max(widths.name, remote.name.count)
                widths.type = max(widths.type, remote.configuration.type.count)
            }
            for remote in remotes {
                if json {
                    try RemoteFacts(remote).writeJSON(to: session.output)
                    continue
                }
                let type = remote.configuration.type
                session.output.write(name: remote.name + Self.padding(widths.name - remote.name.count))
                session.output.write(name: type + Self.padding(widths.type - type.count))
                session.output.write(name: RemoteFacts(remote).place)
                try session.output.endLine()
            }
        }
    }

    private static func padding(_ count: Int) -> String { String(repeating: " ", count: count + 2) }
}
