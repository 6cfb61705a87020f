public import FerryCore
import Foundation

/// Gives an item a second name before it is replaced, or another name before it is removed: both cost nothing.
extension LocalFileProvider: FileProviderSettingAside {
    /// Keeps an item in a hidden folder on its own file system.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - name: The name for it there: a UUID.
    ///   - copying: `true` if the item stays where it is, too.
    /// - Returns: The identifier that leads back to it.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where no such folder can be made.
    public func setAside(path: ItemPath, name: String, copying: Bool) async throws -> String {
        try await run(writing: [path]) { [base, asides] in
            if path.isRoot { throw CocoaError.baseFolder(path) }
            guard UUID(uuidString: name) != nil else { throw CocoaError.invalidAside(path) }
            return try mapping(.writing, path) {
                let place = try base.place(of: path)
                let status = try place.status()
                // The second is looked for only where the first won't do: that takes longer.
                if let home = asides.homeFolder(for: status),
                    try Self.put(place, status, into: home, name, copying: copying)
                {
                    return home.identifier(of: name)
                }
                if let top = try asides.topFolder(for: place, status),
                    try Self.put(place, status, into: top, name, copying: copying)
                {
                    return top.identifier(of: name)
                }
                throw CocoaError.unsupported("keeping it for undoing", path: path)
            }
        }
    }

    /// Puts an item into a folder, if that is possible.
    private static func put(
        _ place: Place,
        _ status: FileStatus,
        into folder: AsideFolders.Folder,
        _ name: String,
        copying: Bool
    ) throws(Errno) -> Bool {
        do {
            if copying {
                try place.folder.link(place.name, to: folder.descriptor, name)
            } else {
                try place.folder.moveExclusively(place.name, to: folder.descriptor, name, isFolder: status.isFolder)
            }
            return true
        } catch {
            // Another mount of the same file system, or a mount itself.
            if error.isAny(of: EXDEV, EBUSY) { return false }
            // No hard links here, or none to what belongs to others.
            if copying, error.isAny(of: EPERM, EMLINK, EOPNOTSUPP, ENOSYS) { return false }
            throw error
        }
    }

    /// Gives a kept item a place again.
    ///
    /// - Parameters:
    ///   - id: The identifier of the kept item.
    ///   - target: The place.
    ///   - overwrite: `true` if a file there is replaced, in one step.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteFileExists`.
    public func bringBack(_ id: String, to target: ItemPath, overwrite: Bool) async throws {
        let job = Job()
        try await run(job, writing: [target]) { [base, asides, pool] in
            let source = try mapping(.reading, target) {
                let (folder, name) = try asides.find(id, for: try base.folder())
                return Place(folder: folder.descriptor, name: name)
            }
            let place = try base.placeToCreate(target)
            try mapping(.naming, target) {
                let places = ItemPlaces(
                    source: source,
                    sourcePath: target,
                    target: place,
                    targetPath: target,
                    status: try source.status(),
                    existing: try place.statusIfExists()
                )
                if places.existing != nil, !overwrite { throw CocoaError.itemExists(target) }
                if places.isSame { return try source.folder.unlink(source.name) }
                try MoveOperation(places: places, overwrite: overwrite, job: job, pool: pool).run()
            }
        }
    }

    /// Returns what is kept in the hidden folders that items below the base folder may be in.
    ///
    /// - Returns: Items; the date is when each was put there.
    /// - Throws: An error if the storage can't be examined.
    public func itemsSetAside() async throws -> [SetAsideItem] {
        try await pool.run { [base, asides] in
            try mapping(.listing, .root) {
                var items: [SetAsideItem] = []
                for folder in try asides.all(for: try base.folder()) {
                    let entries = EntryReader(folder.descriptor)
                    try entries.rewind()
                    while let entry = try entries.next() {
                        let name = RawName(entry.name)
                        guard UUID(uuidString: name.text) != nil,
                            let status = try folder.descriptor.statusIfExists(of: name)
                        else { continue }
                        items.append(
                            SetAsideItem(
                                id: folder.identifier(of: name.text),
                                date: Date(status.changed),
                                item: FileObject(name: name.text, in: .root, status: status)
                            )
                        )
                    }
                }
                return items
            }
        }
    }

    /// Returns whether an item is still kept.
    ///
    /// - Parameter id: The identifier of the kept item.
    /// - Returns: `true` if it is there.
    /// - Throws: An error if the storage can't be examined.
    public func isSetAside(_ id: String) async throws -> Bool {
        try await pool.run { [base, asides] in
            do {
                let (folder, name) = try asides.find(id, for: try base.folder())
                return try folder.descriptor.statusIfExists(of: name) != nil
            } catch let error as Errno where error.isAny(of: ENOENT, EINVAL) {
                return false
            }
        }
    }

    /// Removes kept items for good.
    ///
    /// - Parameter ids: The identifiers of the kept items.
    /// - Throws: The error that kept the first from being removed that could not be; the others are.
    public func discardSetAside(_ ids: [String]) async throws {
        let job = Job()
        try await pool.run(job) { [base, asides] in
            var failure: (any Error)?
            for id in ids {
                try job.check()
                do {
                    let (folder, name) = try asides.find(id, for: try base.folder())
                    var remover = TreeRemover(path: ItemPath.root.appending(name.text), job: job)
                    remover.isOurs = true
                    try remover.remove(Place(folder: folder.descriptor, name: name))
                } catch let error as Errno where error.isAny(of: ENOENT, EINVAL) {
                    continue
                } catch let error as CocoaError where error.code == .fileNoSuchFile {
                    continue
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }
}

extension CocoaError {
    fileprivate static func invalidAside(_ path: ItemPath) -> CocoaError {
        .file(.fileWriteInvalidFileName, path: path, description: "it is set aside under a UUID only")
    }
}
