package import FerryCore
package import Foundation

// The ways in which kept items come back.

extension UndoStorage {
    /// Looks whether something is still kept.
    ///
    /// - Parameters:
    ///   - kept: Where it is.
    ///   - path: The item that it was.
    ///   - former: The item as it was.
    ///   - left: The item that has taken its place, if any.
    ///   - trashes: The contents of the trashes, if they were listed already.
    /// - Throws: ``UndoRefusal``.
    func requireKept(
        _ kept: KeptItem?,
        of path: ItemPath,
        former: ItemStamp,
        left: ItemStamp? = nil,
        _ trashes: SeenTrashes = SeenTrashes()
    ) async throws {
        let isThere: Bool
        switch kept {
        case nil: throw UndoRefusal(path, .notKept)
        case .link, .emptyFolder, .emptyFile: isThere = true
        case .soughtVersion(let sought):
            _ = try await version(sought, of: path, former: former, left: left)
            isThere = true
        case .soughtTrash(let time):
            guard let trash = base as? any FileProviderTrash else { throw UndoRefusal(path, .dropped) }
            _ = try await trashed(time, of: path, former: former, in: trashes.items(of: trash))
            isThere = true
        // The versions of a removed file can't be listed. Restoring it fails if the version is no longer kept.
        case .version where left == nil && base.capabilities.versionsOutliveFiles: isThere = true
        case .version(let version):
            let versions = try await (base as? any FileProviderVersioning)?.versions(of: path) ?? []
            isThere = versions.contains { $0.id == version.id }
        case .trash(let id):
            guard let trash = base as? any FileProviderTrash else { throw UndoRefusal(path, .dropped) }
            if base.capabilities.listsTrash {
                isThere = try await trashes.items(of: trash).contains { $0.id == id }
            } else {
                // The trash can't be listed. Restoring the item fails if it is no longer there.
                isThere = true
            }
        case .aside(let id):
            if let own = base as? any FileProviderSettingAside {
                isThere = try await own.isSetAside(id)
            } else {
                isThere = try await serverAside.isSetAside(id)
            }
        case .shadow(let id): isThere = await shadow?.contains(id) ?? false
        case .original(let source, let stamp):
            guard let item = try await look(source) else { throw UndoRefusal(source, .gone) }
            guard try await isUnchanged(item, since: stamp) else { throw UndoRefusal(source, .changed) }
            isThere = true
        }
        if !isThere { throw UndoRefusal(path, .dropped) }
    }

    /// Brings something back, with the dates and attributes it had.
    ///
    /// - Parameters:
    ///   - kept: Where it is.
    ///   - path: Where it goes.
    ///   - former: The item as it was.
    ///   - left: The item that has taken its place, if any.
    ///   - overwrite: `true` if a file there gives way.
    ///   - trashes: The contents of the trashes, if they were listed already.
    /// - Throws: ``UndoRefusal`` when it is no longer kept; `CocoaError.fileWriteFileExists`.
    func bringBack(
        _ kept: KeptItem,
        to path: ItemPath,
        former: ItemStamp,
        left: ItemStamp? = nil,
        overwrite: Bool,
        _ trashes: SeenTrashes = SeenTrashes()
    ) async throws {
        do {
            switch kept {
            case .version(let version):
                try await (base as? any FileProviderVersioning)?.restore(version, of: path)
            case .soughtVersion(let sought):
                let version = try await version(sought, of: path, former: former, left: left)
                try await (base as? any FileProviderVersioning)?.restore(version, of: path)
            case .soughtTrash(let time):
                guard let trash = base as? any FileProviderTrash else { throw UndoRefusal(path, .dropped) }
                let item = try await trashed(time, of: path, former: former, in: trashes.items(of: trash))
                try await trash.restoreFromTrash(item, to: path)
            case .trash(let id):
                let item = TrashedItem(id: id, item: FileObject(path: path, type: former.type), deletionDate: nil)
                try await (base as? any FileProviderTrash)?.restoreFromTrash(item, to: path)
            case .aside(let id):
                if let own = base as? any FileProviderSettingAside {
                    try await own.bringBack(id, to: path, overwrite: overwrite)
                } else {
                    try await serverAside.bringBack(id, to: path, overwrite: overwrite)
                }
            case .shadow(let id): try await bringBackShadow(id, to: path, former: former, overwrite: overwrite)
            case .link(let text): try await bringBackLink(text, to: path, overwrite: overwrite)
            case .emptyFile: try await bringBackEmptyFile(path, former: former, overwrite: overwrite)
            case .emptyFolder: try await base.create(folder: path.lastName, at: path.parent)
            case .original(let source, _): try await base.copyItem(path: source, to: path)
            }
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            throw UndoRefusal(path, .damaged)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            guard try await look(path.parent) != nil else { throw error }
            throw UndoRefusal(path, .dropped)
        }
        try await restoreAttributes(of: path, former)
    }

