import Foundation

/// A tree of files and folders with versions, trash, quota and a change log: the part that all emulated services share.
///
/// A value without a lock or a clock; ``CloudStorage`` holds one.
struct CloudTree: Sendable {
    /// The folder at the top.
    static let rootID: CloudItem.ID = 1

    let names: CloudNameRule
    let hashKinds: Set<CloudHashKind>
    /// A Boolean value that indicates whether a moved file gets a new version.
    let movesMakeVersions: Bool
    /// A Boolean value that indicates whether the log names all that lies below a moved folder.
    let logsBelowMoves: Bool
    /// The number of bytes that fit; `nil` for no limit.
    var quota: Int64?
    /// The number of bytes of the current versions of all files outside the trash.
    private(set) var used: Int64 = 0

    private(set) var items: [CloudItem.ID: CloudItem] = [:]
    private(set) var versions: [Int: CloudVersion] = [:]
    /// The log, in order; entry n has the index n - 1.
    private(set) var changes: [CloudChange] = []
    /// The items that were moved to the trash themselves, oldest first.
    private(set) var trash: [CloudItem.ID] = []

    private(set) var children: [CloudItem.ID: [String: [CloudItem.ID]]] = [:]
    private(set) var versionsByPath: [String: [Int]] = [:]
    private(set) var versionsByItem: [CloudItem.ID: [Int]] = [:]
    private(set) var graves: [String: [String: CloudGrave]] = [:]
    private var nextID = 2
    private var nextVersion = 1

    init(
        names: CloudNameRule = CloudNameRule(),
        hashKinds: Set<CloudHashKind>,
        movesMakeVersions: Bool = false,
        logsBelowMoves: Bool = true,
        quota: Int64? = nil,
        date: Date
    ) {
        self.names = names
        self.hashKinds = hashKinds
        self.movesMakeVersions = movesMakeVersions
        self.logsBelowMoves = logsBelowMoves
        self.quota = quota
        items[Self.rootID] = CloudItem(id: Self.rootID, name: "", parent: nil, created: date, modified: date)
        children[Self.rootID] = [:]
    }
}

// MARK: - Changing

extension CloudTree {
    /// Makes a folder, and returns it; the name must be free.
    @discardableResult
    mutating func makeFolder(named name: String, in parent: CloudItem.ID, at date: Date) -> CloudItem {
        let item = CloudItem(id: nextID, name: name, parent: parent, created: date, modified: date)
        nextID += 1
        items[item.id] = item
        children[item.id] = [:]
        attach(item)
        log(item.id)
        return items[item.id] ?? item
    }

    /// Makes the folders of a path that don't exist yet, and returns the last one.
    mutating func makeFolders(
        _ path: some Sequence<String>,
        under base: CloudItem.ID,
        at date: Date
    ) throws(CloudError) -> CloudItem.ID {
        var id = base
        for name in path {
            if let child = child(of: id, named: name) {
                guard child.isFolder else { throw .fileAncestor }
                id = child.id
            } else {
                id = makeFolder(named: name, in: id, at: date).id
            }
        }
        return id
    }

    /// Stores a new file, and returns it; the name must be free.
    @discardableResult
    mutating func makeFile(
        named name: String,
        in parent: CloudItem.ID,
        content: CloudContent,
        hashes: [CloudHashKind: String],
        clientModified: Date? = nil,
        at date: Date,
        reusing id: CloudItem.ID? = nil
    ) throws(CloudError) -> CloudItem {
        try checkSpace(content.count)
        var item = CloudItem(id: id ?? nextID, name: name, parent: parent, created: date, modified: date)
        if id == nil { nextID += 1 }
        items[item.id] = item
        attach(item)
        let version = addVersion(
            of: item.id,
            content: content,
            hashes: hashes,
            clientModified: clientModified ?? date,
            at: date
        )
        item.version = version
        items[item.id] = item
        used += version.size
        log(item.id)
        return items[item.id] ?? item
    }

    /// Stores new content of a file, and returns the file.
    @discardableResult
    mutating func replaceContent(
        of id: CloudItem.ID,
        with content: CloudContent,
        hashes: [CloudHashKind: String],
        clientModified: Date? = nil,
        at date: Date
    ) throws(CloudError) -> CloudItem {
        guard var item = items[id] else { throw .notFound }
        guard let old = item.version else { throw .notFile }
        try checkSpace(content.count - old.size)
        let version = addVersion(
            of: id,
            content: content,
            hashes: hashes,
            clientModified: clientModified ?? date,
            at: date
        )
        item.version = version
        item.modified = date
        item.clientModified = nil
        items[id] = item
        used += version.size - old.size
        log(id)
        return items[item.id] ?? item
    }

