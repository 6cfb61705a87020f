import Foundation

/// The place that an address names.
enum GraphPlace: Sendable {
    case item(CloudItem)
    /// No item: the nearest folder that is there, and the names below it.
    case free(CloudItem, [String])
}

extension GraphCall {
    /// Finds the place that the address names.
    ///
    /// - Throws: A refusal with status 400 or 404.
    func place(in tree: CloudTree) throws -> GraphPlace {
        guard let anchor = address.anchor else { throw GraphRefusal.notFound }
        var item: CloudItem
        switch anchor {
        case .root: item = try found(CloudTree.rootID, in: tree)
        case .number(let number): item = try found(number, in: tree)
        case .special(let name): item = try found(try specialFolder(name, in: tree), in: tree)
        case .id(let id):
            guard let number = drive.number(ofItem: id) else { throw GraphRefusal.notFound }
            item = try found(number, in: tree)
        }
        for (index, name) in address.path.enumerated() {
            guard item.isFolder, item.role.isPlainFolder else { throw GraphRefusal.notFound }
            guard let child = tree.child(of: item.id, named: name) else {
                try checkAccess(item.id, in: tree)
                return .free(item, Array(address.path[index...]))
            }
            item = child
        }
        try checkAccess(item.id, in: tree)
        return .item(item)
    }

    /// Finds the item that the address names.
    ///
    /// - Throws: A refusal with status 400 or 404.
    func item(in tree: CloudTree) throws -> CloudItem {
        guard case .item(let item) = try place(in: tree) else { throw GraphRefusal.notFound }
        return item
    }

    private func found(_ number: CloudItem.ID, in tree: CloudTree) throws -> CloudItem {
        guard let item = tree.liveItem(number) else { throw GraphRefusal.notFound }
        return item
    }

    /// Checks that the account may use an item.
    ///
    /// - Throws: A refusal with status 404, so that nobody learns of what is there.
    func checkAccess(_ id: CloudItem.ID, in tree: CloudTree) throws {
        guard case .below(let folders) = access else { return }
        guard folders.contains(where: { tree.isInside(id, of: $0) }) else { throw GraphRefusal.notFound }
    }

    /// Finds the folder that a reference in a body names.
    ///
    /// - Parameters:
    ///   - reference: The reference, with `id` or `path`.
    ///   - drive: The drive that holds the folder.
    ///   - tree: The tree of that drive.
    /// - Returns: The folder.
    /// - Throws: A refusal with status 400 or 404.
    func folder(_ reference: JSONValue, of drive: GraphDrive, in tree: CloudTree) throws -> CloudItem {
        let item: CloudItem
        if let id = reference["id"]?.string {
            guard let number = drive.number(ofItem: id), let found = tree.liveItem(number) else {
                throw GraphRefusal.notFound
            }
            item = found
        } else if let path = reference["path"]?.string {
            guard let colon = path.firstIndex(of: ":"), path[..<colon].hasSuffix("/root") || path[..<colon] == "root"
            else { throw GraphRefusal.invalid("The path of the parentReference isn't valid.") }
            var names: [String] = []
            for segment in path[path.index(after: colon)...].split(separator: "/") {
                names.append(segment.removingPercentEncoding ?? String(segment))
            }
            guard let found = tree.item(at: names) else { throw GraphRefusal.notFound }
            item = found
        } else {
            throw GraphRefusal.invalid("The parentReference needs an id or a path.")
        }
        guard item.isFolder, item.role.isPlainFolder else { throw GraphRefusal.invalid("The parent isn't a folder.") }
        if drive === self.drive { try checkAccess(item.id, in: tree) }
        return item
    }

    /// Returns the names of the folder that the service looks up by a name of its own; `nil` if there is none.
    static func specialPath(_ name: String) -> [String]? {
        switch name.lowercased() {
        case "approot": ["Apps", "Lab App"]
        case "documents": ["Documents"]
        case "photos": ["Pictures"]
        case "cameraroll": ["Pictures", "Camera Roll"]
        case "music": ["Music"]
        default: nil
        }
    }

    private func specialFolder(_ name: String, in tree: CloudTree) throws -> CloudItem.ID {
        let role = CloudRole.special(name: name.lowercased())
        if let item = tree.items.values.first(where: { $0.role == role && tree.liveItem($0.id) != nil }) {
            return item.id
        }
        throw GraphRefusal.notFound
    }

    /// Makes the special folder that the address names, if it isn't there yet.
    func makeSpecialFolder() {
        guard case .special(let name)? = address.anchor, let path = Self.specialPath(name) else { return }
        storage.change { tree in
            guard (try? specialFolder(name, in: tree)) == nil,
                let id = try? tree.makeFolders(path, under: CloudTree.rootID, at: now)
            else { return }
            tree.setRole(.special(name: name.lowercased()), of: id)
        }
    }
}
