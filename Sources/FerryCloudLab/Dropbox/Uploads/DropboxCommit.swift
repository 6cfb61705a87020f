import Foundation

/// The place and the way in which arrived bytes become a file.
struct DropboxCommit: Sendable {
    enum Mode: Sendable, Equatable {
        case add
        case overwrite
        case update(Int)
    }

    let path: String
    let mode: Mode
    let isRenamed: Bool
    let isStrict: Bool
    let clientModified: Date?

    /// Reads the fields, whose form is right.
    init(_ arguments: JSONValue) {
        path = arguments["path"]?.string ?? ""
        mode =
            switch arguments["mode"]?.tagged {
            case ("overwrite", _)?: .overwrite
            case ("update", let revision)?: .update(revision?.string.flatMap(DropboxPath.version) ?? -1)
            default: .add
            }
        isRenamed = arguments["autorename"]?.bool ?? false
        isStrict = arguments["strict_conflict"]?.bool ?? false
        clientModified = arguments["client_modified"]?.string.flatMap(DropboxTimestamp.date)
    }

    static let shape = DropboxShape(
        .required("path", .pattern(.writePathOrID)),
        .defaulted(
            "mode",
            .union(["add": nil, "overwrite": nil, "update": .pattern(.revision)])
        ),
        .defaulted("autorename", .bool),
        .optional("client_modified", .timestamp),
        .defaulted("mute", .bool),
        .optional("property_groups", .list(.anything)),
        .defaulted("strict_conflict", .bool)
    )
}

extension DropboxCommit {
    /// Stores arrived bytes.
    ///
    /// - Returns: The file, which may have another name than was asked for.
    /// - Throws: The tags of a write error.
    func store(
        _ content: CloudContent,
        hashes: [CloudHashKind: String],
        scope: DropboxScope,
        tree: inout CloudTree,
        at date: Date
    ) throws -> CloudItem {
        let target = try scope.target(path, in: tree)
        do {
            // Looked at first: a refused file leaves no new folders behind.
            if tree.item(at: target.folders, under: target.base) == nil { try tree.checkSpace(content.count) }
            let parent = try tree.makeFolders(target.folders, under: target.base, at: date)
            guard let existing = tree.child(of: parent, named: target.name) else {
                if case .update = mode, isStrict { throw CloudError.fileConflict }
                return try tree.makeFile(
                    named: target.name,
                    in: parent,
                    content: content,
                    hashes: hashes,
                    clientModified: clientModified,
                    at: date
                )
            }
            if let version = existing.version {
                // Equal content is no change, and changes no date either.
                if version.hashes == hashes, !isStrict { return existing }
                if mode == .overwrite || mode == .update(version.number) {
                    return try tree.replaceContent(
                        of: existing.id,
                        with: content,
                        hashes: hashes,
                        clientModified: clientModified,
                        at: date
                    )
                }
            }
            guard isRenamed else { throw existing.isFolder ? CloudError.folderConflict : .fileConflict }
            return try tree.makeFile(
                named: freeName(target.name, in: parent, tree),
                in: parent,
                content: content,
                hashes: hashes,
                clientModified: clientModified,
                at: date
            )
        } catch let error as CloudError {
            throw DropboxTag.write(error)
        }
    }

    private func freeName(_ name: String, in folder: CloudItem.ID, _ tree: CloudTree) -> String {
        guard case .update = mode else { return tree.freeName(name, in: folder, isFolder: false) }
        var (stem, suffix) = (name, "")
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
        }
        let copy = "\(stem) (conflicted copy)\(suffix)"
        return tree.child(of: folder, named: copy) == nil ? copy : tree.freeName(copy, in: folder, isFolder: false)
    }
}
