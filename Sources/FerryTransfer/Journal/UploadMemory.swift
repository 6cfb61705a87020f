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
        /// The date and the eTag that the storage gave the file, as they were seen right afterwards; `nil` for what it did not
        /// tell.
        var storedDate: Double?
        var storedTag: String?

        /// Returns whether a file is still the one that was written.
        ///
        /// - Parameters:
        ///   - item: The file as it is listed now.
        ///   - tolerance: Seconds that two listings of one file may differ by.
        /// - Returns: `nil` where nothing tells.
        func isStill(_ item: FileObject, tolerance: Double) -> Bool? {
            guard size == item.size else { return false }
            // Apache calls an eTag weak as long as the file is younger than a second.
            if let storedTag, let tag = item.eTag, ItemStamp.strong(storedTag) == ItemStamp.strong(tag) { return true }
            guard let storedDate, let date = item.modifiedDate else { return nil }
            let isSameDate = abs(date.timeIntervalSinceReferenceDate - storedDate) <= tolerance
            // Some servers change eTags for no reason: by itself another one proves nothing.
            return isSameDate && storedTag != nil && item.eTag != nil ? nil : isSameDate
        }
    }

    private struct Place: Sendable {
        let folder: Data
        let name: String
    }

    private struct State {
        var written: [(place: Place, size: Int64, date: Double)] = []
        var seen: [(place: Place, date: Double?, tag: String?)] = []
        var count = 0
        var hasFailed = false

        mutating func take() -> State {
            defer { (written, seen) = ([], []) }
            return self
        }
    }

    /// Notes that are written together; a process that dies loses the last ones.
    private static let batch = 500

    /// Files are remembered for 400 days.
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
            folder BLOB NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, date REAL NOT NULL,
            stored REAL, tag TEXT, written REAL NOT NULL, PRIMARY KEY (folder, name)
        ) WITHOUT ROWID
        """

    /// Storage and folder in 16 bytes.
    private func key(_ folder: ItemPath) -> Data {
        let words = (storage + [folder.string]).joined(separator: "\0")
        return Data(HashAlgorithm.sha256.hash(Data(words.utf8)).prefix(16))
    }

    private func place(_ path: ItemPath) -> Place { Place(folder: key(path.parent), name: path.lastName) }

    // MARK: Writing

    /// Notes that a file was written, if the action did so.
    func note(_ action: TransferAction) {
        guard action.kind == .add || action.kind == .update, let item = action.source, item.isRegularFile,
            let size = item.size, let date = item.modifiedDate
        else { return }
        let path = target.path(action.path)
        if path.isRoot { return }
        let place = place(path)
        post { $0.written.append((place, size, date.timeIntervalSinceReferenceDate)) }
    }

    /// Notes how the target lists a file that was written just now.
    func see(_ item: FileObject) {
        guard item.isRegularFile, item.modifiedDate != nil || item.eTag != nil else { return }
        let place = place(item.path)
        post { $0.seen.append((place, item.modifiedDate?.timeIntervalSinceReferenceDate, item.eTag)) }
    }

    /// Adds a note, and writes all that wait when there are many.
    private func post(_ add: (inout State) -> Void) {
        let notes = state.withLock { state -> State? in
            if state.hasFailed { return nil }
            add(&state)
            state.count += 1
            return state.written.count + state.seen.count >= Self.batch ? state.take() : nil
        }
        guard let notes else { return }
        database.asyncWrite {
            try Self.insert(notes, $0)
        } completion: { _, result in
            // It only saves work: without it files are compared by their sizes, and that is said.
            if case .failure = result { self.state.withLock { $0.hasFailed = true } }
        }
    }

    /// Writes what is not written yet.
    ///
    /// That the journal can't be written is no failure of the transfer: files are compared by their sizes then, and that is
    /// said.
    func flush() async {
        let notes = state.withLock { $0.take() }
        guard notes.count > 0, !notes.hasFailed else { return }
        // Looking for the old ones takes a moment where there are very many.
        let forgets = notes.count >= Self.batch || Int.random(in: 0..<50) == 0
        await uncancelled { [database] in
            try? await database.write { database in
                try Self.insert(notes, database)
                guard forgets else { return }
                let oldest = Date().timeIntervalSince1970 - Self.age
                try database.execute(sql: "DELETE FROM uploaded WHERE written < ?", arguments: [oldest])
            }
        }
    }

    private static func insert(_ notes: State, _ database: Database) throws {
        let now = Date().timeIntervalSince1970
        let insertion = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO uploaded (folder, name, size, date, written) VALUES (?, ?, ?, ?, ?)"
        )
        for note in notes.written {
            try insertion.execute(arguments: [note.place.folder, note.place.name, note.size, note.date, now])
        }
        let update = try database.cachedStatement(
            sql: "UPDATE uploaded SET stored = ?, tag = ? WHERE folder = ? AND name = ?"
        )
        for note in notes.seen {
            try update.execute(arguments: [note.date, note.tag, note.place.folder, note.place.name])
        }
    }

    // MARK: Reading

    /// Returns the files that were written to a folder, by the names that they have there.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The files that are noted; none if the journal can't be read: then they are compared by their sizes, and that
    ///   is said.
    func uploads(in folder: ItemPath) async -> [String: Upload] {
        let key = key(folder)
        let found = try? await database.read { database in
            let sql = "SELECT name, size, date, stored, tag FROM uploaded WHERE folder = ?"
            var uploads: [String: Upload] = [:]
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [key])
            while let row = try rows.next() {
                uploads[row[0]] = Upload(size: row[1], date: row[2], storedDate: row[3], storedTag: row[4])
            }
            return uploads
        }
        return found ?? [:]
    }
}

extension FileComparison {
    /// Compares two files, of which it is known how the target's was written.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: The file at the same path of the target.
    ///   - upload: The note of when the target's file was written; `nil` if there is none.
    /// - Returns: The result of the comparison.
    func compare(_ source: FileObject, with target: FileObject, writtenAs upload: UploadMemory.Upload?) -> Sameness {
        let sameness = compare(source, with: target)
        guard let upload, tellsBySizeOnly, source.isRegularFile, target.isRegularFile,
            sameness == .same || sameness == .different(.date), let date = source.modifiedDate
        else { return sameness }
        guard abs(date.timeIntervalSinceReferenceDate - upload.date) <= sourceTolerance else {
            return .different(.date)
        }
        guard let isStill = upload.isStill(target, tolerance: targetTolerance) else { return sameness }
        // Nobody knows what was written to the file since.
        return isStill ? .same : .different(.date)
    }
}
