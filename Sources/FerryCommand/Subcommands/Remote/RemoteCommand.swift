import ArgumentParser
import FerryCore

/// `ferry remote`: the storages that have names.
struct RemoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Manage remotes: storages that have a name.",
        discussion: """
            A remote is used as NAME:path wherever a location is meant. What describes it
            is kept in $XDG_CONFIG_HOME/ferry/remotes.toml (~/.config), its password
            apart: in the desktop's keyring where there is one (FERRY_KEYRING=off: none),
            else in $XDG_DATA_HOME/ferry/credentials.json (~/.local/share), which only
            you can read.

            A password is asked for at the terminal, or read from the standard input
            with --password-stdin; it is never an argument, where others could see it.
            Wherever ferry would ask for a password, FERRY_PASSWORD answers.

            EXAMPLES
              ferry remote types
              \(StorageKind.ofRemotes.first.flatMap(\.exampleLines.first) ?? "")
              ferry remote test work
              ferry ls work:reports
            """,
        subcommands: [
            RemoteTypesCommand.self, RemoteAddCommand.self, RemoteListCommand.self, RemoteShowCommand.self,
            RemoteTestCommand.self,
            RemoteLoginCommand.self, RemoteLogoutCommand.self, RemoteRenameCommand.self, RemoteRemoveCommand.self,
            RemoteImportCommand.self,
        ]
    )
}

extension ArgumentHelp {
    /// The name of a remote.
    static func remoteName(_ purpose: String) -> ArgumentHelp {
        ArgumentHelp(purpose, valueName: "name")
    }
}
