import Foundation

extension CloudTree {
    /// The position of the newest change; 0 before the first.
    var lastChange: Int { changes.count }

    /// Returns the item with a name in a folder.
    func child(of folder: CloudItem.ID, named name: String) -> CloudItem? {
        children[folder]?[names.key(name)]?.first.flatMap { items[$0] }
    }

    /// Returns the items in a folder, sorted by name.
    func children(of folder: CloudItem.ID) -> [CloudItem] {
        (children[folder] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value).compactMap { items[$0] }
    }

    /// Returns the number of items in a folder.
    func childCount(of folder: CloudItem.ID) -> Int {
        (children[folder] ?? [:]).values.reduce(0) { $0 + $1.count }
    }

    /// Returns the item at a path below a folder.
    func item(at path: some Sequence<String>, under base: CloudItem.ID = rootID) -> CloudItem? {
        var id = base
        for name in path {
            guard let child = child(of: id, named: name) else { return nil }
            id = child.id
        }
        return items[id]
    }

    /// Returns the item with a number, unless it or a folder around it is in the trash.
    func liveItem(_ id: CloudItem.ID) -> CloudItem? { path(of: id) == nil ? nil : items[id] }

    /// Returns the names from a folder down to an item; `nil` if the item is in the trash, gone, or somewhere else.
    func path(of id: CloudItem.ID, from base: CloudItem.ID = rootID) -> [String]? {
        var path: [String] = []
        var current = id
        while current != base {
            guard let item = items[current], item.deleted == nil, let parent = item.parent else { return nil }
            path.append(item.name)
            current = parent
        }
        // The base itself may be in the trash.
        if base != Self.rootID, self.path(of: base) == nil { return nil }
        return path.reversed()
    }

    /// Returns an item's folder and all below it, parents before children, sorted by name; the item itself isn't in it.
    func descendants(of folder: CloudItem.ID) -> [CloudItem] {
        var result: [CloudItem] = []
        for child in children(of: folder) {
            result.append(child)
            if child.isFolder { result.append(contentsOf: descendants(of: child.id)) }
        }
        return result
    }

    /// Returns the versions that were stored at a path, oldest first.
    func versions(at path: [String]) -> [CloudVersion] {
        (versionsByPath[names.key(path)] ?? []).compactMap { versions[$0] }
    }

    /// Returns the versions of a file, oldest first.
    func versions(of id: CloudItem.ID) -> [CloudVersion] { (versionsByItem[id] ?? []).compactMap { versions[$0] } }

    /// Returns the record of something deleted at a path, if nothing else is there now.
    func grave(at path: [String]) -> CloudGrave? {
        path.last.flatMap { graves[names.key(path.dropLast())]?[names.key($0)] }
    }

    /// Returns the records of what was deleted in a folder, sorted by name.
    func graves(in path: [String]) -> [CloudGrave] {
        (graves[names.key(path)] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns a name that is free in a folder: "name (1).ext", and so on.
    func freeName(_ name: String, in folder: CloudItem.ID, isFolder: Bool) -> String {
        var (stem, suffix) = (name, "")
        if !isFolder, let dot = name.lastIndex(of: "."), dot != name.startIndex {
            (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
        }
        var number = 1
        while child(of: folder, named: "\(stem) (\(number))\(suffix)") != nil { number += 1 }
        return "\(stem) (\(number))\(suffix)"
    }
}

/// The rules by which a storage tells names apart.
struct CloudNameRule: Sendable {
    /// A Boolean value that indicates whether names that differ in case only are the same.
    var foldsCase = true

    /// Returns the form of a name that is compared.
    func key(_ name: String) -> String { foldsCase ? name.lowercased() : name }

    /// Returns the form of a path that is compared, as one string.
    func key(_ path: some Sequence<String>) -> String { path.map { "/" + key($0) }.joined() }
}
