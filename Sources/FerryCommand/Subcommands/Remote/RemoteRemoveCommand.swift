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

            What is kept on a remote for 'ferry undo', in the hidden folder '.ferry-undo',
            is asked about at a terminal; elsewhere it stays unless --clear-undo is given.

            EXAMPLES
              ferry remote remove work
              ferry remote remove --clear-undo work
            """,
        aliases: ["rm"]
    )

    @Argument(help: .remoteName("The remotes."))
    var names: [String]

    @Flag(name: .customLong("clear-undo"), help: "Remove what is kept on the remotes for undoing, too.")
    var clearsUndo = false

    func run() async throws {
        try await Session.run { session in
            let storages = session.storages
            for name in names {
                try await session.attempt {
                    let name = name.hasSuffix(":") ? String(name.dropLast()) : name
                    try await settleKept(name + ":", session)
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
                }
            }
        }
    }

    /// Removes what is kept on a remote for undoing, if that is wanted, while the remote can still be reached; else says that
    /// it stays.
    private func settleKept(_ prefix: String, _ session: Session) async throws {
        let keeper = HistoryKeeper(session)
        func groups() async throws -> [History.Group] {
            try await keeper.read().groups.filter { !$0.isDropped && $0.places.contains(prefix) }
        }
        guard try await !groups().isEmpty else { return }
        if try await wantsClearing(prefix) {
            return try await HistoryLock.hold(session) {
                try await keeper.drop(try await groups().filter { !$0.isRunning }, on: [prefix])
                await keeper.removeEmptyAside(prefix)
            }
        }
        session.console.tell(
            TerminalText.oneLine(
                "\(prefix) what is kept there for undoing stays in '.ferry-undo'; add the remote again and give "
                    + "'ferry history clear' to remove it"
            )
        )
    }

    private func wantsClearing(_ prefix: String) async throws -> Bool {
        if clearsUndo { return true }
        guard ShellSession.isInteractive else { return false }
        let question = TerminalText.oneLine("\(prefix) remove what is kept there for undoing, too? [y/N] ")
        return try await PasswordSource.confirm(question) ?? false
    }
}
