import FerryCore
import Foundation
import Synchronization

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
