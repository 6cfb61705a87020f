public import FerryCore
import Foundation

extension DropboxSharedFileProvider: FileProviderTreeListing {
    /// Questions about shared files that are asked at the same time.
    private static let concurrency = 6

    /// Returns the items of a folder, page by page.
    ///
    /// - Parameter path: The folder; the root lists what is shared.
    /// - Returns: The listing.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(opening: { [self] in try await pages(of: path, isTree: false) })
    }

    /// Returns all items below a folder, 2,000 with each request.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages in which items of several folders are mixed; `nil` for the root.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        guard !path.isRoot, !path.beginsWithIdentifier else { return nil }
        return DirectoryListing(opening: { [self] in try await pages(of: path, isTree: true) })
    }

    private func pages(of path: ItemPath, isTree: Bool) async throws -> DirectoryListing {
        switch try await items.place(of: path) {
        case .root: return DirectoryListing.paged { (_: Int?) in (try await self.shared(), nil) }
        case .file: throw CocoaError.notAFolder(path)
        case .folder(let folder, let inner):
            let tree = isTree ? folder.provider.treeListing(path: inner) : nil
            let pages = SharedIterator(tree ?? folder.provider.directoryListing(path: inner))
            return DirectoryListing {
                {
                    do {
                        return try await pages.next()?.map { folder.shown($0) }
                    } catch {
                        throw await folder.noted(error)
                    }
                }
            }
        }
    }

    /// Returns what Dropbox knows about one item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item, its name as Dropbox spells it.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        switch try await items.place(of: path) {
        case .root:
            // A login that is no longer good is noticed here.
            _ = try await items.all()
            return FileObject(path: .root, type: .directory)
        case .folder(let folder, let inner):
            if inner.isRoot { return folder.item }
            return folder.shown(try await folder.perform { try await $0.attributesOfItem(path: inner) })
        case .file(let file): return try await attributes(of: file)
        }
    }

    /// Returns the items of the root.
    private func shared() async throws -> [FileObject] {
        let shown = try await inParallel(try await items.all(), concurrency: Self.concurrency) { place in
            switch place {
            case .root: return nil as FileObject?
            case .folder(let folder, _): return folder.item
            case .file(let file):
                do {
                    return try await self.attributes(of: file)
                } catch let error where error.isNoSuchItem {
                    // It went meanwhile.
                    return nil
                }
            }
        }
        return shown.compactMap(\.self)
    }

    /// Asks for the size and the date of a shared file, which lists do not tell.
    private func attributes(of file: DropboxShownFile) async throws -> FileObject {
        let route: DropboxRoute = "sharing/get_shared_link_metadata"
        do {
            let metadata = try await account.connection.call(
                route,
                ["url": .text(file.file.page)],
                as: DropboxMetadata.self,
                about: file.path
            )
            return file.item(metadata)
        } catch let error as DropboxError where [.notAllowed, .unsupported].contains(error.reason) {
            // Its owner may allow nobody to look at it by a link: it is shared all the same.
            return file.item(nil)
        } catch let error as DropboxError where error.tags.first == "shared_link_not_found" {
            await items.drop(file.path)
            throw CocoaError.noSuchItem(file.path, underlying: error)
        } catch let error as DropboxError {
            throw error.mapped()
        }
    }
}
