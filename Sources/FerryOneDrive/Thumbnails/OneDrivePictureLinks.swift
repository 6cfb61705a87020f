import FerryCore
import Foundation

/// The addresses of the pictures in folders, which come with a page of the folder: for a gallery, that is one request
/// for many pictures.
actor OneDrivePictureLinks {
    /// The pictures of one size in a folder.
    struct Key: Sendable, Hashable {
        let folder: ItemPath
        let size: OneDriveThumbnailSize
    }

    /// A picture's address.
    struct Link: Sendable, Hashable {
        /// The address; `nil` if the service makes no picture of the file.
        let url: String?
        /// The tag of the file that the picture is of.
        let eTag: String?
    }

    /// A page of a folder.
    struct Page: Sendable {
        /// The addresses, by the identifiers of the files.
        let links: [String: Link]
        /// The link to the next page.
        let next: String?
    }

    private struct Folder {
        var links: [String: Link] = [:]
        var next: String?
        var pages = 0
        var begun: Date
        var loading: Task<Page, any Error>?
    }

    /// The time that addresses are used for.
    private static let lifetime: TimeInterval = 300

    /// Pages of a folder at most; files behind them are asked for one by one.
    private static let mostPages = 20

    /// Folders at most.
    private static let mostFolders = 16

    private var folders: [Key: Folder] = [:]

    /// Returns the address of a file's picture, if it comes with the others of its folder.
    ///
    /// The first picture of a folder is asked for by itself: there may be no second one.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - key: The folder and the size.
    ///   - now: The time of day.
    ///   - load: Asks for a page of the folder, by the link to it; `nil` for the first.
    /// - Returns: `nil` for a file that must be asked for by itself.
    /// - Throws: What `load` throws.
    func link(
        to item: FileObject,
        in key: Key,
        now: Date,
        load: @escaping @Sendable (String?) async throws -> Page
    ) async throws -> Link? {
        guard let id = item.id, !isNew(key, now) else { return nil }
        while let folder = folders[key] {
            if let link = folder.links[id] { return link.eTag == item.eTag ? link : nil }
            guard folder.pages == 0 || folder.next != nil, folder.pages < Self.mostPages else { return nil }
            let loading = folder.loading ?? Task { try await load(folder.next) }
            folders[key]?.loading = loading
            do {
                let page = try await loading.value
                // The first of those who wait takes it in.
                guard folders[key]?.loading == loading else { continue }
                folders[key]?.links.merge(page.links) { $1 }
                folders[key]?.next = page.next
                folders[key]?.pages += 1
                folders[key]?.loading = nil
            } catch {
                if folders[key]?.loading == loading { folders[key]?.loading = nil }
                throw error
            }
        }
        return nil
    }

    /// Notes that a picture of a folder is wanted; returns whether it is the first one for a while.
    private func isNew(_ key: Key, _ now: Date) -> Bool {
        if let folder = folders[key], now.timeIntervalSince(folder.begun) < Self.lifetime { return false }
        folders = folders.filter { now.timeIntervalSince($0.value.begun) < Self.lifetime && $0.key != key }
        if folders.count >= Self.mostFolders, let oldest = folders.min(by: { $0.value.begun < $1.value.begun })?.key {
            folders[oldest] = nil
        }
        folders[key] = Folder(begun: now)
        return true
    }
}
