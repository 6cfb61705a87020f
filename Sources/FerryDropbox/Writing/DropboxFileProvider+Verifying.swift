import FerryCore
import Foundation

extension DropboxFileProvider {
    /// Compares a file that was written with what was sent; one that differs is taken back.
    ///
    /// - Parameters:
    ///   - metadata: The description of the file.
    ///   - hash: The content hash of what was sent; `nil` if that is not known.
    ///   - size: Bytes that were sent.
    ///   - commit: How the content became a file.
    /// - Returns: The file.
    /// - Throws: `CocoaError.fileWriteUnknown` if it differs.
    func verified(
        _ metadata: DropboxMetadata,
        hash: String?,
        size: Int64,
        _ commit: DropboxCommit
    ) async throws -> FileObject {
        var commit = commit
        if commit.keepsBoth { commit.path = commit.path.parent.appending(DropboxPath.name(metadata.name)) }
        let final = commit
        var item = try item(metadata, at: commit.path)
        let hasSameHash = hash == nil || metadata.contentHash == nil || metadata.contentHash == hash
        let isSame = metadata.size == size && hasSameHash
        guard isSame else {
            let takenBack: Void? = try? await uncancelled { try await self.takeBack(metadata, final) }
            let rest = takenBack == nil ? ", and still there" : ""
            throw CocoaError.file(
                .fileWriteUnknown,
                path: commit.path,
                description: "what Dropbox has stored is not what was sent\(rest)",
                suggestion: "try again"
            )
        }
        folders.note(commit.path.parent)
        seen.note(item)
        if let hash, metadata.contentHash == hash { item.extras[.isVerified] = true }
        return item
    }

    /// Removes a damaged file, or brings back the content before it.
    private func takeBack(_ metadata: DropboxMetadata, _ commit: DropboxCommit) async throws {
        let text = DropboxPath.text(commit.path)
        if commit.options.overwrite || commit.options.ifMatch != nil, let id = metadata.id.flatMap({ ItemPath($0) }) {
            // Of the same file: at its path there may be revisions of another that was removed long ago.
            let history = try await revisions(of: id, mode: "id").entries.compactMap(\.rev)
            // Somebody has replaced it since: that is not to be undone.
            if history.dropFirst().contains(where: { $0 == metadata.rev }) { return }
            if history.first == metadata.rev, let before = history.dropFirst().first {
                _ = try await connection.call(
                    "files/restore",
                    ["path": .text(text), "rev": .text(before)],
                    isIdempotent: false
                )
                return
            }
        }
        // Only the revision that was written: what somebody has written since stays.
        _ = try await connection.call(
            "files/delete_v2",
            ["path": .text(text), "parent_rev": .text(metadata.rev)],
            isIdempotent: false
        )
    }

    /// Returns the file if it was written although no answer came.
    ///
    /// - Parameters:
    ///   - commit: How the content was to become a file.
    ///   - hash: The content hash of what was sent.
    ///   - error: The failure.
    /// - Returns: `nil` if another content is there, or none.
    /// - Throws: The error, if the file can't be asked for.
    func stored(_ commit: DropboxCommit, hash: String, after error: any Error) async throws -> FileObject? {
        let item: FileObject?
        do {
            item = try await attributesIfExists(path: commit.path)
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch _ {
            // An item that could not be looked at is no proof of anything: the write has failed, as far as is known.
            throw error
        }
        return item.flatMap { isStored($0, commit, hash: hash) ? $0 : nil }
    }

    /// Returns whether a file is what was to be written.
    ///
    /// - Parameters:
    ///   - file: The file that is there.
    ///   - commit: How the content was to become a file.
    ///   - hash: The content hash of what was sent.
    /// - Returns: `false` if its content or its date is another.
    func isStored(_ file: FileObject, _ commit: DropboxCommit, hash: String) -> Bool {
        guard file.extras[.checksums]?[.dropbox] == hash else { return false }
        guard let date = commit.options.modifiedDate, DropboxDate.settable.contains(date) else { return true }
        return file.modifiedDate == date.rounded(to: .seconds(1))
    }
}
