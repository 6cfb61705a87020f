import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote rename`: gives a remote another name.
struct RemoteRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a remote another name.",
        discussion: """
            EXAMPLES
              ferry remote rename work office
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    @Argument(help: ArgumentHelp("Its new name.", valueName: "new-name"))
    var newName: String

    func run() async throws {
        try await Session.run { session in
            try RemoteName.check(newName)
            let old = try await session.storages.remotes.update { [name, newName] file in
                let name = name.hasSuffix(":") ? String(name.dropLast()) : name
                guard file.names.contains(name) else { throw CocoaError.unknownRemote(name) }
                guard !file.names.contains(newName) else {
                    throw CocoaError.location(
                        newName,
                        "there is a remote of this name already",
                        "choose another name, or remove that one"
                    )
                }
                // A broken entry can be renamed, too; then nobody knows what account there is to forget.
                let old = try? file.remote(named: name)
                file.rename(name, to: newName)
                return old
            }
            // Cached items of a login without a user name are stored under the remote's name, which another remote may
            // get.
            if let old, old.configuration.user == nil { await session.storages.forgetAll(of: old) }
        }
    }
}
