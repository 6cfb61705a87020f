import FerryCore
import Foundation

extension MemoryTree {
    /// Makes a folder, and with `creatingParents` those above it that are missing.
    mutating func createFolder(_ path: ItemPath, creatingParents: Bool, now: Date) throws {
        if creatingParents {
            if try existing(path)?.isFolder == true { return }
            if try existing(path.parent) == nil { try createFolder(path.parent, creatingParents: true, now: now) }
        }
        let place = try place(for: path)
        guard place.existing == nil else { throw CocoaError.itemExists(path) }
        let id = insert(.folder, name: place.name, into: place.parent, created: now, modified: now)
        note(.created, id)
    }

    private func existing(_ path: ItemPath) throws -> MemoryNode? {
        do {
            return try find(path, followingLink: true, toWrite: true)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }

    mutating func createLink(_ path: ItemPath, destination: String, now: Date) throws {
        let place = try place(for: path)
        guard place.existing == nil else { throw CocoaError.itemExists(path) }
        guard !destination.isEmpty, !destination.utf8.contains(0) else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "a link needs a text without NUL")
        }
        let id = insert(.link(destination), name: place.name, into: place.parent, created: now, modified: now)
        note(.created, id)
    }

    /// Refuses a write that must fail, before its bytes are waited for.
    func checkWrite(_ path: ItemPath, options: WriteOptions) throws -> MemoryPlace {
        let place = try place(for: path, followingLink: true)
        guard let existing = place.existing else {
            if options.ifMatch != nil { throw CocoaError.noSuchItem(path) }
            return place
        }
        let node = try node(existing)
        guard node.isFile else { throw CocoaError.itemExists(path) }
        if let eTag = options.ifMatch {
            guard eTag == node.eTag else { throw PreconditionFailedError(path: path) }
        } else if !options.overwrite {
            throw CocoaError.itemExists(path)
        }
        return place
    }

    mutating func write(_ content: Data, to path: ItemPath, options: WriteOptions, now: Date) throws -> FileObject {
        let place = try checkWrite(path, options: options)
        let old = try place.existing.map { try node($0) }
        try requireRoom(for: Int64(content.count) - Int64(old?.content.count ?? 0), path: path)
        let id =
            old?.id ?? insert(.file, name: place.name, into: place.parent, created: now, modified: now)
        setContent(content, of: id, modified: options.modifiedDate ?? now, isNew: old == nil)
        if let contentType = options.contentType { nodes[id]?.contentType = contentType }
        note(old == nil ? .created : .modified, id)
        return try fileObject(id)
    }

    /// Gives an item, of a link the link itself, another date.
    mutating func setModifiedDate(_ date: Date, of path: ItemPath) throws {
        let node = try find(path, toWrite: true)
        nodes[node.id]?.modified = date
        note(.modified, node.id)
    }

    mutating func remove(_ path: ItemPath) throws {
        let node = try find(path, toWrite: true)
        guard node.id != Self.rootID else { throw CocoaError.rootStays }
        noteRemoval(of: node.id)
        detach(node.id)
        forget(node.id)
    }

    mutating func move(_ path: ItemPath, to target: ItemPath, overwrite: Bool) throws {
        let (node, place) = try checkTransfer(path, to: target, overwrite: overwrite)
        guard node.id != Self.rootID else { throw CocoaError.rootStays }
        if let existing = place.existing, node.isFolder {
            try mergeMove(node.id, into: existing, path: target)
        } else {
            try relocate(node.id, to: place)
        }
    }

    /// Gives an item its new place; what is there is a file that may be replaced.
    private mutating func relocate(_ id: MemoryNode.ID, to place: MemoryPlace) throws {
        let previous = path(of: id)
        detach(id)
        if let existing = place.existing {
            let old = try node(existing)
            let moved = try node(id)
            if old.isFile, moved.isFile {
                // The replaced content stays a version of what took its place.
                let version = MemoryVersion(revision: old.revision, content: old.content, modified: old.modified)
                let all = (moved.versions + [version] + old.versions).sorted { $0.revision > $1.revision }
                nodes[id]?.versions = Array(all.prefix(maximumVersions))
            }
            detach(existing)
            forget(existing)
        }
        attach(id, to: place.parent, name: place.name)
        note(previous.map { .moved(from: $0) } ?? .created, id)
    }

    private mutating func mergeMove(_ source: MemoryNode.ID, into target: MemoryNode.ID, path: ItemPath) throws {
        let clashes = try firstClash(source, target, path: path)
        if let clashes { throw CocoaError.itemExists(clashes) }
        for (name, child) in try node(source).children.sorted(by: { $0.key < $1.key }) {
            let existing = try node(target).children[name]
            if let existing, try node(child).isFolder {
                try mergeMove(child, into: existing, path: path.appending(component: name.text))
            } else {
                try relocate(child, to: MemoryPlace(parent: target, name: name, existing: existing))
            }
        }
        noteRemoval(of: source)
        detach(source)
        forget(source)
    }

    mutating func copy(_ path: ItemPath, to target: ItemPath, overwrite: Bool, now: Date) throws {
        let (node, place) = try checkTransfer(path, to: target, overwrite: overwrite)
        if let existing = place.existing, node.isFolder,
            let clash = try firstClash(node.id, existing, path: target)
        {
            throw CocoaError.itemExists(clash)
        }
        try requireRoom(for: try bytesToCopy(node.id, onto: place.existing), path: target)
        try copy(node.id, to: place, now: now)
    }

    private mutating func copy(_ id: MemoryNode.ID, to place: MemoryPlace, now: Date) throws {
        let source = try node(id)
        switch source.kind {
        case .file:
            let existing = try dropUnlessFile(place.existing)
            let copy =
                existing ?? insert(.file, name: place.name, into: place.parent, created: now, modified: now)
            setContent(source.content, of: copy, modified: source.modified, isNew: existing == nil)
            nodes[copy]?.contentType = source.contentType
            note(existing == nil ? .created : .modified, copy)
        case .link:
            if let existing = place.existing {
                detach(existing)
                forget(existing)
            }
            let copy = insert(
                source.kind,
                name: place.name,
                into: place.parent,
                created: now,
                modified: source.modified
            )
            note(.created, copy)
        case .folder:
            let isNew = place.existing == nil
            let copy =
                place.existing
                ?? insert(.folder, name: place.name, into: place.parent, created: now, modified: source.modified)
            if isNew { note(.created, copy) }
            for (name, child) in source.children.sorted(by: { $0.key < $1.key }) {
                let existing = try node(copy).children[name]
                try self.copy(child, to: MemoryPlace(parent: copy, name: name, existing: existing), now: now)
            }
        }
    }

    /// A link that a file is to replace goes; a file stays, to become a version of its successor.
    private mutating func dropUnlessFile(_ id: MemoryNode.ID?) throws -> MemoryNode.ID? {
        guard let id, try !node(id).isFile else { return id }
        detach(id)
        forget(id)
        return nil
    }

    /// Returns what every move and copy must fulfil.
    private func checkTransfer(
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool
    ) throws -> (MemoryNode, MemoryPlace) {
        let node = try find(path)
        guard !target.isBelow(path) || !node.isFolder else { throw CocoaError.intoItself(path, target: target) }
        let place = try place(for: target)
        guard place.existing != node.id else { throw CocoaError.sameItem(path) }
        guard !isAtOrBelow(place.parent, node.id) else { throw CocoaError.intoItself(path, target: target) }
        if let existing = try place.existing.map({ try self.node($0) }) {
            let mayReplace = overwrite && existing.isFolder == node.isFolder
            guard mayReplace, !isAtOrBelow(node.id, existing.id) || !node.isFolder else {
                throw CocoaError.itemExists(target)
            }
        }
        return (node, place)
    }

    /// The first item for which a folder would have to replace a file, or a file a folder.
    private func firstClash(_ source: MemoryNode.ID, _ target: MemoryNode.ID, path: ItemPath) throws -> ItemPath? {
        for (name, child) in try node(source).children.sorted(by: { $0.key < $1.key }) {
            guard let existing = try node(target).children[name] else { continue }
            let below = path.appending(component: name.text)
            let isFolder = try node(child).isFolder
            if try node(existing).isFolder != isFolder { return below }
            if isFolder, let clash = try firstClash(child, existing, path: below) { return clash }
        }
        return nil
    }

    private func bytesToCopy(_ source: MemoryNode.ID, onto target: MemoryNode.ID?) throws -> Int64 {
        let source = try node(source)
        let target = try target.map { try node($0) }
        return try source.children.reduce(Int64(source.content.count) - Int64(target?.content.count ?? 0)) {
            $0 + (try bytesToCopy($1.value, onto: target?.children[$1.key]))
        }
    }
}

extension CocoaError {
    /// The top of the storage can neither go nor move.
    static var rootStays: CocoaError {
        .file(.fileWriteNoPermission, path: .root, description: "the top of a storage can't be removed or moved")
    }
}
