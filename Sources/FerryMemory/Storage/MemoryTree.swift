import FerryCore
import Foundation

/// All items of a memory storage, and what happened to them: plain values, no waiting, no locks.
///
/// `MemoryFileProvider` holds one in a `Mutex` and forwards to it.
struct MemoryTree {
    static let rootID = 0

    var nodes: [MemoryNode.ID: MemoryNode]
    var trash: [MemoryNode.ID: MemoryTrashEntry] = [:]
    var history = MemoryHistory()
    /// Files that are written in parts, by their identifiers.
    var partialWrites: [String: MemoryPartialWrite] = [:]
    var usedBytes: Int64 = 0

    /// Bytes that all contents may have together; `nil` for no limit.
    let capacity: Int64?
    /// Earlier contents that are kept of each file.
    let maximumVersions: Int

    private var lastID = MemoryTree.rootID
    private var lastRevision = 0

    init(capacity: Int64?, maximumVersions: Int, now: Date) {
        self.capacity = capacity
        self.maximumVersions = maximumVersions
        self.nodes = [
            Self.rootID: MemoryNode(
                id: Self.rootID,
                kind: .folder,
                parent: Self.rootID,
                name: MemoryName(""),
                created: now,
                modified: now,
                revision: 0
            )
        ]
    }

    mutating func nextRevision() -> Int {
        lastRevision += 1
        return lastRevision
    }

    /// A node that must exist, since its identifier came from the tree under the same lock.
    func node(_ id: MemoryNode.ID) throws -> MemoryNode {
        guard let node = nodes[id] else { throw CocoaError.noSuchItem(ItemPath(identifier: "\(id)")) }
        return node
    }

    /// Where a node is; `nil` for what is in the trash.
    func path(of id: MemoryNode.ID) -> ItemPath? {
        var names: [MemoryName] = []
        var current = id
        while current != Self.rootID {
            guard trash[current] == nil, let node = nodes[current] else { return nil }
            names.append(node.name)
            current = node.parent
        }
        return names.reversed().reduce(ItemPath.root) { $0.appending(component: $1.text) }
    }

    func fileObject(_ node: MemoryNode, in folder: ItemPath) -> FileObject {
        let name = NameEscape.name(ofComponent: node.name.text)
        var file = FileObject(
            name: name,
            in: folder,
            type: .file,
            modifiedDate: node.modified,
            creationDate: node.created,
            id: "\(node.id)"
        )
        if node.id != Self.rootID { file.parentID = "\(node.parent)" }
        file.metadataVersion = "m\(node.changes)"
        switch node.kind {
        case .file:
            file.size = Int64(node.content.count)
            file.eTag = node.eTag
            file.contentType = node.contentType ?? ContentType.ofFile(named: name)
        case .folder:
            file.type = .directory
        case .link(let destination):
            file.type = .symlink
            file.extras[.linkDestination] = destination
        }
        return file
    }

    func fileObject(_ id: MemoryNode.ID) throws -> FileObject {
        let node = try node(id)
        return fileObject(node, in: path(of: id)?.parent ?? .root)
    }
}

// MARK: - Attaching and detaching

extension MemoryTree {
    /// Adds a new item to a folder where its name is free.
    @discardableResult
    mutating func insert(
        _ kind: MemoryNode.Kind,
        name: MemoryName,
        into parent: MemoryNode.ID,
        created: Date,
        modified: Date
    ) -> MemoryNode.ID {
        lastID += 1
        nodes[lastID] = MemoryNode(
            id: lastID,
            kind: kind,
            parent: parent,
            name: name,
            created: created,
            modified: modified,
            revision: nextRevision()
        )
        nodes[parent]?.children[name] = lastID
        return lastID
    }

    /// Gives an item another folder and name; the name must be free there.
    mutating func attach(_ id: MemoryNode.ID, to parent: MemoryNode.ID, name: MemoryName) {
        nodes[id]?.parent = parent
        nodes[id]?.name = name
        nodes[parent]?.children[name] = id
    }

    /// Takes an item out of its folder, and keeps it.
    mutating func detach(_ id: MemoryNode.ID) {
        guard let node = nodes[id] else { return }
        nodes[node.parent]?.children[node.name] = nil
    }

    /// Forgets an item that is detached, with all below it.
    mutating func forget(_ id: MemoryNode.ID) {
        var waiting = [id]
        while let next = waiting.popLast() {
            guard let node = nodes.removeValue(forKey: next) else { continue }
            usedBytes -= Int64(node.content.count)
            waiting += node.children.values
        }
    }

    /// Requires that there is room for so many bytes more.
    func requireRoom(for bytes: Int64, path: ItemPath) throws {
        guard let capacity, bytes > 0, bytes > capacity - usedBytes else { return }
        throw CocoaError.file(.fileWriteOutOfSpace, path: path)
    }

    /// Replaces a file's bytes; the old ones become a version, unless the file is new.
    mutating func setContent(_ content: Data, of id: MemoryNode.ID, modified: Date, isNew: Bool = false) {
        guard var node = nodes[id] else { return }
        usedBytes += Int64(content.count) - Int64(node.content.count)
        if !isNew {
            let version = MemoryVersion(revision: node.revision, content: node.content, modified: node.modified)
            node.versions = Array(([version] + node.versions).prefix(maximumVersions))
        }
        node.content = content
        node.modified = modified
        node.revision = nextRevision()
        nodes[id] = node
    }
}

extension MemoryTree {
    private func file(_ path: ItemPath) throws -> MemoryNode {
        let node = try find(path, followingLink: true)
        guard node.isFile else { throw CocoaError.isAFolder(path) }
        return node
    }

    func versions(of path: ItemPath) throws -> [FileVersion] {
        try file(path).versions.map(\.version)
    }

    func content(of version: FileVersion, path: ItemPath) throws -> MemoryVersion {
        guard let found = try file(path).versions.first(where: { $0.version.id == version.id }) else {
            throw CocoaError.file(.fileNoSuchFile, path: path, description: "this version is no longer kept")
        }
        return found
    }

    mutating func restore(_ version: FileVersion, of path: ItemPath) throws {
        let old = try content(of: version, path: path)
        let node = try file(path)
        try requireRoom(for: Int64(old.content.count) - Int64(node.content.count), path: path)
        setContent(old.content, of: node.id, modified: old.modified)
        note(.modified, node.id)
    }
}
