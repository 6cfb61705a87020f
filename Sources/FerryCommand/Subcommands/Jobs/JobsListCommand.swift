import ArgumentParser
import FerryCore
import FerryTransfer

/// `ferry jobs list`: what was interrupted.
struct JobsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the transfers that are not done.",
        discussion: """
            A line each: its id, what has become of it, what it does, when it was last
            at work, and how many files and folders the target has a part of.

            EXAMPLES
              ferry jobs list
              ferry jobs list --json | jq -r .id
            """
    )

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            for job in try await Jobs(session).journal.jobs() {
                let memo = JobMemo(text: job.memo)
                if json { try write(job, memo, session) } else { try show(job, memo, session) }
            }
        }
    }

    private func write(_ job: TransferJob, _ memo: JobMemo?, _ session: Session) throws {
        try session.output.writeObject { line in
            line.text("id", job.id)
            line.text("state", job.state.rawValue)
            line.text("source", memo?.source ?? job.source.top.string)
            line.text("target", memo?.target ?? job.target.top.string)
            line.text("folder", memo?.folder)
            line.list("arguments", memo?.arguments ?? [])
            line.date("begun", job.begun)
            line.date("touched", job.touched)
            line.objects("unfinishedFiles", job.unfinishedFiles) { file, line in
                line.text("path", file.path.string)
                line.number("length", file.length)
                line.number("written", file.written)
                if file.isFolder { line.flag("isFolder", true) }
            }
        }
    }

    private func show(_ job: TransferJob, _ memo: JobMemo?, _ session: Session) throws {
        let source = memo?.source ?? job.source.top.string
        let target = memo?.target ?? job.target.top.string
        var line = "\(job.id)  \(job.state.rawValue)  \(memo?.arguments.first ?? "transfer") \(source) -> \(target)"
        line += "  \(UTCTime.text(job.touched).prefix(19))Z"
        let files = job.unfinishedFiles.filter { !$0.isFolder }
        let folders = job.unfinishedFiles.count - files.count
        if folders > 0 { line += "  \(Quantity.count(folders, "folder")) begun" }
        if !files.isEmpty {
            let written = Quantity.words(bytes: files.reduce(0) { $0 + $1.written })
            line += "  \(Quantity.count(files.count, "file")) begun, \(written) there"
        }
        session.output.write(name: line)
        try session.output.endLine()
    }
}
