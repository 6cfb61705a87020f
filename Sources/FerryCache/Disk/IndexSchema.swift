import Foundation
import GRDB

/// The tables of the index.
///
/// `size` and `bytes` are what counts for the limit. Triggers keep the totals, count a file's entries, and note files that
/// nobody needs any more, so that whoever comes next removes what a killed process has left.
enum IndexSchema {
    /// Of the tables: another version has a folder of its own.
    static let version = 2

    /// Changes that are remembered.
    static let changes: Int64 = 4096

    /// Settings of each connection.
    static func prepare(_ database: Database) throws {
        try database.execute(sql: "PRAGMA cache_size = -1024")
        if database.configuration.readonly { return }
        // Before there are tables; else it does nothing.
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        // A killed process loses nothing, a loss of power the last notes; `OFF` could then leave totals that don't belong
        // to the entries, which nothing would show.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        try database.execute(sql: "PRAGMA journal_size_limit = 1048576")
    }

    /// Makes the tables, where there are none yet.
    ///
    /// - Parameters:
    ///   - database: A connection, in a transaction.
    ///   - id: Tells this index from others.
    /// - Throws: `DatabaseError`.
    static func make(_ database: Database, id: Int64) throws {
        try database.execute(sql: tables)
        try database.execute(sql: triggers)
        try database.execute(sql: "INSERT INTO state VALUES ('index', ?)", arguments: [id])
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    private static let tables = """
        CREATE TABLE state (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO state VALUES ('bytes', 0);
        INSERT INTO state VALUES ('swept', 0);
        CREATE TABLE account (
            id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, type TEXT NOT NULL, user TEXT NOT NULL, base TEXT NOT NULL
        );
        CREATE TABLE total (
            account INTEGER NOT NULL, kind INTEGER NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY (account, kind)
        ) WITHOUT ROWID;
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, refs INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL, length INTEGER,
            kept INTEGER NOT NULL DEFAULT 0, hash BLOB
        );
        CREATE INDEX file_hash ON file (hash) WHERE hash IS NOT NULL;
        CREATE TABLE piece (
            file INTEGER NOT NULL, start INTEGER NOT NULL, finish INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (file, start)
        ) WITHOUT ROWID;
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, path TEXT NOT NULL, kind INTEGER NOT NULL,
            variant TEXT NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, process INTEGER NOT NULL,
            asked INTEGER NOT NULL, date REAL NOT NULL, etag TEXT, length INTEGER, modified REAL, checksums TEXT,
            movable INTEGER NOT NULL, file INTEGER, count INTEGER NOT NULL, sum INTEGER NOT NULL,
            proof INTEGER NOT NULL, data BLOB
        );
        CREATE UNIQUE INDEX entry_place ON entry (account, path, kind, variant);
        CREATE INDEX entry_used ON entry (used);
        CREATE INDEX entry_file ON entry (file) WHERE file IS NOT NULL;
        CREATE TABLE doomed (name TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT, process INTEGER NOT NULL, account INTEGER, path TEXT NOT NULL,
            below INTEGER NOT NULL, kinds INTEGER
        );
        """

    /// Bytes of an entry with its file's.
    private static func bytes(_ entry: String) -> String {
        "(\(entry).size + ifnull((SELECT bytes FROM file WHERE id = \(entry).file), 0))"
    }

    private static let triggers = """
        CREATE TRIGGER entry_new AFTER INSERT ON entry BEGIN
            INSERT INTO total VALUES (new.account, new.kind, 1, \(bytes("new")))
                ON CONFLICT (account, kind) DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
            UPDATE state SET value = value + new.size WHERE name = 'bytes';
            UPDATE file SET refs = refs + 1 WHERE id = new.file;
        END;
        CREATE TRIGGER entry_gone AFTER DELETE ON entry BEGIN
            UPDATE total SET count = count - 1, bytes = bytes - \(bytes("old"))
                WHERE account = old.account AND kind = old.kind;
            UPDATE state SET value = value - old.size WHERE name = 'bytes';
            UPDATE file SET refs = refs - 1 WHERE id = old.file;
        END;
        CREATE TRIGGER entry_size AFTER UPDATE OF size ON entry BEGIN
            UPDATE total SET bytes = bytes + new.size - old.size WHERE account = new.account AND kind = new.kind;
            UPDATE state SET value = value + new.size - old.size WHERE name = 'bytes';
        END;
        CREATE TRIGGER entry_shared AFTER UPDATE OF file ON entry WHEN old.file IS NOT new.file BEGIN
            UPDATE total SET bytes = bytes - \(bytes("old")) + \(bytes("new"))
                WHERE account = new.account AND kind = new.kind;
            UPDATE file SET refs = refs + 1 WHERE id = new.file;
            UPDATE file SET refs = refs - 1 WHERE id = old.file;
        END;
        CREATE TRIGGER file_new AFTER INSERT ON file BEGIN
            UPDATE state SET value = value + new.bytes WHERE name = 'bytes';
        END;
        CREATE TRIGGER file_size AFTER UPDATE OF bytes ON file BEGIN
            UPDATE state SET value = value + new.bytes - old.bytes WHERE name = 'bytes';
            UPDATE total SET bytes = bytes + (new.bytes - old.bytes) * (
                    SELECT count(*) FROM entry
                    WHERE file = new.id AND entry.account = total.account AND entry.kind = total.kind
                )
                WHERE (account, kind) IN (SELECT account, kind FROM entry WHERE file = new.id);
        END;
        CREATE TRIGGER file_left AFTER UPDATE OF refs ON file WHEN new.refs <= 0 BEGIN
            DELETE FROM file WHERE id = new.id;
        END;
        CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
            UPDATE state SET value = value - old.bytes WHERE name = 'bytes';
            DELETE FROM piece WHERE file = old.id;
            INSERT OR IGNORE INTO doomed VALUES (printf('%016x', old.id));
            INSERT OR IGNORE INTO doomed
                SELECT lower(hex(old.hash)) || '-' || printf('%016x', old.id) WHERE old.hash IS NOT NULL;
        END;
        CREATE TRIGGER piece_new AFTER INSERT ON piece BEGIN
            UPDATE file SET kept = kept + new.finish - new.start WHERE id = new.file;
        END;
        CREATE TRIGGER piece_gone AFTER DELETE ON piece BEGIN
            UPDATE file SET kept = kept - old.finish + old.start WHERE id = old.file;
        END;
        """
}
