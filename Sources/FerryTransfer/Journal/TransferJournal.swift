public import FerryCore
public import Foundation
import GRDB
import Synchronization

/// Remembers transfers across the death of their process, so that they go on where they were.
///
/// It is one file, that several processes may use at the same time. It holds paths and addresses, and no secret. What is
/// done already shows in the listings of both sides; so the journal holds only what doesn't: which files are begun, which
/// of their bytes the target has, and which files were copied where no listing could tell.
///
/// ```swift
/// let journal = try await TransferJournal.open(at: stateFolder.appending(path: "transfers.sqlite"))
/// let report = try await transfer.run(journal: journal)
/// ```
public final class TransferJournal: Sendable {
    /// The URL to which the file was moved that was in the journal's place and could not be read; `nil` if all was
    /// well.
    public let damagedFile: URL?

    let database: DatabaseQueue
    private let path: String

    /// Opens a journal, or makes one.
    ///
    /// A file that can't be read as a journal is put aside, see ``damagedFile``, and a new one begun.
    ///
    /// - Parameter url: The file; its folder is made if it is missing.
    /// - Returns: The journal.
    /// - Throws: The error that keeps it from being opened or made.
    public static func open(at url: URL) async throws -> TransferJournal {
        try await offThread { try TransferJournal(url) }
    }

    private init(_ url: URL) throws {
        (database, damagedFile) = try JournalDatabase.open(url)
        path = url.path(percentEncoded: false)
    }

    // MARK: Jobs

    /// All jobs that are not done, the latest first.
    ///
    /// - Returns: The jobs.
    /// - Throws: The error that keeps the journal from being read.
    public func jobs() async throws -> [TransferJob] {
        try await database.write { [path] database in
            try Row.fetchAll(database, sql: "SELECT * FROM job ORDER BY touched DESC, id").map { row in
                var job = try TransferJob(row)
                job.unfinishedFiles = try Self.unfinishedFiles(of: job.id, database)
                if job.state == .running, let lock = try JobLock.take(Self.lockPath(path, job.id)) {
                    lock.release()
                    job.state = .interrupted
                }
                return job
            }
        }
    }

    /// Forgets a job, and removes what it has left half done at its target.
    ///
    /// - Parameters:
    ///   - id: The job's.
    ///   - target: The storage of the job's target; `nil` to leave there what is there.
    /// - Returns: Files and folders of which a part stays at the target.
    /// - Throws: `CocoaError.fileNoSuchFile` if there is no such job; `.fileWriteNoPermission` for one that runs; why a
    ///   part can't be removed, and then the job is not forgotten.
    @discardableResult
    public func forget(
        _ id: TransferJob.ID,
        at target: (any FileProviderBasic)?
    ) async throws -> [TransferJob.UnfinishedFile] {
        let (lock, partials, left) = try await database.write { [path] database in
            guard try Row.fetchOne(database, sql: "SELECT 1 FROM job WHERE id = ?", arguments: [id]) != nil else {
                throw CocoaError.file(
                    .fileNoSuchFile,
                    path: .root,
                    description: "there is no job \(id)",
                    suggestion: "list the jobs"
                )
            }
            guard let lock = try JobLock.take(Self.lockPath(path, id)) else {
                throw CocoaError.file(
                    .fileWriteNoPermission,
                    path: .root,
                    description: "job \(id) is running",
                    suggestion: "end it first"
                )
            }
            let records = try String.fetchAll(
                database,
                sql: "SELECT record FROM partial WHERE job = ?",
                arguments: [id]
            )
            let partials = try records.map { try JSONDecoder().decode(PartialCopy.self, from: Data($0.utf8)) }
            return (lock, partials, try Self.unfinishedFiles(of: id, database))
        }
        defer { lock.release() }
        let storage = target as? any FileProviderPartialWriting
        if let storage { for partial in partials { try await storage.discardPartialWrite(partial.write) } }
        try await database.write { try $0.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id]) }
        return storage == nil ? left : []
    }

    /// Goes on with a job that was interrupted, or begins one.
    ///
    /// - Parameters:
    ///   - source: Where the originals are.
    ///   - target: Where the copies go.
    ///   - memo: The text that the caller wants to find with the job.
    ///   - trouble: Called once, with the reason, when nothing can be noted any more.
    /// - Returns: The job; one of the same places that runs already stays alone, and another is begun.
    /// - Throws: The error that keeps the journal from being written.
    func begin(
        from source: TransferJob.Place,
        to target: TransferJob.Place,
        memo: String?,
        trouble: @escaping @Sendable (any Error) -> Void
    ) async throws -> JobJournal {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let words = try [source, target].map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let key = String(decoding: try encoder.encode([source.identity, target.identity]), as: UTF8.self)
        let (id, begun, lock, left) = try await database.write {
            [path] database -> (String, Double, JobLock, JobLeftovers) in
            let now = Date().timeIntervalSince1970
            let sql = "SELECT id, begun FROM job WHERE key = ? ORDER BY begun"
            for row in try Row.fetchAll(database, sql: sql, arguments: [key]) {
                let (id, begun): (String, Double) = (row["id"], row["begun"])
                guard let lock = try JobLock.take(Self.lockPath(path, id)) else { continue }
                try database.execute(
                    sql: "UPDATE job SET state = 'running', touched = ?, memo = ifnull(?, memo) WHERE id = ?",
                    arguments: [now, memo, id]
                )
                return (id, begun, lock, try JobLeftovers(of: id, database))
            }
            while true {
                let id = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
                guard let lock = try JobLock.take(Self.lockPath(path, id)) else { continue }
                try database.execute(
                    sql: "INSERT INTO job VALUES (?, ?, 'running', ?, ?, ?, ?, ?)",
                    arguments: [id, key, words[0], words[1], memo, now, now]
                )
                return (id, now, lock, JobLeftovers())
            }
        }
        let date = Date(timeIntervalSince1970: begun)
        return JobJournal(id: id, begun: date, database: database, lock: lock, left: left, trouble: trouble)
    }

    private static func lockPath(_ journal: String, _ id: String) -> String { "\(journal).\(id).lock" }

    private static func unfinishedFiles(
        of job: String,
        _ database: Database
    ) throws -> [TransferJob.UnfinishedFile] {
        let sql = """
            SELECT record, (SELECT ifnull(sum(finish - start), 0) FROM piece WHERE partial = partial.id) AS written
            FROM partial WHERE job = ? ORDER BY path
            """
        return try Row.fetchAll(database, sql: sql, arguments: [job]).map { row in
            let record: String = row["record"]
            let copy = try JSONDecoder().decode(PartialCopy.self, from: Data(record.utf8))
            return TransferJob.UnfinishedFile(
                path: copy.write.path,
                length: copy.write.length,
                written: min(row["written"], copy.write.length),
                isFolder: copy.write.isFolder
            )
        }
    }
}

extension TransferJob {
    init(_ row: Row) throws {
        func place(_ column: String) throws -> Place {
            let text: String = row[column]
            return try JSONDecoder().decode(Place.self, from: Data(text.utf8))
        }
        self.init(
            id: row["id"],
            state: State(rawValue: row["state"]) ?? .interrupted,
            source: try place("source"),
            target: try place("target"),
            memo: row["memo"],
            begun: Date(timeIntervalSince1970: row["begun"]),
            touched: Date(timeIntervalSince1970: row["touched"]),
            unfinishedFiles: []
        )
    }
}

/// Does something that waits for the disk, away from Swift's own threads.
func offThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
