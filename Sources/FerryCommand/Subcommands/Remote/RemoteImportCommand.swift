import ArgumentParser
import FerryCore
import FerryHTTP
import Foundation

/// `ferry remote import`: the remotes of an `rclone.conf`.
struct RemoteImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over the remotes of an rclone.conf, passwords included.",
        discussion: """
            Remotes of the types \(types) are taken over,
            and aliases of them. What can't be is reported, and the exit code is 1 then.
            The file stays as it is.

            EXAMPLES
              ferry remote import ~/.config/rclone/rclone.conf
              ferry remote import ~/.config/rclone/rclone.conf work lab
            """
    )

    /// rclone's types that have a counterpart here.
    private static var types: String {
        Set(StorageKind.ofRemotes.compactMap(\.rclone?.type)).sorted().joined(separator: ", ")
    }

    @Argument(help: ArgumentHelp("The rclone.conf.", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: .remoteName("Only these remotes (default: all)."))
    var names: [String] = []

    @Flag(name: .shortAndLong, help: "Replace remotes that have the same name.")
    var force = false

    func run() async throws {
        try await Session.run { session in
            let file = try await read()
            let plan = RcloneImport(file)
            for name in names where !file.sections.contains(where: { $0.name == name }) {
                session.report(CocoaError.location(name, "there is no such remote in \(self.file)", "check the name"))
            }
            for section in file.sections where names.isEmpty || names.contains(section.name) {
                try await session.attempt { try await take(section, plan.outcome(of: section), session) }
            }
        }
    }

    private func read() async throws -> RcloneFile {
        let path = try LocalPaths().absolutePath(file).string
        let bytes = try await BlockingWork.run { try PrivateFile(path: path).read() }
        guard let bytes else { throw CocoaError.location(file, "no such file", "check the name") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CocoaError.location(file, "not UTF-8", "is it an rclone.conf?")
        }
        return try RcloneFile(text, path: file)
    }

    private func take(
        _ section: RcloneFile.Section,
        _ outcome: RcloneImport.Outcome,
        _ session: Session
    ) async throws {
        let name = section.name
        switch outcome {
        case .needless(let reason):
            session.console.tell("\(TerminalText.oneLine(name)): skipped, \(TerminalText.oneLine(reason))")
        case .unsupported(let reason):
            throw CocoaError.location(name, reason, "it was skipped")
        case .remote(var imported):
            for (name, value) in imported.configuration.options.sorted(by: { $0.key < $1.key })
            where imported.configuration.kind?.option(named: name)?.accepts(value) == false {
                imported.configuration.options[name] = nil
                imported.notes.append("'\(name)' was left out, since it can't be '\(value)'")
            }
            let configuration = imported.configuration
            try RemoteName.check(name)
            let storages = session.storages
            let old = try await storages.remotes.remote(named: name)
            if old != nil, !force { throw CocoaError.remoteExists(name) }
            let remote = Remote(name: name, configuration: configuration, id: old?.id)
            let secrets = storages.secrets.own(remote)
            if let old, !old.configuration.leadsWhere(configuration) { try await secrets.forget(old.configuration) }
            if let secret = imported.secret {
                let credential = FileProviderCredential(user: configuration.user, secret: secret)
                try await secrets.setCredential(credential, for: configuration.account)
            }
            if let clientSecret = imported.clientSecret {
                let credential = FileProviderCredential(user: nil, secret: .password(clientSecret))
                try await secrets.setCredential(credential, for: configuration.oauthClientAccount)
            }
            try await storages.remotes.update { [force] file in
                if !force, file.names.contains(name) { throw CocoaError.remoteExists(name) }
                file.set(remote)
            }
            session.console.tell(
                ([name + ": imported"] + imported.notes).map(TerminalText.oneLine).joined(separator: ", ")
            )
        }
    }
}
