import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// `ferry jobs resume`: gives the same command again.
struct JobsResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with a transfer.",
        discussion: """
            As if the same command were given again in the same folder.

            EXAMPLES
              ferry jobs resume                the only one there is
              ferry jobs resume 1f3a           the beginning of its id will do
            """
    )

    @Argument(help: "The job's id, as 'ferry jobs' shows it.")
    var id: String?

    func run() async throws {
        var found: JobMemo?
        try await Session.run { session in found = try await memo(session) }
        guard let found else { throw ExitCode.failure }
        guard let command = try FerryCommand.parseAsRoot(found.arguments) as? any ResumableCommand else {
            let name = found.arguments.first ?? "the command"
            throw CocoaError.location(name, "is no transfer that can go on", "give it again yourself")
        }
        try await command.run(arguments: found.arguments)
    }

    /// The command that began the job; the process is then where that was given.
    private func memo(_ session: Session) async throws -> JobMemo {
        let job = try await Jobs(session).job(id)
        guard job.state != .running else {
            throw CocoaError.location("job \(job.id)", "is running", "wait for it, or end it first")
        }
        guard let memo = JobMemo(text: job.memo) else {
            throw CocoaError.location("job \(job.id)", "was begun by another program", "go on with it there")
        }
        guard FileManager.default.changeCurrentDirectoryPath(memo.folder) else {
            throw CocoaError.location(memo.folder, "the folder is gone that the command was given in", "make it again")
        }
        return memo
    }
}
