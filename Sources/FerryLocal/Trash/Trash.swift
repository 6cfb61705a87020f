import FerryCore
import Foundation

/// The items below one base folder, and the trashes of this machine.
struct Trash {
    let base: BaseFolder
    let trashes: TrashFolders

    /// An item in the trash, and where.
    struct Found {
        let item: TrashedItem
        let folder: TrashFolder
        let name: RawName
    }

    // MARK: - In

    func put(_ path: ItemPath) throws -> TrashedItem {
        try mapping(.writing, path) {
            let place = try base.place(of: path)
            let status = try place.status()
            let whole = try place.folder.realPath().joined(with: place.name)
            let date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            for folder in try folders(for: place, status) {
                let info = TrashInfo(path: folder.shorten(whole), deletionDate: date)
                do {
                    let name = try folder.put(place, isFolder: status.isFolder, info: info)
                    return TrashedItem(
                        id: folder.identifier(of: name),
                        item: FileObject(name: path.lastName, in: path.parent, status: status),
                        deletionDate: date
                    )
                } catch let error as Errno where error.isAny(of: EXDEV, EBUSY) {
                    continue  // another mount of the same file system, or a mount itself
                }
            }
            throw CocoaError.noTrash(path)
        }
    }

    /// The trashes that the item can be renamed into, best first.
    private func folders(for place: Place, _ status: FileStatus) throws -> [TrashFolder] {
        var folders: [TrashFolder] = []
        if let home = try? trashes.home(create: true),
            try home.files.status().identity.device == status.identity.device
        {
            folders.append(home)
        }
        do {
            folders.append(try trashes.onFileSystem(at: try place.folder.topOfFileSystem(), create: true))
        } catch let error where folders.isEmpty && error.isAny(of: EROFS, ENOSPC, EDQUOT) {
            throw error
        } catch {}  // nobody has made a trash there, and we may not
        return folders
    }

    // MARK: - Looking

    func items() throws -> [Found] {
        try mapping(.listing, .root) {
            let folder = try self.base.folder()
            let base = try folder.realPath()
            var found: [Found] = []
            for folder in try trashes.all(for: folder) {
                for name in try folder.names() {
                    if let item = try self.item(name, in: folder, below: base) { found.append(item) }
                }
            }
            return found.sorted { $0.order > $1.order }
        }
    }

    private func item(_ name: RawName, in folder: TrashFolder, below base: [UInt8]) throws -> Found? {
        // An item that others take out meanwhile, or that they lost, is not in the trash.
        guard let info = try? folder.read(name), let status = try folder.files.statusIfExists(of: name) else {
            return nil
        }
        guard let path = folder.lengthen(info.path)?.itemPath(below: base), !path.isRoot else { return nil }
        let item = FileObject(name: path.lastName, in: path.parent, status: status)
        let trashed = TrashedItem(id: folder.identifier(of: name), item: item, deletionDate: info.deletionDate)
        return Found(item: trashed, folder: folder, name: name)
    }

    /// Looks an item up again; its value may come from anywhere.
    private func find(_ item: TrashedItem) throws -> Found {
        guard let found = try items().first(where: { $0.item.id == item.id }) else {
            throw CocoaError.noSuchItem(item.originalPath)
        }
        return found
    }

    // MARK: - Out

    func restore(_ item: TrashedItem, to target: ItemPath, job: Job, pool: BlockingPool) throws {
        let found = try find(item)
        let place = try base.placeToCreate(target)
        let source = Place(folder: found.folder.files, name: found.name)
        try mapping(.naming, target) {
            let places = ItemPlaces(
                source: source,
                sourcePath: item.originalPath,
                target: place,
                targetPath: target,
                status: try source.status(),
                existing: try place.statusIfExists()
            )
            if places.existing != nil { throw CocoaError.itemExists(target) }
            try MoveOperation(places: places, overwrite: false, job: job, pool: pool).run()
            try? found.folder.forget(found.name)  // the item is back: what is left is only a note about it
        }
    }

    func empty(_ items: [TrashedItem]?, job: Job) throws {
        var failure: (any Error)?
        let wanted = items.map { Set($0.map(\.id)) }
        for found in try self.items() where wanted?.contains(found.item.id) ?? true {
            try job.check()
            do {
                try TreeRemover(path: found.item.originalPath, job: job)
                    .remove(Place(folder: found.folder.files, name: found.name))
                try mapping(.writing, found.item.originalPath) { try found.folder.forget(found.name) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension Trash.Found {
    /// Latest last; of the same second, by name.
    fileprivate var order: (Date, String) { (item.deletionDate ?? .distantPast, item.id) }
}

extension TrashFolder {
    /// Returns what tells an item from all others on this machine.
    fileprivate func identifier(of name: RawName) -> String { "\(path)/files/\(name.text)" }

    /// The path as it is kept in this trash.
    fileprivate func shorten(_ path: [UInt8]) -> [UInt8] {
        guard let top else { return path }
        return Array(path.dropFirst(top == "/" ? 1 : NameEscape.bytes(ofName: top).count + 1))
    }

    /// The whole path of an item; `nil` if the trash's says nothing good: it must not lead out of the file system.
    fileprivate func lengthen(_ path: [UInt8]) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        if path.split(separator: slash).contains(where: { $0.elementsEqual("..".utf8) }) { return nil }
        guard let top else { return path.first == slash ? path : nil }
        if path.first == slash { return path }
        return (top == "/" ? [] : NameEscape.bytes(ofName: top)) + [slash] + path
    }
}

extension [UInt8] {
    fileprivate func joined(with name: RawName) -> [UInt8] {
        (self == [UInt8(ascii: "/")] ? [] : self) + [UInt8(ascii: "/")] + name.dropLast().map { UInt8(bitPattern: $0) }
    }

    /// The item path of a whole path; `nil` if it isn't below the base.
    fileprivate func itemPath(below base: [UInt8]) -> ItemPath? {
        let slash = UInt8(ascii: "/")
        let names = split(separator: slash)
        let above = base.split(separator: slash)
        guard names.starts(with: above, by: { $0.elementsEqual($1) }) else { return nil }
        return names.dropFirst(above.count).reduce(ItemPath.root) { $0.appending(String(nameBytes: $1)) }
    }
}

extension CocoaError {
    fileprivate static func noTrash(_ path: ItemPath) -> CocoaError {
        .file(
            .featureUnsupported,
            path: path,
            description: "there is no trash for it",
            suggestion: "remove it for good, if you are sure"
        )
    }
}