    /// Makes a file a document that is exported, and not downloaded.
    mutating func setExports(_ exports: [CloudExport], of id: CloudItem.ID) { items[id]?.exports = exports }

    /// Makes an item one of another kind.
    mutating func setRole(_ role: CloudRole, of id: CloudItem.ID) {
        items[id]?.role = role
        log(id)
    }

    /// Sets the properties of a photo, a video or a song.
    mutating func setMedia(_ media: CloudMedia, of id: CloudItem.ID) {
        items[id]?.media = media
        log(id)
    }

    /// Removes an old version of a file.
    mutating func removeVersion(_ number: Int) {
        guard let version = versions[number], items[version.itemID]?.version?.number != number else { return }
        versions[number] = nil
        versionsByItem[version.itemID]?.removeAll { $0 == number }
        versionsByPath[names.key(version.path)]?.removeAll { $0 == number }
    }

    /// Sets the dates of an item that clients choose; `nil` leaves a date as it is.
    mutating func setDates(created: Date?, modified: Date?, of id: CloudItem.ID) {
        guard created != nil || modified != nil else { return }
        if let created { items[id]?.clientCreated = created }
        if let modified { items[id]?.clientModified = modified }
        log(id)
    }

    /// Moves an item to a folder and a name, which must be free or its own.
    mutating func move(
        _ id: CloudItem.ID,
        to parent: CloudItem.ID,
        named name: String,
        at date: Date
    ) throws(CloudError) {
        guard var item = items[id], id != Self.rootID else { throw .notFound }
        guard !isInside(parent, of: id) else { throw .intoItself }
        logRemoval(id)
        bury(id, at: date)
        detach(item)
        item.parent = parent
        item.name = name
        item.modified = date
        items[id] = item
        attach(item)
        for moved in [item] + (item.isFolder ? descendants(of: id) : []) {
            if movesMakeVersions, let old = moved.version {
                let version = addVersion(
                    of: moved.id,
                    content: old.content,
                    hashes: old.hashes,
                    clientModified: old.clientModified,
                    at: date
                )
                items[moved.id]?.version = version
            }
            unbury(moved.id)
            if logsBelowMoves || moved.id == id { log(moved.id) }
        }
    }

    /// Copies an item to a folder and a name, which must be free, and returns the copy.
    @discardableResult
    mutating func copy(
        _ id: CloudItem.ID,
        to parent: CloudItem.ID,
        named name: String,
        keepingDates: Bool = true,
        at date: Date
    ) throws(CloudError) -> CloudItem {
        guard let item = items[id] else { throw .notFound }
        guard !item.isFolder || !isInside(parent, of: id) else { throw .intoItself }
        try checkSpace(size(of: id))
        return try copyUnchecked(item, to: parent, named: name, keepingDates: keepingDates, at: date)
    }

    private mutating func copyUnchecked(
        _ item: CloudItem,
        to parent: CloudItem.ID,
        named name: String,
        keepingDates: Bool,
        at date: Date
    ) throws(CloudError) -> CloudItem {
        if let version = item.version {
            let copy = try makeFile(
                named: name,
                in: parent,
                content: version.content,
                hashes: version.hashes,
                clientModified: keepingDates ? version.clientModified : nil,
                at: date
            )
            setExports(item.exports, of: copy.id)
            return copy
        }
        let folder = makeFolder(named: name, in: parent, at: date)
        for child in children(of: item.id) {
            _ = try copyUnchecked(
                child,
                to: folder.id,
                named: child.name,
                keepingDates: keepingDates,
                at: date
            )
        }
        return folder
    }

    /// Moves an item and all below it to the trash.
    mutating func delete(_ id: CloudItem.ID, at date: Date) throws(CloudError) {
        guard var item = items[id], id != Self.rootID else { throw .notFound }
        used -= size(of: id)
        logRemoval(id)
        bury(id, at: date)
        detach(item)
        item.deleted = date
        items[id] = item
        trash.append(id)
    }

