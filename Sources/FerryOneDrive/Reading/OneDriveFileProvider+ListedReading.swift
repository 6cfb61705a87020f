import FerryCore
import Foundation
import Synchronization

extension OneDriveFileProvider: FileProviderListedReading {
    /// Lists a folder whose files are to be read soon.
    ///
    /// The URLs of the contents come with the listing, for the files of the provider's own drive.
    /// See <https://learn.microsoft.com/graph/api/driveitem-get-content>.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The items of the folder.
    /// - Throws: As ``directoryListing(path:)``.
    package func contentsToRead(path: ItemPath) async throws -> [FileObject] {
        // A scanner is asked for with each file.
        let pages = OneDrivePages(self, path: path, forReading: !options.overridesAntivirus)
        var items: [FileObject] = []
        while let page = try await pages.next() { items += page }
        return items
    }

    /// Opens a file for reading, once, as it was listed.
    ///
    /// - Parameter file: The file, as it was listed.
    /// - Returns: The bytes as they arrive.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    package func contentStream(ofListed file: FileObject) async throws -> FileContentStream {
        let item = listed.take(file, now: connection.now())
        let download = OneDriveDownload(self, path: file.path, listed: item.map { ($0, file) })
        return try await download.open(.all, reporting: nil)
    }
}

/// Files that were listed in order to be read, with the URLs of their contents.
final class OneDriveListedFiles: Sendable {
    private struct Listed: Sendable {
        let item: GraphItem
        let date: Date

        func isFresh(_ now: Date) -> Bool { now.timeIntervalSince(date) < OneDriveListedFiles.lifetime }
    }

    /// Files that are remembered at most; those beyond are asked for one by one.
    private static let most = 2_048

    /// The time that a URL is used for; the service promises about an hour.
    private static let lifetime: TimeInterval = 900

    private let files = Mutex<[String: Listed]>([:])

    /// Notes files that were listed.
    ///
    /// - Parameters:
    ///   - items: The items of a listing.
    ///   - now: The time of day.
    func note(_ items: [GraphItem], at now: Date) {
        files.withLock { files in
            if files.count + items.count > Self.most { files = files.filter { $0.value.isFresh(now) } }
            for item in items where item.downloadURL != nil && item.remoteItem == nil && item.kind == .file {
                if files.count == Self.most { return }
                files[item.id] = Listed(item: item, date: now)
            }
        }
    }

    /// Returns a file that was listed a moment ago, once.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - now: The time of day.
    /// - Returns: The item with the URL of its content; `nil` if it has to be asked for.
    func take(_ file: FileObject, now: Date) -> GraphItem? {
        guard let id = file.id, let listed = files.withLock({ $0.removeValue(forKey: id) }), listed.isFresh(now),
            listed.item.eTag == file.eTag
        else { return nil }
        return listed.item
    }
}
