public import FerryCore
import FerryHTTP
import Foundation
import Logging

extension OneDriveFileProvider: FileProviderMonitor {
    /// Watches an item and all below it: the drive's changes are asked for, more often while things happen.
    ///
    /// All that is below is listed once at the beginning, to know where an item was that has gone. Below a shortcut to
    /// another drive, the folders themselves are looked at again and again.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they happen, a second to a minute later.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the service from being asked.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        let item = try await attributesOfItem(path: path)
        if item.path.beginsWithIdentifier || item.extras[.shortcutTarget] != nil || isForeign(item) {
            var watch = PollingWatch(self, path: path)
            watch.clock = connection.clock
            return try await watch.begin()
        }
        let watch = OneDriveWatch(self, item)
        let anchor = try await mappingRefusals { try await latestAnchor() }
        // The list of changes names what has gone by its identifier only: where that was, is known of what was seen.
        if item.isDirectory { try await learn(below: item.path) }
        let feed = FileChangeFeed(under: item.path)
        // It ends with the reader, whoever lets go of that.
        let watching = Task { await watch.run(from: anchor, feed) }
        return feed.changes { watching.cancel() }
    }

    private func isForeign(_ item: FileObject) -> Bool { item.id.flatMap { OneDriveItemID($0).drive } != nil }

    /// Lists all that is below a folder, so that it is known where each item was if it goes.
    ///
    /// A folder that can't be listed keeps no other from being known: what goes from there is reported as a rescan.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: `CancellationError`; the error of listing the folder itself, or of a service that can't be reached.
    private func learn(below folder: ItemPath) async throws {
        if let pages = treeListing(path: folder) {
            do {
                for try await _ in pages {}
                return
            } catch let error as CancellationError {
                throw error
            } catch let error as URLError where error.code.meansNothingWasAsked {
                throw error
            } catch {
                // Folder by folder, some of it is known all the same.
                environment.logger.debug("a tree is listed folder by folder", metadata: ["error": "\(error)"])
            }
        }
        for try await element in TreeWalk(self, path: folder) {
            guard case .failure(let error, let place) = element else { continue }
            guard place != folder else { throw error }
            let isAnswer = [.cannotParseResponse, .badServerResponse].contains((error as? URLError)?.code)
            if error is URLError, !isAnswer { throw error }
        }
    }
}
