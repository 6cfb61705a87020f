import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// `ferry jobs forget`: gives a transfer up.
struct JobsForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Give transfers up.",
        discussion: """
            What was copied stays; parts of files that are not complete are removed from
            the target, unless it can't be reached: then nothing is forgotten.

            EXAMPLES
              ferry jobs forget 1f3a90c4
              ferry jobs forget --all
              ferry jobs forget --keep-parts 1f3a90c4      and leave the target alone
            """
    )

    @Argument(help: "The jobs' ids, as 'ferry jobs' shows them.")
    var ids: [String] = []

    @Flag(help: "Forget all of them.")
    var all = false

    @Flag(help: "Leave parts of files at the target.")
    var keepParts = false

    func validate() throws {
        if ids.isEmpty != all { throw ValidationError("name the jobs, or give --all") }
    }

    func run() async throws {
        try await Session.run { session in
            let jobs = try await Jobs(session)
            let names = all ? try await jobs.journal.jobs().map(\.id) : ids
            for name in names {
                do {
                    try await forget(try await jobs.job(name), jobs, session)
                } catch let error where !Session.isEnd(error) {
                    session.report(error)
                }
            }
        }
    }

    private func forget(_ job: TransferJob, _ jobs: Jobs, _ session: Session) async throws {
        guard job.state != .running else {
            throw CocoaError.location("job \(job.id)", "is running", "wait for it, or end it first")
        }
        var target: Location?
        if !keepParts, !job.unfinishedFiles.isEmpty, let memo = JobMemo(text: job.memo) {
            guard FileManager.default.changeCurrentDirectoryPath(memo.folder) else {
                throw CocoaError.location(memo.folder, "the folder is gone", "give --keep-parts")
            }
            target = try await session.storages.location(memo.target)
        }
        let left = try await jobs.journal.forget(job.id, at: target?.storage)
        for file in left {
            session.console.tell("ferry: note: a part of \(file.path.string) stays at the target")
        }
    }
}
