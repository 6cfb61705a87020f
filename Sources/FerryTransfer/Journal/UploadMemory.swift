import FerryCore
import FerryCrypto
import Foundation
import GRDB
import Synchronization

/// Remembers which date the original of each file had that was written to a storage which keeps no dates.
///
/// Where listings tell neither the dates of contents nor checksums, an edit that keeps a file's size shows only by this.
final class UploadMemory: Sendable {
    /// A file as it was written.
    struct Upload: Sendable, Hashable {
        var size: Int64
        /// The original's modified date at that time, in seconds since the reference date.
        var date: Double
        /// The date that the storage gave the file, as it was first listed afterwards; `nil` if it was not listed yet.
        var storedDate: Double?
    }

    private struct Note: Sendable {
        let folder: Data
        let name: String
        let size: Int64
        let date: Double
    }

    private struct State {
        var notes: [Note] = []
        var count = 0
        var hasFailed = false
    }

    /// Notes that are written together; a process that dies loses the last ones.
    private static let batch = 500

    /// What was written longer ago is forgotten: 400 days.
    private static let age: TimeInterval = 400 * 86_400

    private let database: DatabaseQueue
    private let target: TransferPlace
    private let storage: [String]
    private let state = Mutex(State())

    /// Makes a memory.
    ///
    /// - Parameters:
    ///   - journal: Where it is kept.
    ///   - target: Where the copies go.
    init(_ journal: TransferJournal, target: TransferPlace) {
        database = journal.database
        self.target = target
        storage = TransferJob.Place(TransferPlace(target.storage, .root)).identity
    }

    /// The table, which journals of earlier versions lack.
    static let table = """
        CREATE TABLE IF NOT EXISTS uploaded (
            folder BLOB NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, date REAL NOT NULL, stored REAL,
            written REAL NOT NULL, PRIMARY KEY (folder, name)
        ) WITHOUT ROWID
        """

    /// Storage and folder in 16 bytes.
    private func key(_ folder: ItemPath) -> Data {
        let words = (storage + [folder.string]).joined(separator: "\0")
        return Data(HashAlgorithm.sha256.hash(Data(words.utf8)).prefix(16))
    }

    // MARK: Writing

    /// Notes that a file was written, if the action did so.
    func note(_ action: TransferAction) {
        guard action.kind == .add || action.kind == .update, let item = action.source, item.isRegularFile,
            let size = item.size, let date = item.modifiedDate
        else { return }
        let path = target.path(action.path)
        if path.isRoot { return }
        let note = Note(
            folder: key(path.parent),
            name: path.lastName,
            size: size,
            date: date.timeIntervalSinceReferenceDate
        )
        let notes = state.withLock { state -> [Note] in
            if state.hasFailed { return [] }
            state.notes.append(note)
            state.count += 1
            guard state.notes.count >= Self.batch else { return [] }
            defer { state.notes = [] }
            return state.notes
        }
        guard !notes.isEmpty else { return }
        database.asyncWrite {
            try Self.insert(notes, $0)
        } completion: { _, result in
            // It only saves work: without it files are compared by their sizes.
            if case .failure = result { self.state.withLock { $0.hasFailed = true } }
        }
    }

    /// Writes what is not written yet.
    func flush() async {
        let (notes, isMuch) = state.withLock { state in
            defer { state.notes = [] }
            return (state.notes, state.count >= Self.batch)
        }
        guard !notes.isEmpty || isMuch else { return }
        await uncancelled { [database] in
            try? await database.write { database in
                try Self.insert(notes, database)
                guard isMuch else { return }
                let oldest = Date().timeIntervalSince1970 - Self.age
                try database.execute(sql: "DELETE FROM uploaded WHERE written < ?", arguments: [oldest])
            }
        }
    }

    private static func insert(_ notes: [Note], _ database: Database) throws {
        let now = Date().timeIntervalSince1970
        let statement = try database.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO uploaded (folder, name, size, date, stored, written) VALUES (?, ?, ?, ?, NULL, ?)"
        )
        for note in notes { try statement.execute(arguments: [note.folder, note.name, note.size, note.date, now]) }
    }

    // MARK: Reading

    /// Returns what was written to a folder, by the names that the files have there.
    ///
    /// The dates that the storage has given them are noted, of those that are listed for the first time.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - items: What the target lists in it now.
    /// - Returns: The files that are noted; none if the journal can't be read.
    func uploads(in folder: ItemPath, listed items: [FileObject]) async -> [String: Upload] {
        if items.isEmpty { return [:] }
        let key = key(folder)
        let found = try? await database.read { database in
            let sql = "SELECT name, size, date, stored FROM uploaded WHERE folder = ?"
            var uploads: [String: Upload] = [:]
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [key])
            while let row = try rows.next() {
                uploads[row["name"]] = Upload(size: row["size"], date: row["date"], storedDate: row["stored"])
            }
            return uploads
        }
        guard let uploads = found, !uploads.isEmpty else { return [:] }
        let new = items.compactMap { item -> (String, Double)? in
            guard let upload = uploads[item.name], upload.storedDate == nil, upload.size == item.size,
                let date = item.modifiedDate
            else { return nil }
            return (item.name, date.timeIntervalSinceReferenceDate)
        }
        if !new.isEmpty {
            database.asyncWrite { database in
                let statement = try database.cachedStatement(
                    sql: "UPDATE uploaded SET stored = ? WHERE folder = ? AND name = ?"
                )
                for (name, date) in new { try statement.execute(arguments: [date, key, name]) }
            } completion: { _, _ in
                // The next listing notes it.
            }
        }
        return uploads
    }
}

extension FileComparison {
    /// Compares two files, of which it is known how the target's was written.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: What the target has at the same path.
    ///   - upload: What was noted when the target's file was written; `nil` if nothing was.
    /// - Returns: Whether they are the same.
    func compare(_ source: FileObject, with target: FileObject, writtenAs upload: UploadMemory.Upload?) -> Sameness {
        let sameness = compare(source, with: target)
        guard let upload, tellsBySizeOnly, source.isRegularFile, target.isRegularFile,
            sameness == .same || sameness == .different(.date), upload.size == target.size,
            let date = source.modifiedDate
        else { return sameness }
        let isOriginal = abs(date.timeIntervalSinceReferenceDate - upload.date) <= sourceTolerance
        // Who has written the file since, nobody knows; it isn't what was written then.
        let isOurs =
            target.modifiedDate.map { date in
                upload.storedDate.map { abs(date.timeIntervalSinceReferenceDate - $0) <= targetTolerance } ?? true
            } ?? true
        return isOriginal && isOurs ? .same : .different(.date)
    }
}
