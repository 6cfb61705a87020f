import FerryCore
import FerryCrypto
import Foundation
import GRDB
import Synchronization

/// Remembers the originals of files that were written to a storage which keeps no dates, or changes contents by itself.
///
/// Where listings tell neither the dates of contents nor checksums, an edit that keeps a file's size shows only by this.
/// Where the storage changed a content while it took it, nothing else tells that neither side has changed since.
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
        /// The bytes of the file as the storage has it, where the storage has changed the content; else `nil`.
        var storedSize: Int64?

        /// Returns whether an original is still as it was when it was written.
        ///
        /// - Parameters:
        ///   - original: The original as it is listed now.
        ///   - tolerance: Seconds that two listings of one file may differ by.
        /// - Returns: `false` if its size or date is another one.
        func isOf(_ original: FileObject, tolerance: Double) -> Bool {
            guard size == original.size, let now = original.modifiedDate else { return false }
            return abs(now.timeIntervalSinceReferenceDate - date) <= tolerance
        }

        /// Returns whether a file is still the one that was written.
        ///
        /// - Parameters:
        ///   - item: The file as it is listed now.
        ///   - tolerance: Seconds that two listings of one file may differ by.
        /// - Returns: `nil` where nothing tells.
        func isStill(_ item: FileObject, tolerance: Double) -> Bool? {
            guard storedSize ?? size == item.size else { return false }
            // Apache calls an eTag weak as long as the file is younger than a second.
            if let storedTag, let tag = item.eTag, SourceIdentity.opaque(storedTag) == SourceIdentity.opaque(tag) {
                return true
            }
            guard let storedDate, let date = item.modifiedDate else { return nil }
            let isSameDate = abs(date.timeIntervalSinceReferenceDate - storedDate) <= tolerance
            // Some servers change eTags for no reason: by itself another one proves nothing.
            return isSameDate && storedSize == nil && storedTag != nil && item.eTag != nil ? nil : isSameDate
        }
    }

    private struct Place: Sendable, Hashable {
        let folder: Data
        let name: String
    }

    private struct State {
        var written: [(place: Place, upload: Upload)] = []
        var seen: [(place: Place, date: Double?, tag: String?)] = []
        var rewritten: Set<Place> = []
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
    private let notesAll: Bool
    private let storage: [String]
    private let state = Mutex(State())

    /// Makes a memory.
    ///
    /// - Parameters:
    ///   - journal: Where it is kept.
    ///   - target: Where the copies go.
    ///   - notesAll: `false` to note only files whose contents the storage has changed.
    init(_ journal: TransferJournal, target: TransferPlace, notesAll: Bool = true) {
        database = journal.database
        self.target = target
        self.notesAll = notesAll
        storage = TransferJob.Place(TransferPlace(target.storage, .root)).identity
    }

    /// The table, which journals of earlier versions lack.
    static let table = """
        CREATE TABLE IF NOT EXISTS uploaded (
            folder BLOB NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, date REAL NOT NULL,
            stored REAL, tag TEXT, written REAL NOT NULL, storedSize INTEGER, PRIMARY KEY (folder, name)
        ) WITHOUT ROWID
        """

    /// Makes the table, or adds what the one of an earlier version lacks.
    ///
    /// - Parameter database: The journal.
    /// - Throws: `DatabaseError`.
    static func prepare(_ database: Database) throws {
        func isPrepared() throws -> Bool {
            try Row.fetchAll(database, sql: "PRAGMA table_info(uploaded)").contains { $0["name"] == "storedSize" }
        }
        if try isPrepared() { return }
        try database.inTransaction(.immediate) {
            try database.execute(sql: table)
            // Another process may have added it while we waited.
            if try !isPrepared() { try database.execute(sql: "ALTER TABLE uploaded ADD COLUMN storedSize INTEGER") }
            return .commit
        }
    }

    /// Storage and folder in 16 bytes.
    private func key(_ folder: ItemPath) -> Data {
        let words = (storage + [folder.string]).joined(separator: "\0")
        return Data(HashAlgorithm.sha256.hash(Data(words.utf8)).prefix(16))
    }

    private func place(_ path: ItemPath) -> Place { Place(folder: key(path.parent), name: path.lastName) }

    // MARK: Writing

    /// Notes that a file was written, if the action did so.
    func note(_ action: TransferAction) {
        guard notesAll, action.kind == .add || action.kind == .update, let upload = action.source.flatMap(Upload.init)
        else { return }
        let path = target.path(action.path)
        if path.isRoot { return }
        let place = place(path)
        post { state in
            // Of such a file more is known.
            if !state.rewritten.contains(place) { state.written.append((place, upload)) }
        }
    }

    /// Notes a file whose content the storage has changed while it took it.
    ///
    /// - Parameters:
    ///   - original: The file that was written.
    ///   - path: Where.
    ///   - file: The file, as the storage has it.
    func note(_ original: FileObject, at path: ItemPath, rewrittenTo file: FileObject) {
        guard var upload = Upload(original), let size = file.size, !path.isRoot else { return }
        upload.storedSize = size
        upload.storedDate = file.modifiedDate?.timeIntervalSinceReferenceDate
        upload.storedTag = file.eTag
        let place = place(path)
        post { [upload] state in
            state.rewritten.insert(place)
            state.written.append((place, upload))
        }
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
            sql: """
                INSERT OR REPLACE INTO uploaded (folder, name, size, date, written, stored, tag, storedSize)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        for (place, upload) in notes.written {
            try insertion.execute(arguments: [
                place.folder, place.name, upload.size, upload.date, now, upload.storedDate, upload.storedTag,
                upload.storedSize,
            ])
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
            let sql = "SELECT name, size, date, stored, tag, storedSize FROM uploaded WHERE folder = ?"
            var uploads: [String: Upload] = [:]
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [key])
            while let row = try rows.next() {
                uploads[row[0]] = Upload(
                    size: row[1],
                    date: row[2],
                    storedDate: row[3],
                    storedTag: row[4],
                    storedSize: row[5]
                )
            }
            return uploads
        }
        return found ?? [:]
    }
}

extension UploadMemory.Upload {
    /// Makes a note of a file that is written; `nil` for what has no size or date.
    fileprivate init?(_ original: FileObject) {
        guard original.isRegularFile, let size = original.size, let date = original.modifiedDate else { return nil }
        self.init(size: size, date: date.timeIntervalSinceReferenceDate)
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
        if let upload, upload.storedSize != nil {
            let isKnown = (rule == .standard || rule == .size) && source.isRegularFile && target.isRegularFile
            guard isKnown, upload.isOf(source, tolerance: sourceTolerance),
                upload.isStill(target, tolerance: targetTolerance) == true
            else { return sameness }
            return .same
        }
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
