public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension DropboxFileProvider: FileProviderTrash {
    /// Questions about deleted files that are asked at the same time.
    private static let concurrency = 6

    /// Folders whose contents are remembered at the same time.
    private static let mostTrees = 64

    /// `true`: what is removed can be restored for as long as the account's plan says.
    public var trashesRemovedItems: Bool { true }

    /// Removes an item, so that it can be restored.
    ///
    /// - Parameter path: The item; never the root.
    /// - Returns: The item in the trash.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        guard !path.isRoot else { throw CocoaError.file(.fileWriteNoPermission, path: path) }
        let item = try await attributesOfItem(path: path)
        // The contents of a folder are reported as deleted with it, and may not be reported one by one.
        let contents = item.isDirectory ? try await contentsOfTree(item.path) : nil
        let removed = try await remove(item.path)
        if let contents {
            trashedTrees.withLock { trees in
                if trees.count >= Self.mostTrees, let any = trees.keys.first { trees[any] = nil }
                trees[DropboxPath.key(item.path)] = contents
            }
        }
        let id: DropboxTrashID =
            item.isDirectory
            ? .folder(key: DropboxPath.key(item.path)) : .file(rev: removed.rev ?? item.eTag ?? "")
        return TrashedItem(id: id.text, item: item, deletionDate: connection.now())
    }

    /// Returns what was deleted and can be restored.
    ///
    /// - Returns: Items, latest first; of a folder all that was in it counts as one. Folders tell no date.
    /// - Throws: Errors of listing the account.
    public func trashedItems() async throws -> [TrashedItem] {
        var alive: Set<String> = []
        let deleted = try await deletedEntries(below: .root) { alive.insert($0) }
        let tops = deleted.filter { entry in
            !deleted.contains { entry.path.isBelow($0.path) }
        }
        let items = try await inParallel(tops, concurrency: Self.concurrency) { [alive] entry in
            let hasContents = deleted.contains { $0.path.isBelow(entry.path) }
            // A moved file is reported as deleted at its old path, and is not in the trash.
            return try await self.trashed(entry, hasContents: hasContents).filter { item in
                item.item.id.map { !alive.contains($0) } ?? true
            }
        }
        return items.flatMap(\.self).sorted { ($0.deletionDate ?? .distantPast) > ($1.deletionDate ?? .distantPast) }
    }

    /// Takes an item out of the trash.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - target: Where to put it; `nil` for where it came from.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileNoSuchFile` when it is not in the trash, or its folder is gone.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        let place = target ?? item.originalPath
        try checkName(of: place)
        let target = try await pathFromRoot(named: place)
        if try await attributesIfExists(path: target) != nil { throw CocoaError.itemExists(target) }
        try await requireFolder(target.parent)
        switch DropboxTrashID(item.id) {
        case .file(let rev):
            guard try await !isAlive(item) else { throw CocoaError.noSuchItem(item.originalPath) }
            try await restore(revision: rev, to: target)
        case .folder: try await restoreFolder(item, to: target)
        case nil: throw CocoaError.noSuchItem(item.originalPath)
        }
    }

    /// Removes items from the trash for good, which only apps of teams may do.
    ///
    /// - Parameter items: Which ones; `nil` for all.
    /// - Throws: `CocoaError.featureUnsupported` where the account does not let apps do it.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        let items = if let items { items } else { try await trashedItems() }
        var failure: (any Error)?
        for item in items {
            do {
                // The route takes a path: a file that was written there since would go, too.
                guard try await attributesIfExists(path: item.originalPath) == nil else {
                    failure = failure ?? CocoaError.itemExists(item.originalPath)
                    continue
                }
                _ = try await connection.call(
                    "files/permanently_delete",
                    ["path": .text(DropboxPath.text(item.originalPath))],
                    about: item.originalPath,
                    isIdempotent: false
                )
            } catch let error as DropboxError where [400, 403].contains(error.answeredStatusCode) {
                throw CocoaError.unsupported("removing for good", path: item.originalPath)
            } catch let error as DropboxError {
                failure = failure ?? error.mapped(whileWriting: true)
            }
        }
        if let failure { throw failure }
    }

    // MARK: What was deleted

    /// A path at which something was deleted.
    private struct DeletedEntry: Sendable {
        let path: ItemPath
        let metadata: DropboxMetadata
    }

    /// Returns the paths at which something was deleted; for each file that is there, its identifier is noted.
    private func deletedEntries(
        below folder: ItemPath,
        noting note: (String) -> Void = { _ in }
    ) async throws -> [DeletedEntry] {
        var deleted: [DropboxMetadata] = []
        var cursor: String?
        repeat {
            let request: HTTPFileRequest
            if let cursor {
                request = try await listingRequest(path: folder, page: cursor)
            } else {
                request = try await connection.request(
                    "files/list_folder",
                    [
                        "path": .text(DropboxPath.text(folder)), "recursive": true, "include_deleted": true,
                        "limit": .integer(Int64(pageSize)),
                    ]
                )
            }
            let page = try await mappingRefusals {
                try DropboxConnection.decoded(
                    DropboxPage.self,
                    from: try await connection.answer(to: request, about: folder)
                )
            }
            for entry in page.entries {
                if entry.isDeleted {
                    deleted.append(entry)
                } else if let place = entry.pathDisplay.flatMap({ seen.path($0) }),
                    let item = entry.item(in: place.parent)
                {
                    // The folders' own entries say how the paths of what was deleted in them are spelt.
                    seen.note(item)
                    if let id = item.id, !item.isDirectory { note(id) }
                }
            }
            if page.hasMore, page.cursor == cursor { throw URLError.repeatedPage() }
            cursor = page.hasMore ? page.cursor : nil
        } while cursor != nil
        return deleted.compactMap { entry in
            entry.pathDisplay.flatMap { seen.path($0) }.map { DeletedEntry(path: $0, metadata: entry) }
        }
    }

    /// Returns the items that were deleted at a path: files one after the other, or a folder.
    private func trashed(_ entry: DeletedEntry, hasContents: Bool) async throws -> [TrashedItem] {
        let history: DropboxRevisions
        switch try await fileHistory(of: entry.path) {
        case .file(let revisions): history = revisions
        // A file of which no revision is kept any more can't come back, and must not come back as a folder.
        case .nothing where !hasContents && !trashedTrees.withLock({ $0[DropboxPath.key(entry.path)] != nil }):
            return []
        case .folder, .nothing:
            let folder = FileObject(path: entry.path, type: .directory)
            let id = DropboxTrashID.folder(key: DropboxPath.key(entry.path)).text
            return [TrashedItem(id: id, item: folder, deletionDate: nil)]
        }
        var ids: Set<String> = []
        return history.entries.compactMap { revision in
            guard let rev = revision.rev, ids.insert(revision.id ?? rev).inserted,
                let item = revision.item(in: entry.path.parent)
            else { return nil }
            let date = ids.count == 1 ? history.serverDeleted : revision.serverModified
            return TrashedItem(
                id: DropboxTrashID.file(rev: rev).text,
                item: item,
                deletionDate: DropboxDate.date(date)
            )
        }
    }

    /// The revisions at a path where something was deleted.
    private enum DeletedHistory: Sendable {
        /// It was a file, of which these are kept.
        case file(DropboxRevisions)
        /// It was a folder.
        case folder
        /// Dropbox knows no revision: it was a folder, or a file that is not kept any more.
        case nothing
    }

    private func fileHistory(of path: ItemPath) async throws -> DeletedHistory {
        do {
            let history = try await revisions(of: path, mode: "path")
            return history.entries.isEmpty ? .nothing : .file(history)
        } catch let error as DropboxError where error.reason == .notAFile {
            return .folder
        } catch let error as DropboxError where error.reason == .noSuchItem {
            return .nothing
        } catch let error as DropboxError {
            throw error.mapped()
        }
    }

    private func isAlive(_ item: TrashedItem) async throws -> Bool {
        guard let id = item.item.id, let there = try await attributesIfExists(path: ItemPath(identifier: id)) else {
            return false
        }
        return !there.isDirectory
    }

    // MARK: Folders

    private func contentsOfTree(_ path: ItemPath) async throws -> [TrashedContent]? {
        guard let pages = treeListing(path: path) else { return nil }
        var contents: [TrashedContent] = []
        for try await page in pages {
            contents += page.map { item in
                TrashedContent(path: item.path.replacing(path, with: .root), rev: item.isDirectory ? nil : item.eTag)
            }
        }
        return contents
    }

    private func restoreFolder(_ item: TrashedItem, to target: ItemPath) async throws {
        let key = DropboxPath.key(item.originalPath)
        let known = trashedTrees.withLock { $0[key] }
        let contents = if let known { known } else { try await deletedContents(of: item) }
        try await create(folder: target.lastName, at: target.parent, creatingParents: false)
        for content in contents.sorted(by: { $0.path < $1.path }) where content.rev == nil {
            let place = target.appending(path: content.path)
            try await create(folder: place.lastName, at: place.parent, creatingParents: true)
        }
        _ = try await inParallel(contents, concurrency: Self.concurrency) { content in
            if let rev = content.rev {
                try await self.restore(revision: rev, to: target.appending(path: content.path))
            }
        }
        trashedTrees.withLock { $0[key] = nil }
    }

    /// Finds out what was in a folder that another process, or somebody else, has deleted.
    private func deletedContents(of item: TrashedItem) async throws -> [TrashedContent] {
        var ancestor = item.originalPath.parent
        while !ancestor.isRoot, try await attributesIfExists(path: ancestor)?.isDirectory != true {
            ancestor = ancestor.parent
        }
        let key = DropboxPath.key(item.originalPath)
        let deleted = try await deletedEntries(below: ancestor)
        guard deleted.contains(where: { DropboxPath.key($0.path) == key }) else {
            throw CocoaError.noSuchItem(item.originalPath)
        }
        let depth = item.originalPath.components.count
        let below = deleted.filter { DropboxPath.key($0.path).hasPrefix(key + "/") }
        return try await inParallel(below, concurrency: Self.concurrency) { entry in
            let rev: String?
            switch try await self.fileHistory(of: entry.path) {
            case .file(let revisions): rev = revisions.entries.first?.rev
            case .nothing where !below.contains { $0.path.isBelow(entry.path) }:
                throw CocoaError.file(
                    .fileReadUnknown,
                    path: entry.path,
                    description: "is not kept any more, or was an empty folder",
                    suggestion: "restore what is beside it one by one"
                )
            case .folder, .nothing: rev = nil
            }
            return TrashedContent(
                path: entry.path.components.dropFirst(depth).reduce(.root) { $0.appending(component: $1) },
                rev: rev
            )
        }
    }
}