    /// Brings an item back from the trash to a folder and a name, which must be free.
    mutating func restore(
        _ id: CloudItem.ID,
        to parent: CloudItem.ID,
        named name: String,
        at date: Date
    ) throws(CloudError) {
        guard var item = items[id], item.deleted != nil else { throw .notFound }
        try checkSpace(size(of: id))
        trash.removeAll { $0 == id }
        item.deleted = nil
        item.parent = parent
        item.name = name
        items[id] = item
        attach(item)
        used += size(of: id)
        for restored in [item] + (item.isFolder ? descendants(of: id) : []) {
            unbury(restored.id)
            log(restored.id)
        }
    }

    /// Removes an item and all below it for good, with all versions.
    mutating func purge(_ id: CloudItem.ID, at date: Date) throws(CloudError) {
        guard let item = items[id], id != Self.rootID else { throw .notFound }
        if liveItem(id) != nil {
            // Nothing is left that could be looked up later.
            if !logsBelowMoves { for below in descendants(of: id).reversed() { logRemoval(below.id) } }
            try delete(id, at: date)
        }
        trash.removeAll { $0 == id }
        for gone in [item] + descendants(of: id) {
            for number in versionsByItem.removeValue(forKey: gone.id) ?? [] {
                guard let version = versions.removeValue(forKey: number) else { continue }
                versionsByPath[names.key(version.path)]?.removeAll { $0 == number }
            }
            items[gone.id] = nil
            children[gone.id] = nil
        }
        for (parent, entries) in graves {
            for (name, grave) in entries where items[grave.itemID] == nil { graves[parent]?[name] = nil }
        }
    }

    /// Returns the number of bytes of the current versions of an item and all below it.
    func size(of id: CloudItem.ID) -> Int64 {
        guard let item = items[id] else { return 0 }
        if let version = item.version { return version.size }
        return (children[id] ?? [:]).values.joined().reduce(0) { $0 + size(of: $1) }
    }

    /// Returns `true` if an item is another one, or lies below it.
    func isInside(_ id: CloudItem.ID, of folder: CloudItem.ID) -> Bool {
        var current: CloudItem.ID? = id
        while let next = current {
            if next == folder { return true }
            current = items[next]?.parent
        }
        return false
    }

    /// Throws ``CloudError/insufficientSpace`` if so many bytes more don't fit.
    func checkSpace(_ count: Int64) throws(CloudError) {
        if let quota, count > 0, used + count > quota { throw .insufficientSpace }
    }

    private mutating func addVersion(
        of id: CloudItem.ID,
        content: CloudContent,
        hashes: [CloudHashKind: String],
        clientModified: Date,
        at date: Date
    ) -> CloudVersion {
        let path = path(of: id) ?? []
        let version = CloudVersion(
            number: nextVersion,
            itemID: id,
            content: content,
            hashes: hashes,
            clientModified: clientModified,
            serverModified: date,
            path: path
        )
        nextVersion += 1
        versions[version.number] = version
        versionsByPath[names.key(path), default: []].append(version.number)
        versionsByItem[id, default: []].append(version.number)
        return version
    }

    private mutating func attach(_ item: CloudItem) {
        guard let parent = item.parent else { return }
        children[parent, default: [:]][names.key(item.name), default: []].append(item.id)
        unbury(item.id)
    }

    private mutating func detach(_ item: CloudItem) {
        guard let parent = item.parent else { return }
        let key = names.key(item.name)
        children[parent]?[key]?.removeAll { $0 == item.id }
        if children[parent]?[key]?.isEmpty == true { children[parent]?[key] = nil }
    }

    private mutating func bury(_ id: CloudItem.ID, at date: Date) {
        guard let item = items[id] else { return }
        for gone in [item] + (item.isFolder ? descendants(of: id) : []) {
            guard let path = path(of: gone.id), let name = path.last else { continue }
            let grave = CloudGrave(itemID: gone.id, path: path, isFolder: gone.isFolder, date: date)
            graves[names.key(path.dropLast()), default: [:]][names.key(name)] = grave
        }
    }

    private mutating func unbury(_ id: CloudItem.ID) {
        guard let path = path(of: id), let name = path.last else { return }
        graves[names.key(path.dropLast())]?[names.key(name)] = nil
    }

    private mutating func log(_ id: CloudItem.ID) {
        guard let path = path(of: id) else { return }
        items[id]?.revision += 1
        changes.append(CloudChange(number: changes.count + 1, itemID: id, path: path, isRemoval: false))
    }

    private mutating func logRemoval(_ id: CloudItem.ID) {
        guard let path = path(of: id) else { return }
        changes.append(CloudChange(number: changes.count + 1, itemID: id, path: path, isRemoval: true))
    }
}
