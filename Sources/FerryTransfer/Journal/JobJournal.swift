import FerryCore
import FerryCrypto
import Foundation
import GRDB
import Synchronization

/// The notes of one running job in its journal.
///
/// When the journal can't be written any more, that is reported once, and the job goes on without it.
final class JobJournal: Sendable {
    /// A file that is under way.
    struct Entry: Sendable {
        let id: Int64
        let copy: PartialCopy
        let pieces: [WrittenPiece]
    }

    private struct State {
        var hasFailed = false
        var isLost = false
        /// Indicates whether a file or folder that is under way was ever noted, by whichever run.
        var hasEntries: Bool
        /// Files that are done, and not noted yet.
        var done: [Data] = []
    }

    /// Files that are noted together; a dead process has the last ones copied again.
    private static let batch = 500

    let id: String
    /// When its first run began.
    let begun: Date
    private let database: DatabaseQueue
    private let lock: JobLock
    /// Indicates whether an earlier run has not come to its end.
    let isResumed: Bool
    /// Indicates whether an earlier run has noted files as done.
    private let hasDone: Bool
    private let trouble: @Sendable (any Error) -> Void
    private let state: Mutex<State>

    /// Takes over a job.
    ///
    /// - Parameters:
    ///   - id: The job's.
    ///   - begun: When its first run began.
    ///   - database: The journal's.
    ///   - lock: Held until the job ends.
    ///   - left: The notes of earlier runs.
    ///   - trouble: Called once, with the reason, when nothing can be noted any more.
    init(
        id: String,
        begun: Date,
        database: DatabaseQueue,
        lock: JobLock,
        left: JobLeftovers,
        trouble: @escaping @Sendable (any Error) -> Void
    ) {
        self.id = id
        self.begun = begun
        self.database = database
        self.lock = lock
        isResumed = left.isResumed
        hasDone = left.hasDone
        self.trouble = trouble
        state = Mutex(State(hasEntries: left.hasEntries))
    }

    /// Indicates whether what was copied is not to be relied on, and the job is to be forgotten.
    var isLost: Bool {
        get { state.withLock { $0.isLost } }
        set { state.withLock { $0.isLost = newValue } }
    }

    /// A Boolean value that indicates whether no item was done, in this run or an earlier one.
    ///
    /// A refused file's copy that was begun may still be noted.
    var isBlank: Bool { state.withLock { !isResumed && $0.done.isEmpty } }

    /// Indicates whether something can still be noted.
    var works: Bool { state.withLock { !$0.hasFailed } }

