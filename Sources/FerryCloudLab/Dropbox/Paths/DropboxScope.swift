import Foundation

/// The folder that an account's paths start from: its home, the root of its team, or a namespace.
struct DropboxScope: Sendable {
    /// The folder at which paths start.
    let base: CloudItem.ID
    /// The folders that may be named as namespaces.
    let namespaces: Set<CloudItem.ID>
    /// A Boolean value that indicates whether `path_display` is right in its last component only.
    let hasRoughDisplayPaths: Bool
    /// A Boolean value that indicates whether the account may only look at what is below the base.
    var isReadOnly = false
}

extension DropboxScope {
    /// Returns the same scope with another folder at which paths start.
    func based(on base: CloudItem.ID) -> DropboxScope {
        DropboxScope(
            base: base,
            namespaces: namespaces,
            hasRoughDisplayPaths: hasRoughDisplayPaths,
            isReadOnly: isReadOnly
        )
    }

    /// Returns the folder of a namespace, or the base.
    ///
    /// - Throws: The tag `not_found` for a namespace that isn't the account's.
    func start(_ namespace: CloudItem.ID?) throws(DropboxTag) -> CloudItem.ID {
        guard let namespace else { return base }
        guard namespaces.contains(namespace) else { throw DropboxTag("not_found") }
        return namespace
    }

    /// Finds what a path names.
    ///
    /// - Returns: The item; the root has no metadata, but can be listed.
    /// - Throws: The tags of a lookup error.
    func item(_ text: String, in tree: CloudTree) throws(DropboxTag) -> CloudItem {
        let item: CloudItem? =
            switch try DropboxPath(text) {
            case .path(let names, let namespace): tree.item(at: names, under: try start(namespace))
            case .id(let id, let rest):
                tree.path(of: id, from: base) == nil ? nil : tree.item(at: rest, under: id)
            case .revision(let number): tree.versions[number].flatMap { tree.liveItem($0.itemID) }
            }
        guard let item else { throw DropboxTag("not_found") }
        return item
    }

    /// Finds the version of a file that a path names.
    ///
    /// - Throws: The tags of a lookup error.
    func version(_ text: String, in tree: CloudTree) throws(DropboxTag) -> (item: CloudItem?, version: CloudVersion) {
        if case .revision(let number) = try DropboxPath(text) {
            guard let version = tree.versions[number] else { throw DropboxTag("not_found") }
            return (tree.items[version.itemID], version)
        }
        let item = try item(text, in: tree)
        guard let version = item.version else { throw DropboxTag("not_file") }
        return (item, version)
    }

    /// Finds the folder and the name to write to; the names of folders that don't exist yet are returned too.
    ///
    /// - Throws: The tags of a write error.
    func target(
        _ text: String,
        in tree: CloudTree
    ) throws(DropboxTag) -> (base: CloudItem.ID, folders: [String], name: String) {
        let path = try DropboxPath(text)
        guard !isReadOnly else { throw DropboxTag("no_write_permission") }
        switch path {
        case .path(let names, let namespace):
            guard let name = names.last else { throw .malformedPath }
            guard DropboxPath.isAllowed(name) else { throw DropboxTag("disallowed_name") }
            if let namespace, !namespaces.contains(namespace) { throw DropboxTag("no_write_permission") }
            return (try start(namespace), names.dropLast(), name)
        case .id(let id, let rest):
            guard let item = tree.liveItem(id), let parent = item.parent else {
                throw DropboxTag("no_write_permission")
            }
            guard let name = rest.last else { return (parent, [], item.name) }
            return (id, rest.dropLast(), name)
        case .revision: throw .malformedPath
        }
    }

    /// Returns the absolute names of the base.
    func basePath(in tree: CloudTree) -> [String] { tree.path(of: base) ?? [] }
}
