public import FerryCore
import FerryHTTP
public import Foundation

extension DropboxFileProvider {
    /// Has Dropbox fetch a file from the web.
    ///
    /// - Parameters:
    ///   - remoteURL: The file's address, which Dropbox must be able to reach within 15 minutes.
    ///   - target: Its path in the account, name included; nothing is replaced.
    ///   - progress: 1 unit.
    /// - Returns: The file.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile` without a folder; `URLError.cannotLoadFromNetwork`
    ///   when Dropbox can't fetch it.
    @discardableResult
    public func copyItem(
        remoteURL: URL,
        to target: ItemPath,
        reporting progress: Progress? = nil
    ) async throws -> FileObject {
        try progress.checkCancellation()
        try checkName(of: target)
        let target = try await pathFromRoot(named: target)
        try await requireFolder(target.parent)
        // Dropbox would choose another name.
        if try await attributesIfExists(path: target) != nil { throw CocoaError.itemExists(target) }
        do {
            let file = try await withCancellation(by: progress) {
                try await self.job(
                    "files/save_url",
                    ["path": .text(DropboxPath.text(target)), "url": .text(remoteURL.absoluteString)],
                    check: "files/save_url/check_job_status",
                    about: target
                )
            }
            progress?.finish()
            let data = try JSONEncoder().encode(file)
            return try item(try DropboxConnection.decoded(DropboxMetadata.self, from: data), at: target)
        } catch let error as DropboxError {
            guard ["download_failed", "invalid_url", "not_found"].contains(error.tags.first) else {
                throw error.mapped(whileWriting: true, target: target)
            }
            throw URLError.answer(
                .cannotLoadFromNetwork,
                about: target,
                description: "Dropbox can't fetch the file",
                underlying: error
            )
        }
    }

    /// Returns a link to a file's content that works for four hours, without a login.
    ///
    /// - Parameter path: The file.
    /// - Returns: The link; whoever has it can read the file.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for documents that have no content of their own.
    public func temporaryLink(to path: ItemPath) async throws -> URL {
        let answer = try await mappingRefusals {
            try await connection.call(
                "files/get_temporary_link",
                ["path": .text(DropboxPath.text(path))],
                about: path
            )
        }
        guard let url = answer["link"].string.flatMap({ URL(string: $0) }) else {
            throw URLError.answer(.cannotParseResponse, about: path, description: "Dropbox gives no link")
        }
        return url
    }

    /// Returns what lets another account copy an item.
    ///
    /// - Parameter path: The item.
    /// - Returns: A reference for ``copyItem(reference:to:)`` of another account's provider.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func copyReference(to path: ItemPath) async throws -> DropboxCopyReference {
        let answer = try await mappingRefusals {
            try await connection.call(
                "files/copy_reference/get",
                ["path": .text(DropboxPath.text(path))],
                about: path
            )
        }
        guard let text = answer["copy_reference"].string else {
            throw URLError.answer(.cannotParseResponse, about: path, description: "Dropbox gives no reference")
        }
        return DropboxCopyReference(text: text, expires: DropboxDate.date(answer["expires"].string))
    }

    /// Copies an item of another account.
    ///
    /// - Parameters:
    ///   - reference: The reference that the other account has given.
    ///   - target: The copy's path, name included; nothing is replaced.
    /// - Returns: The copy.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileNoSuchFile` if the item is gone; `.fileReadNoPermission`.
    @discardableResult
    public func copyItem(reference: DropboxCopyReference, to target: ItemPath) async throws -> FileObject {
        try checkName(of: target)
        let target = try await pathFromRoot(named: target)
        try await requireFolder(target.parent)
        do {
            let answer = try await connection.call(
                "files/copy_reference/save",
                ["copy_reference": .text(reference.text), "path": .text(DropboxPath.text(target))],
                as: RelocatedItem.self,
                about: target,
                isIdempotent: false
            )
            return try item(answer.metadata, at: target)
        } catch let error as DropboxError {
            if ["not_found", "invalid_copy_reference"].contains(error.tags.first) {
                throw CocoaError.noSuchItem(target, underlying: error)
            }
            throw error.mapped(whileWriting: error.tags.first != "no_permission", target: target)
        }
    }
}

/// A reference by which another account copies an item, by way of the same app.
public struct DropboxCopyReference: Sendable, Hashable, Codable {
    /// The text to hand on.
    public let text: String

    /// The date at which it stops working, decades from now.
    public let expires: Date?

    /// Makes a reference.
    ///
    /// - Parameters:
    ///   - text: The text that was handed on.
    ///   - expires: When it stops working.
    public init(text: String, expires: Date? = nil) {
        self.text = text
        self.expires = expires
    }
}
