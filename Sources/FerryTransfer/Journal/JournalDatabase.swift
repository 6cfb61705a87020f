import Foundation
import GRDB

/// The journal's file: tables, and what is done when it can't be read.
enum JournalDatabase {
    /// Of the tables, so that a later version doesn't take them for its own.
    private static let version = 1

    /// Opens a journal, or makes one.
    ///
    /// - Parameter url: The file; its folder is made, readable by its owner only.
    /// - Returns: The database, and where the file was put that was no journal, if it was none.
    /// - Throws: The error that keeps it from being made.
    static func open(_ url: URL) throws -> (DatabaseQueue, damaged: URL?) {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            return (try connect(url), nil)
        } catch let error as DatabaseError where error.meansDamage {
            let aside = url.appendingPathExtension("damaged-\(UUID().uuidString.prefix(8).lowercased())")
            try FileManager.default.moveItem(at: url, to: aside)
            // They belong to the damaged one.
            for suffix in ["-wal", "-shm"] {
                let path = url.path(percentEncoded: false) + suffix
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            }
            return (try connect(url), aside)
        }
    }

    private static func connect(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "ferry.journal"
        // Several processes write at the same time; none of them for long.
        configuration.busyMode = .timeout(10)
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            // Survives the process, as it is; a loss of power takes the last notes, after which a little is sent twice.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        let path = url.path(percentEncoded: false)
        // Before there is anything in it: what SQLite puts beside it has the same permissions.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, close(descriptor) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if found == version { return try probe(database) }
            guard found == 0 else { throw JournalFromElsewhere() }
            try database.inTransaction(.immediate) {
                // Another process may have made them while we waited.
                if try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 { try makeTables(database) }
                return .commit
            }
        }
        return queue
    }

    /// Reads a little of each table, so that damage shows now.
    private static func probe(_ database: Database) throws {
        for table in ["job", "partial", "piece", "done"] {
            _ = try Row.fetchOne(database, sql: "SELECT * FROM \(table) LIMIT 1")
        }
        try UploadMemory.prepare(database)
        _ = try Row.fetchOne(database, sql: "SELECT * FROM uploaded LIMIT 1")
    }

    private static func makeTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE job (
                    id TEXT PRIMARY KEY NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
                    source TEXT NOT NULL, target TEXT NOT NULL, memo TEXT, begun REAL NOT NULL, touched REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX job_key ON job (key);
                CREATE TABLE partial (
                    id INTEGER PRIMARY KEY, job TEXT NOT NULL REFERENCES job ON DELETE CASCADE,
                    path TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (job, path)
                );
                CREATE TABLE piece (
                    partial INTEGER NOT NULL REFERENCES partial ON DELETE CASCADE,
                    start INTEGER NOT NULL, finish INTEGER NOT NULL, sum TEXT, PRIMARY KEY (partial, start)
                ) WITHOUT ROWID;
                CREATE TABLE done (
                    job TEXT NOT NULL REFERENCES job ON DELETE CASCADE, item BLOB NOT NULL, PRIMARY KEY (job, item)
                ) WITHOUT ROWID;
                \(UploadMemory.table);
                PRAGMA user_version = \(version);
                """
        )
    }
}

/// A journal that a later version of Ferry has written.
struct JournalFromElsewhere: Error, LocalizedError {
    var errorDescription: String? { "the journal was written by another version" }
}

extension DatabaseError {
    /// Indicates whether the file is none that SQLite has written, or no longer.
    var meansDamage: Bool { [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(resultCode) }
}
