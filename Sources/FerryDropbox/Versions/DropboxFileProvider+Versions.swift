public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: FileProviderVersioning {
    /// Revisions that Dropbox tells at once.
    private static let mostRevisions: Int64 = 100

    /// Returns the earlier contents of a file, also those that it had under other names.
    ///
    /// - Parameter path: The file.
    /// - Returns: Versions, latest first; 100 at most.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func versions(of path: ItemPath) async throws -> [FileVersion] {
        let history = try await mappingRefusals { try await revisions(of: path, mode: "id") }
        guard !history.isDeleted else { throw CocoaError.noSuchItem(path) }
        // The first one is the present content; a move makes a revision, too, which has no content of its own.
        return zip(history.entries, history.entries.dropFirst()).compactMap { later, entry in
            guard let rev = entry.rev, entry.contentHash == nil || entry.contentHash != later.contentHash else {
                return nil
            }
            return FileVersion(
                id: rev,
                modifiedDate: DropboxDate.date(entry.serverModified),
                size: entry.size,
                eTag: rev
            )
        }
    }

    /// Opens an earlier content for reading.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Returns: Its bytes.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        guard DropboxCommit.isRevision(version.id) else { throw CocoaError.noSuchItem(path) }
        return try await contentStream(path: ItemPath(revision: version.id), range: .all, reporting: nil)
    }

    /// Makes an earlier content the present one.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        guard DropboxCommit.isRevision(version.id) else { throw CocoaError.noSuchItem(path) }
        try await restore(revision: version.id, to: try await pathFromRoot(path))
    }

    /// Restores a revision.
    ///
    /// - Parameters:
    ///   - rev: The revision.
    ///   - path: Where the file is to be.
    /// - Throws: `CocoaError.fileNoSuchFile` if the revision is no longer kept.
    func restore(revision rev: String, to path: ItemPath) async throws {
        do {
            _ = try await connection.call(
                "files/restore",
                ["path": .text(DropboxPath.text(path)), "rev": .text(rev)],
                about: path,
                isIdempotent: false
            )
        } catch let error as DropboxError {
            if error.tags.first == "invalid_revision" { throw CocoaError.noSuchItem(path, underlying: error) }
            throw error.mapped(whileWriting: true)
        }
    }

    /// Asks for the revisions of a file.
    ///
    /// - Parameters:
    ///   - path: The file; it may be deleted.
    ///   - mode: `id` for those of the file wherever it was, `path` for those of all files that were there.
    /// - Returns: The revisions, latest first.
    /// - Throws: ``DropboxError``; errors of the connection.
    func revisions(of path: ItemPath, mode: String) async throws -> DropboxRevisions {
        try await connection.call(
            "files/list_revisions",
            ["path": .text(DropboxPath.text(path)), "mode": .text(mode), "limit": .integer(Self.mostRevisions)],
            as: DropboxRevisions.self,
            about: path
        )
    }
}

/// The revisions of a file.
struct DropboxRevisions: Decodable, Sendable {
    let isDeleted: Bool
    let serverDeleted: String?
    let entries: [DropboxMetadata]

    private enum CodingKeys: String, CodingKey {
        case entries
        case isDeleted = "is_deleted"
        case serverDeleted = "server_deleted"
    }
}
