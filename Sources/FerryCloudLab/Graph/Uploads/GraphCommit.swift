import Foundation

/// The place and the conditions of a file that is to be stored.
struct GraphCommit: Sendable {
    enum Target: Sendable {
        /// A file that gets a new version.
        case item(CloudItem.ID)
        /// A folder, and the names below it of which those before the last become folders.
        case path(CloudItem.ID, [String])
    }

    let drive: GraphDrive
    var target: Target
    var conflict: GraphConflict
    var created: Date?
    var modified: Date?

    /// Stores a file.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - hashes: Their hashes.
    ///   - tree: The tree.
    ///   - now: The date.
    /// - Returns: The file, and a Boolean value that indicates whether it is a new one.
    /// - Throws: ``GraphRefusal`` or ``CloudError``.
    func store(
        _ content: CloudContent,
        hashes: [CloudHashKind: String],
        in tree: inout CloudTree,
        at now: Date
    ) throws -> (item: CloudItem, isNew: Bool) {
        switch target {
        case .item(let id):
            guard let item = tree.liveItem(id) else { throw CloudError.notFound }
            guard !item.isFolder else { throw CloudError.notFile }
            return (try replace(item, content, hashes, in: &tree, at: now), false)
        case .path(let folder, let names):
            guard tree.liveItem(folder) != nil, var name = names.last else { throw CloudError.notFound }
            try tree.checkSpace(content.count)
            let parent = try tree.makeFolders(names.dropLast(), under: folder, at: now)
            if let other = tree.child(of: parent, named: name) {
                switch conflict {
                case .fail: throw GraphRefusal.nameExists
                case .replace:
                    guard !other.isFolder else { throw GraphRefusal.nameExists }
                    return (try replace(other, content, hashes, in: &tree, at: now), false)
                case .rename: name = tree.numberedName(name, in: parent, isFolder: false)
                }
            }
            let item = try tree.makeFile(
                named: name,
                in: parent,
                content: content,
                hashes: hashes,
                clientModified: modified,
                at: now
            )
            tree.setDates(created: created, modified: nil, of: item.id)
            return (tree.items[item.id] ?? item, true)
        }
    }

    private func replace(
        _ item: CloudItem,
        _ content: CloudContent,
        _ hashes: [CloudHashKind: String],
        in tree: inout CloudTree,
        at now: Date
    ) throws -> CloudItem {
        try tree.replaceContent(of: item.id, with: content, hashes: hashes, clientModified: modified, at: now)
        tree.setDates(created: created, modified: nil, of: item.id)
        return tree.items[item.id] ?? item
    }

    /// Returns the bytes as the service keeps them: SharePoint writes properties of its own into Office files.
    ///
    /// - Parameters:
    ///   - content: The bytes that have arrived.
    ///   - name: The name of the file.
    ///   - settings: The settings.
    /// - Returns: The bytes; `nil` if they are kept as they are.
    func rewritten(_ content: CloudContent, name: String, _ settings: GraphSettings) -> CloudContent? {
        guard settings.rewritesOfficeFiles, !drive.isPersonal, GraphFileKind(name: name) == .office, content.count > 0
        else { return nil }
        var content = content
        content.append(CloudContent([UInt8](repeating: 0, count: 1171)))
        return content
    }
}

/// The behaviour if something is where an item is to be.
enum GraphConflict: String, Sendable {
    case fail, replace, rename
}
