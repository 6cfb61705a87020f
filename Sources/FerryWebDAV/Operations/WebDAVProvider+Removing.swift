public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// Removes an item, a folder with all below it.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root); of a folder of which a part
    ///   could not be removed, the error of that part.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        if path.isRoot {
            throw CocoaError.file(.fileWriteNoPermission, path: path, description: "the root can't be removed")
        }
        try await withCancellation(by: progress) {
            let isFolder =
                switch try await self.state(of: path) {
                case .missing: throw CocoaError.noSuchItem(path)
                case .unknown(let error): throw error
                case .folder: true
                case .file: false
                }
            try await self.remove(path, isFolder: isFolder)
        }
        progress?.finish()
    }

    /// Removes an item whose kind is known.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    /// - Throws: See ``FileProviderOperations``.
    package func remove(_ path: ItemPath, isFolder: Bool) async throws {
        let reply: HTTPReply
        do {
            reply = try await change(.remove(path: path), isFolder: isFolder)
        } catch let error as URLError where error.code == .networkConnectionLost {
            // An item that is gone now has been removed, by this request as likely as by another.
            if case .missing = try await state(of: path) { return connection.locks.forget(below: path) }
            reply = try await change(.remove(path: path), isFolder: isFolder)
        }
        if let failure = try await connection.failure(in: reply, path: path) {
            // Go's server says so whatever keeps it from removing something.
            if failure.statusCode == 405 {
                throw CocoaError.file(.fileWriteNoPermission, path: path, url: url(of: path), underlying: failure)
            }
            throw await refusal(failure)
        }
        if try await connection.traits().keepsLocksOfNames { await connection.endLocks(below: path) }
        connection.locks.forget(below: path)
    }
}
