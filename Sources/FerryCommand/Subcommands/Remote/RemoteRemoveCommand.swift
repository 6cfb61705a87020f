import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote remove`: forgets remotes and their secrets.
struct RemoteRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forget remotes and their passwords; nothing on them changes.",
        discussion: """
            A password that a login in the browser has made is revoked on the server, too.

            EXAMPLES
              ferry remote remove work
            """,
        aliases: ["rm"]
    )

    @Argument(help: .remoteName("The remotes."))
    var names: [String]

    func run() async throws {
        try await Session.run { session in
            let storages = session.storages
            for name in names {
                try await session.attempt {
                    let name = name.hasSuffix(":") ? String(name.dropLast()) : name
                    let (removed, others) = try await storages.remotes.update { file in
                        guard file.names.contains(name) else { throw CocoaError.unknownRemote(name) }
                        // A broken entry can be removed, too; then there is no account to forget.
                        let removed = try? file.remote(named: name)
                        file.remove(name)
                        // One that can't be read may show the same files.
                        return (removed, try? file.names.compactMap { try file.remote(named: $0) })
                    }
                    guard let removed else { return }
                    let sharesCache = others.map { others in
                        others.contains { $0.configuration.account == removed.configuration.account }
                    }
                    // Of a login without a name, nobody could tell whose it was; another with a name may be used elsewhere.
                    if removed.configuration.user == nil || sharesCache == false {
                        await storages.forgetAll(of: removed)
                    }
                    let revocation = try await OwnPassword(storages).revocation(of: removed)
                    try await storages.secrets.own(removed).forget(removed.configuration)
                    await revocation?.run(session.console)
                    try await tellKept(name + ":", session)
                }
            }
        }
    }

    /// Says what stays on the storage that was kept there for undoing.
    private func tellKept(_ prefix: String, _ session: Session) async throws {
        let groups = try await HistoryKeeper(session).read().groups
        guard groups.contains(where: { !$0.isDropped && $0.places.contains(prefix) }) else { return }
        session.console.tell(
            TerminalText.oneLine(
                "\(prefix) what is kept there for undoing stays in '.ferry-undo'; add the remote again and give "
                    + "'ferry history clear' to remove it"
            )
        )
    }
}
