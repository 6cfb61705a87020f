import Foundation

/// The folder of one index and its files, which is replaced as a whole if it must be.
struct IndexFolder: Sendable {
    /// The store's.
    let directory: String

    var path: String { "\(directory)/v\(IndexSchema.version)" }
    var database: String { path + "/index.sqlite" }
    var files: String { path + "/files" }

    /// Makes the folders, for their owner only.
    ///
    /// - Throws: `CocoaError`, `POSIXError`.
    func make() throws {
        for folder in [directory, path, files] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        // Before there is anything in it: what SQLite puts beside it has the same permissions.
        let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        close(descriptor)
    }

    /// Tells the database from one that was made in its place.
    var identity: Identity? {
        var status = stat()
        return stat(database, &status) == 0 ? Identity(device: UInt64(status.st_dev), file: UInt64(status.st_ino)) : nil
    }

    struct Identity: Sendable, Hashable {
        let device: UInt64
        let file: UInt64
    }

    /// Removes all, in one step as others see it.
    ///
    /// - Returns: `true` if nothing is left under the name.
    func discard() -> Bool {
        let aside = "\(directory)/removed-\(UUID().uuidString.lowercased())"
        guard rename(path, aside) == 0 else {
            if errno == ENOENT { return true }
            // No room for another name: then the index itself goes first, without which the files are nothing.
            for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
            return access(database, F_OK) != 0
        }
        removeLeftovers()
        return true
    }

    /// Removes what was discarded, also by a process that was killed meanwhile.
    func removeLeftovers() {
        // A folder that can't be read, or isn't there yet, has nothing that could be removed now.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where name.hasPrefix("removed-") || Self.isOutdated(name) {
            // Files that can't be removed now are tried again the next time.
            try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
        }
    }

    /// Returns whether a folder has the index of an earlier version, which nobody reads any more.
    private static func isOutdated(_ name: String) -> Bool {
        name.hasPrefix("v") && Int(name.dropFirst()).map { $0 < IndexSchema.version } ?? false
    }

    /// Does something while no other process opens or replaces the index.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that it returns.
    /// - Throws: Any error that it throws; `POSIXError` if there can be no lock.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // Closing it lets go of the lock.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        return try body()
    }
}
