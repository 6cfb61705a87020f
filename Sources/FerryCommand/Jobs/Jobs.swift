import FerryCore
import FerryTransfer
import Foundation

/// The result of opening the journal: several sources are one command.
struct OpenedJobs {
    /// The journal; `nil` if it can't be used.
    let jobs: Jobs?
}

/// The journal of this person's transfers.
struct Jobs {
    /// The variable that turns it off, with the value `off`.
    static let variable = "FERRY_JOURNAL"

    let journal: TransferJournal

    /// Opens the journal.
    ///
    /// - Parameter session: Says where it is.
    /// - Throws: `CocoaError` that names the file.
    init(_ session: Session) async throws {
        let file = UserFolders(environment: session.environment).journal
        do {
            journal = try await TransferJournal.open(at: file)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CocoaError.location(
                file.path(percentEncoded: false),
                "the journal can't be used (\(error.reasonInWords))",
                "look at the file, or give --no-journal"
            )
        }
        if let damaged = journal.damagedFile {
            let path = damaged.path(percentEncoded: false)
            session.console.tell("ferry: the journal was damaged, and a new one was begun; the old one is \(path)")
        }
    }

    /// The journal, if it is wanted and can be used; else that is told.
    ///
    /// - Parameter session: The session.
    /// - Returns: The journal, or `nil`.
    /// - Throws: `CancellationError`.
    static func open(_ session: Session) async throws -> Jobs? {
        if session.environment[variable]?.lowercased() == "off" { return nil }
        if let opened = session.journal { return opened.jobs }
        do {
            let jobs = try await Jobs(session)
            session.journal = OpenedJobs(jobs: jobs)
            return jobs
        } catch let error as CocoaError {
            session.console.tell(ErrorLine(error).text)
            session.journal = OpenedJobs(jobs: nil)
            return nil
        }
    }

    /// The job that the same command has begun before and not finished.
    ///
    /// - Parameter memo: The command.
    /// - Returns: The job, if there is one.
    /// - Throws: The error that keeps the journal from being read.
    func unfinished(_ memo: JobMemo) async throws -> FerryTransfer.TransferJob? {
        try await journal.jobs().first { $0.state != .running && JobMemo(text: $0.memo) == memo }
    }

    /// Finds a job.
    ///
    /// - Parameter id: Its id or the beginning of it; the only job there is when `nil`.
    /// - Returns: The job.
    /// - Throws: `CocoaError` if it is not clear which.
    func job(_ id: String?) async throws -> FerryTransfer.TransferJob {
        let found = try await journal.jobs().filter { job in id.map { !$0.isEmpty && job.id.hasPrefix($0) } ?? true }
        guard let job = found.first, found.count == 1 else {
            throw CocoaError.location(
                id.map { $0.isEmpty ? "''" : $0 } ?? "jobs",
                found.isEmpty ? "there is no such job" : "there are \(found.count) jobs that could be meant",
                "see them with 'ferry jobs'"
            )
        }
        return job
    }
}
