import FerryCore
import Foundation

extension SFTPLine {
    /// Gives a file its final name.
    ///
    /// - Parameters:
    ///   - temporary: The file, complete.
    ///   - place: The name.
    ///   - isReplacing: `true` if a file there is to be replaced.
    ///   - isFolder: `true` if it is a folder, which replaces nothing.
    ///   - isTemporary: `true` if it has the other name only until then. Else it is a move: a name must be there
    ///     always.
    /// - Throws: `SFTPRefusal`.
    func settle(
        _ temporary: SFTPPath,
        at place: SFTPPath,
        replacing isReplacing: Bool,
        isFolder: Bool = false,
        isTemporary: Bool = true
    ) async throws {
        if isReplacing { return try await replace(place, with: temporary) }
        guard !isFolder, isTemporary, facts.has(.hardlink) else { return try await renameToFree(temporary, place) }
        do {
            // It fails where anything has the name, whoever was quicker.
            try await connection.begin(.hardlink(temporary, to: place)).success()
        } catch let refusal as SFTPRefusal where [.failure, .unsupported, .permissionDenied].contains(refusal.code) {
            // Not every file system has several names for a file.
            return try await renameToFree(temporary, place)
        }
        try await connection.begin(.remove(temporary)).success()
    }

    /// Renames to a name that nothing has.
    private func renameToFree(_ temporary: SFTPPath, _ place: SFTPPath) async throws {
        // Version 3 says that a rename never replaces; not every server looks.
        guard try await connection.begin(.lstat(place)).attributesIfThere() == nil else {
            throw SFTPRefusal(status: SFTPStatus(.failure, "File exists"))
        }
        try await connection.begin(.rename(temporary, to: place)).success()
    }

    private func replace(_ place: SFTPPath, with temporary: SFTPPath) async throws {
        if facts.has(.posixRename) {
            return try await connection.begin(.posixRename(temporary, to: place)).success()
        }
        // The old file is kept until the new one has its name; under a name without a mark, by which the next run would
        // take it for a leftover and remove it.
        let old = place.parent.appending(Array(TemporaryName.make(UUID()).utf8))
        do {
            try await connection.begin(.rename(place, to: old)).success()
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
            return try await connection.begin(.rename(temporary, to: place)).success()
        }
        do {
            try await connection.begin(.rename(temporary, to: place)).success()
        } catch {
            let connection = connection
            await uncancelled { try? await connection.begin(.rename(old, to: place)).success() }
            throw error
        }
        try await connection.begin(.remove(old)).success()
    }
}