    private func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isFirst { trouble(error) }
    }

    /// Does something with the database, and waits for it; `nil` if the journal doesn't work.
    ///
    /// - Parameters:
    ///   - reads: `true` if it changes nothing, and so need not wait for other processes.
    ///   - body: The work on the database.
    /// - Returns: The value that `body` returns.
    private func work<Value: Sendable>(
        reads: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async -> Value? {
        guard works else { return nil }
        do {
            return try await reads ? database.read(body) : database.write(body)
        } catch is CancellationError {
            return nil
        } catch {
            fail(error)
            return nil
        }
    }

    /// Does something with the database after all that was begun before, and doesn't wait for it.
    private func post(_ body: @escaping @Sendable (Database) throws -> Void) {
        guard works else { return }
        database.asyncWrite(body) { _, result in
            if case .failure(let error) = result { self.fail(error) }
        }
    }

    // MARK: Files in parts

    /// Returns what was noted of a file.
    func entry(at path: ItemPath) async -> Entry? {
        guard state.withLock({ $0.hasEntries }) else { return nil }
        let found = await work(reads: true) { [id] database -> Entry? in
            let sql = "SELECT id, record FROM partial WHERE job = ? AND path = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id, path.string]) else { return nil }
            let (number, record): (Int64, String) = (row["id"], row["record"])
            let pieces = try Row.fetchAll(
                database,
                sql: "SELECT start, finish, sum FROM piece WHERE partial = ? ORDER BY start",
                arguments: [number]
            )
            let copy = try JSONDecoder().decode(PartialCopy.self, from: Data(record.utf8))
            // A piece whose record makes no sense is not relied upon: it is sent once more.
            return Entry(id: number, copy: copy, pieces: pieces.compactMap(WrittenPiece.init))
        }
        return found ?? nil
    }

    /// Notes that a file is under way; what was noted of the same file before is forgotten.
    ///
    /// - Returns: The entry to note its pieces with; `nil` if the journal doesn't work.
    func begin(_ copy: PartialCopy, at path: ItemPath) async -> Int64? {
        state.withLock { $0.hasEntries = true }
        return await work { [id] in try Self.insert(copy, at: path, id, $0) }
    }

    /// The same, from a thread that may wait.
    func beginBlocking(_ copy: PartialCopy, at path: ItemPath) -> Int64? {
        guard works else { return nil }
        state.withLock { $0.hasEntries = true }
        do {
            return try database.write { try Self.insert(copy, at: path, id, $0) }
        } catch {
            fail(error)
            return nil
        }
    }

    private static func insert(
        _ copy: PartialCopy,
        at path: ItemPath,
        _ job: String,
        _ database: Database
    ) throws -> Int64 {
        let record = String(decoding: try JSONEncoder().encode(copy), as: UTF8.self)
        try database.execute(sql: "DELETE FROM partial WHERE job = ? AND path = ?", arguments: [job, path.string])
        try database.execute(
            sql: "INSERT INTO partial (job, path, record) VALUES (?, ?, ?)",
            arguments: [job, path.string, record]
        )
        return database.lastInsertedRowID
    }

    /// Notes a piece that the target has.
    func note(_ piece: WrittenPiece, of entry: Int64) {
        post { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?)",
                arguments: [entry, piece.range.lowerBound, piece.range.upperBound, piece.sum]
            )
        }
    }

    /// Forgets pieces that turned out not to be there.
    ///
    /// - Parameters:
    ///   - pieces: Those that are.
    ///   - entry: The entry that they were noted with.
    ///   - copy: The state of the file's copy from now on.
    func keep(_ pieces: [WrittenPiece], of entry: Int64, _ copy: PartialCopy) {
        post { database in
            let record = String(decoding: try JSONEncoder().encode(copy), as: UTF8.self)
            try database.execute(sql: "UPDATE partial SET record = ? WHERE id = ?", arguments: [record, entry])
            try database.execute(sql: "DELETE FROM piece WHERE partial = ?", arguments: [entry])
            for piece in pieces {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?)",
                    arguments: [entry, piece.range.lowerBound, piece.range.upperBound, piece.sum]
                )
            }
        }
    }

    /// Forgets a file that is finished or discarded.
    func forget(_ entry: Int64) {
        post { try $0.execute(sql: "DELETE FROM partial WHERE id = ?", arguments: [entry]) }
    }

    /// Returns what was begun under its final name, and not seen to its end.
    func entriesInPlace() async -> [Entry] {
        guard state.withLock({ $0.hasEntries }) else { return [] }
        let found = await work(reads: true) { [id] database in
            try Row.fetchAll(database, sql: "SELECT id, record FROM partial WHERE job = ?", arguments: [id]).map {
                let record: String = $0["record"]
                let copy = try JSONDecoder().decode(PartialCopy.self, from: Data(record.utf8))
                return Entry(id: $0["id"], copy: copy, pieces: [])
            }
        }
        return (found ?? []).filter(\.copy.write.isInPlace)
    }

    /// Returns what was begun and neither finished nor discarded.
    func leftovers() async -> [PartialWrite] {
        let found = await work(reads: true) { [id] database in
            try String.fetchAll(database, sql: "SELECT record FROM partial WHERE job = ?", arguments: [id]).map {
                try JSONDecoder().decode(PartialCopy.self, from: Data($0.utf8)).write
            }
        }
        return found ?? []
    }

    // MARK: Files that are done

    /// Notes that a file was copied.
    func done(_ path: ItemPath, _ source: SourceIdentity) {
        let batch = state.withLock { state -> [Data] in
            state.done.append(Self.item(path, source))
            guard state.done.count >= Self.batch else { return [] }
            defer { state.done = [] }
            return state.done
        }
        if !batch.isEmpty { post { [id] in try Self.insert(batch, id, $0) } }
    }

    /// Returns whether a file was copied as it is, by an earlier run of the job.
    func isDone(_ path: ItemPath, _ source: SourceIdentity) async -> Bool {
        guard hasDone else { return false }
        let item = Self.item(path, source)
        let found = await work(reads: true) { [id] database in
            let sql = "SELECT 1 FROM done WHERE job = ? AND item = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [id, item]) != nil
        }
        return found ?? false
    }

    /// Path and identity in 16 bytes, so that a million files are not many.
    private static func item(_ path: ItemPath, _ source: SourceIdentity) -> Data {
        let date = source.modifiedDate.map { String($0.timeIntervalSinceReferenceDate) } ?? ""
        let words = "\(path.string)\0\(source.size)\0\(date)\0\(source.eTag ?? "")"
        return Data(HashAlgorithm.sha256.hash(Data(words.utf8)).prefix(16))
    }

    private static func insert(_ items: [Data], _ job: String, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO done VALUES (?, ?)")
        for item in items { try statement.execute(arguments: [job, item]) }
    }

    // MARK: The end

    /// Ends the job.
    ///
    /// - Parameters:
    ///   - isComplete: `true` if all was done: then the job is forgotten.
    ///   - wasInterrupted: `true` if somebody ended it.
    func end(isComplete: Bool, wasInterrupted: Bool = false) async {
        let rest = state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
        let work = { @Sendable [id] (database: Database) in
            if isComplete {
                try database.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id])
                return
            }
            try Self.insert(rest, id, database)
            try database.execute(
                sql: "UPDATE job SET state = ?, touched = ? WHERE id = ?",
                arguments: [wasInterrupted ? "interrupted" : "failed", Date().timeIntervalSince1970, id]
            )
        }
        await uncancelled { [self] in _ = await self.work(work) }
        lock.release()
    }
}

/// The notes that earlier runs of a job have left.
struct JobLeftovers: Sendable {
    /// Indicates whether there was one.
    var isResumed = false
    /// Indicates whether there are files that are done.
    var hasDone = false
    /// Indicates whether there are files or folders that were under way.
    var hasEntries = false
}

extension JobLeftovers {
    init(of job: String, _ database: Database) throws {
        func isThere(_ table: String) throws -> Bool {
            try Row.fetchOne(database, sql: "SELECT 1 FROM \(table) WHERE job = ? LIMIT 1", arguments: [job]) != nil
        }
        self.init(isResumed: true, hasDone: try isThere("done"), hasEntries: try isThere("partial"))
    }
}

extension WrittenPiece {
    fileprivate init?(_ row: Row) {
        let (start, end): (Int64, Int64) = (row["start"], row["finish"])
        guard start >= 0, start < end else { return nil }
        self.init(range: start..<end, sum: row["sum"])
    }
}