    private func bringBackShadow(
        _ id: String,
        to path: ItemPath,
        former: ItemStamp,
        overwrite: Bool
    ) async throws {
        guard let shadow, let streams = base as? any FileProviderReadWriteProgressive else {
            throw UndoRefusal(path, .dropped)
        }
        let (chunks, length) = try await shadow.contents(id)
        try await streams.writeStream(
            path: path,
            contents: chunks,
            length: length,
            options: WriteOptions(overwrite: overwrite, modifiedDate: former.modified)
        )
        await shadow.discard([id])
    }

    private func bringBackEmptyFile(_ path: ItemPath, former: ItemStamp, overwrite: Bool) async throws {
        guard let streams = base as? any FileProviderReadWriteProgressive else { throw UndoRefusal(path, .dropped) }
        try await streams.writeStream(
            path: path,
            contents: DataChunks(Data()),
            length: 0,
            options: WriteOptions(overwrite: overwrite, modifiedDate: former.modified)
        )
    }

    private func bringBackLink(_ text: String, to path: ItemPath, overwrite: Bool) async throws {
        guard let links = base as? any FileProviderSymbolicLink else {
            throw CocoaError.unsupported("symbolic links", path: path, isPlural: true)
        }
        if overwrite, try await look(path) != nil { try await base.removeItem(path: path) }
        try await links.create(symbolicLink: path, withDestination: text)
    }

    /// Sets what came back otherwise than it was.
    func restoreAttributes(of path: ItemPath, _ former: ItemStamp) async throws {
        guard let storage = base as? any FileProviderItemAttributes, let item = try await look(path) else { return }
        var attributes = ItemAttributes()
        let kinds = storage.settableAttributes
        let dates: ItemAttributes.Kinds = item.isDirectory ? .folderDates : .fileDates
        if kinds.contains(dates), let date = former.modified, !former.resembles(item) || item.modifiedDate != date {
            attributes.modifiedDate = date
        }
        if kinds.contains(.permissions), !item.isSymbolicLink, let permissions = former.permissions,
            permissions != item.permissions
        {
            attributes.permissions = permissions
        }
        attributes.extendedAttributes = former.extendedAttributes ?? [:]
        if !attributes.isEmpty { try await storage.setAttributes(attributes, path: path) }
    }

    /// Returns what is set aside in the hidden folder of a server, and has been since before a time; by whomever.
    ///
    /// - Parameter date: The time.
    /// - Returns: The kept items, and their bytes, as far as they are known.
    /// - Throws: The error that keeps the folder from being listed.
    package func strays(before date: Date) async throws -> [(kept: KeptItem, bytes: Int64)] {
        if base is any FileProviderSettingAside { return [] }
        // And what was on its way there when its process died.
        return try await serverAside.items()
            .filter { $0.date.map { $0 < date } ?? TemporaryWriter.isLeftBehind(name: $0.id) }
            .map { (.aside($0.id), $0.item.size ?? 0) }
    }

    /// Removes the hidden folder at a server's top if nothing is kept in it any more.
    ///
    /// It gets another name first, and what was put into it at that very moment goes back: a folder is removed with all
    /// that is in it.
    ///
    /// - Returns: `true` if it is gone, or never was there.
    /// - Throws: An error if the storage can't be examined, or the folder can't be given another name.
    @discardableResult
    package func removeEmptyAside() async throws -> Bool {
        if base is any FileProviderSettingAside { return true }
        return try await serverAside.removeIfEmpty()
    }

    /// All that is kept in the hidden folder at a server's top, by whomever.
    ///
    /// - Returns: The identifier that leads to each, and the item as it is there.
    /// - Throws: The error that keeps the folder from being listed.
    package func itemsInAside() async throws -> [SetAsideItem] {
        if let own = base as? any FileProviderSettingAside { return try await own.itemsSetAside() }
        return try await serverAside.items()
    }

    /// Returns the path of something that is set aside in the hidden folder of a server.
    ///
    /// - Parameter id: The identifier of the item.
    /// - Returns: A path on the server.
    package static func asidePath(_ id: String) -> ItemPath { ServerAside.folder.appending(id) }

    /// Forgets what is kept out of sight or on this machine; what a trash or a server's versions hold is theirs.
    ///
    /// - Parameter kept: Where it is.
    public func discard(_ kept: [KeptItem]) async {
        var aside: [String] = []
        var copies: [String] = []
        for item in kept {
            switch item {
            case .aside(let id): aside.append(id)
            case .shadow(let id): copies.append(id)
            case .version, .soughtVersion, .trash, .soughtTrash, .link, .emptyFolder, .emptyFile, .original: continue
            }
        }
        if let shadow, !copies.isEmpty { await shadow.discard(copies) }
        if aside.isEmpty { return }
        // Items that can't be removed now are found by whoever tidies up later.
        if let own = base as? any FileProviderSettingAside {
            try? await own.discardSetAside(aside)
        } else {
            try? await serverAside.discard(aside)
        }
    }
}
