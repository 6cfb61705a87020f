import FerryCore
import Foundation

/// Where something is, or would be put.
struct MemoryPlace {
    let parent: MemoryNode.ID
    let name: MemoryName
    /// The item that is there now.
    let existing: MemoryNode.ID?
}

extension MemoryTree {
    /// More links on one way than a person would make: a circle.
    private static let maximumLinks = 40

    /// Finds an item; with `followingLink`, a link at the end stands for what it leads to.
    func find(_ path: ItemPath, followingLink: Bool = false, toWrite: Bool = false) throws -> MemoryNode {
        var start = [Self.rootID]
        if let identifier = path.leadingIdentifier {
            guard let id = Int(identifier), let node = nodes[id], let place = self.path(of: id) else {
                throw CocoaError.noSuchItem(path)
            }
            if path.isIdentifier, !followingLink || place.isRoot { return node }
            let target = place.isRoot ? node : try find(place, followingLink: true, toWrite: toWrite)
            if path.isIdentifier { return target }
            start = way(to: target.id)
        }
        try checkAddress(path)
        var links = 0
        let id = try walk(
            path.components.map { MemoryName($0) },
            from: start,
            followingLink: followingLink,
            links: &links,
            path: path,
            toWrite: toWrite
        )
        return try node(id)
    }

    /// Finds where an item is to be put: its folder must exist.
    ///
    /// With `followingLink`, a link that is there already stands for the place it leads to.
    func place(for path: ItemPath, followingLink: Bool = false) throws -> MemoryPlace {
        if path.identifier != nil {
            let node = try find(path, followingLink: followingLink)
            return MemoryPlace(parent: node.parent, name: node.name, existing: node.id)
        }
        try checkAddress(path)
        guard !path.isRoot else {
            return MemoryPlace(parent: Self.rootID, name: MemoryName(""), existing: Self.rootID)
        }
        let folder = try folder(path.parent)
        // Names are kept as they stand in paths; `lastName` would lose an escaped `..`.
        let name = MemoryName(path.lastComponent)
        guard name.text.utf8.count <= MemoryFileProvider.maximumNameLength else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "the name is too long")
        }
        let existing = folder.children[name]
        if followingLink, let existing, case .link(let destination) = try node(existing).kind {
            let target = try linkTarget(destination, of: self.path(of: existing) ?? path)
            return try place(for: target, followingLink: true, depth: 1)
        }
        return MemoryPlace(parent: folder.id, name: name, existing: existing)
    }

    private func place(for path: ItemPath, followingLink: Bool, depth: Int) throws -> MemoryPlace {
        guard depth <= Self.maximumLinks else { throw CocoaError.linkCircle(path, toWrite: true) }
        let place = try place(for: path)
        guard let existing = place.existing, case .link(let destination) = try node(existing).kind else { return place }
        return try self.place(for: linkTarget(destination, of: path), followingLink: true, depth: depth + 1)
    }

    private func checkAddress(_ path: ItemPath) throws {
        guard path.beginsWithIdentifier, path.leadingIdentifier == nil else { return }
        throw CocoaError.unsupported("a path by revision", path: path)
    }

    /// Finds a folder into which something is to be put.
    func folder(_ path: ItemPath) throws -> MemoryNode {
        let node = try find(path, followingLink: true, toWrite: true)
        guard node.isFolder else { throw CocoaError.notAFolder(path, whileWriting: true) }
        return node
    }

    private func linkTarget(_ destination: String, of link: ItemPath) throws -> ItemPath {
        let text = destination.hasPrefix("/") ? destination : link.parent.string + "/" + destination
        guard let target = ItemPath(text) else { throw CocoaError.leadsOut(link, toWrite: true) }
        return target
    }

    private func walk(
        _ names: [MemoryName],
        from start: [MemoryNode.ID],
        followingLink: Bool,
        links: inout Int,
        path: ItemPath,
        toWrite: Bool
    ) throws -> MemoryNode.ID {
        var stack = start
        for (index, name) in names.enumerated() {
            if name.text == ".." {
                guard stack.count > 1 else { throw CocoaError.leadsOut(path, toWrite: toWrite) }
                stack.removeLast()
                continue
            }
            if name.text == "." { continue }
            guard let current = stack.last, let child = try node(current).children[name] else {
                throw CocoaError.noSuchItem(path)
            }
            let isLast = index == names.count - 1
            if case .link(let destination) = try node(child).kind, followingLink || !isLast {
                links += 1
                guard links <= Self.maximumLinks else { throw CocoaError.linkCircle(path, toWrite: toWrite) }
                let target = destination.utf8.split(separator: UInt8(ascii: "/")).map { MemoryName(Substring($0)) }
                let base = destination.hasPrefix("/") ? [Self.rootID] : stack
                stack = way(
                    to: try walk(target, from: base, followingLink: true, links: &links, path: path, toWrite: toWrite)
                )
            } else {
                stack.append(child)
            }
        }
        return stack.last ?? Self.rootID
    }

    /// The folders above an item and the item itself, from the root down.
    private func way(to id: MemoryNode.ID) -> [MemoryNode.ID] {
        var way: [MemoryNode.ID] = []
        var current = id
        while current != Self.rootID, let node = nodes[current] {
            way.append(current)
            current = node.parent
        }
        return [Self.rootID] + way.reversed()
    }

    /// Returns whether an item is a folder, or below it.
    func isAtOrBelow(_ id: MemoryNode.ID, _ folder: MemoryNode.ID) -> Bool {
        way(to: id).contains(folder)
    }
}

extension CocoaError {
    fileprivate static func linkCircle(_ path: ItemPath, toWrite: Bool) -> CocoaError {
        .file(toWrite ? .fileWriteUnknown : .fileReadUnknown, path: path, description: "its links lead in a circle")
    }

    fileprivate static func leadsOut(_ path: ItemPath, toWrite: Bool) -> CocoaError {
        .file(
            toWrite ? .fileWriteNoPermission : .fileReadNoPermission,
            path: path,
            description: "a link leads out of the storage"
        )
    }
}
