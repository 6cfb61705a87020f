public import FerryCore

// Items that are set aside on a server are in a folder at its top, which nobody is to see, copy or watch.

extension UndoableFileProvider {
    /// Indicates whether items may be kept in a hidden folder at the storage's top, by this process or another.
    private var hides: Bool { base is any FileProviderOperations && !(base is any FileProviderSettingAside) }

    /// Indicates whether a folder may be the storage's top, which an identifier can lead to, too.
    private func hides(in folder: ItemPath) -> Bool { hides && (folder.isRoot || folder.isIdentifier) }

    /// The base's, without what is kept out of sight there.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        let listing = base.directoryListing(path: path)
        return hides(in: path) ? listing.filtered { !ServerAside.holds($0.path) } : listing
    }

    /// The base's, without what is kept out of sight there.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        let results = base.searchFiles(path: path, recursive: recursive, query: query)
        guard hides(in: path) else { return results }
        return SearchResults(pages: results.pages.filtered { !ServerAside.holds($0.path) })
    }
}

extension UndoableFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {
    /// The base's, without what is kept out of sight there.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        let listing = base.treeListing(path: path)
        return hides(in: path) ? listing?.filtered { !ServerAside.holds($0.path) } : listing
    }
}

extension UndoableFileProvider: FileProviderListedReading where Base: FileProviderListedReading {
    /// The base's, without what is kept out of sight there.
    package func contentsToRead(path: ItemPath) async throws -> [FileObject] {
        let items = try await base.contentsToRead(path: path)
        return hides(in: path) ? items.filter { !ServerAside.holds($0.path) } : items
    }
}

extension UndoableFileProvider: FileProviderMonitor where Base: FileProviderMonitor {
    /// The base's, without what is kept out of sight there: what goes there is removed, what comes from there is new.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        let changes = try await base.changes(under: path)
        guard hides(in: path) else { return changes }
        return changes.compactMapped { change in
            if case .moved(let source) = change.kind, ServerAside.holds(source) != ServerAside.holds(change.path) {
                return ServerAside.holds(source)
                    ? FileChange(.created, path: change.path) : FileChange(.removed, path: source)
            }
            return ServerAside.holds(change.path) ? nil : change
        }
    }
}

extension UndoableFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {
    /// The base's.
    public func currentAnchor() async throws -> ChangeAnchor { try await base.currentAnchor() }

    /// The base's, without what is kept out of sight there.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        let set = try await base.changes(since: anchor)
        guard hides else { return set }
        let changes = set.changes.compactMap { change -> TrackedChange? in
            switch change {
            case .removed(let path, id: _): return ServerAside.holds(path) ? nil : change
            // An item that was never shown is unknown to whoever gets its identifier.
            case .removedItem: return change
            case .updated(let item, let previous):
                guard ServerAside.holds(item.path) else {
                    return previous.map(ServerAside.holds) == true ? .updated(item, previousPath: nil) : change
                }
                guard let previous, !ServerAside.holds(previous) else { return nil }
                return .removed(previous, id: item.id)
            }
        }
        return ChangeSet(changes: changes, anchor: set.anchor, hasMore: set.hasMore)
    }

    /// The base's, which also ends for what is kept out of sight there.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await base.waitForChanges(since: anchor, timeout: timeout)
    }
}
