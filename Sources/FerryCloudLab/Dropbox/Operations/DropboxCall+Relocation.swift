import Foundation

extension DropboxCall {
    /// A way to bring an item to another place.
    enum Relocation: Sendable { case copy, move }

    static let relocation = DropboxShape(
        .required("from_path", .pattern(.writePathOrID)),
        .required("to_path", .pattern(.writePathOrID))
    )

    /// Answers `files/copy_v2` and `files/move_v2`.
    func relocate(_ kind: Relocation) throws -> DropboxResult {
        .json(["metadata": .object(try relocate(kind, arguments, isRenamed: flag("autorename")))])
    }

    /// Answers `files/copy_batch_v2` and `files/move_batch_v2`.
    func relocateBatch(_ kind: Relocation) -> DropboxResult {
        // These jobs don't fail as a whole: each entry does.
        let isFailing = fault == .failJob
        return launch(failure: nil) {
            let results = (arguments["entries"]?.array ?? []).map { entry -> JSONValue in
                if isFailing { return [".tag": "failure", "failure": [".tag": "internal_error"]] }
                do {
                    let fields = try relocate(kind, entry, isRenamed: flag("autorename"))
                    return [".tag": "success", "success": .object(fields)]
                } catch let tag as DropboxTag {
                    return [".tag": "failure", "failure": DropboxTag("relocation_error", tag).json]
                } catch {
                    return [".tag": "failure", "failure": [".tag": "internal_error"]]
                }
            }
            return ["entries": .array(results)]
        }
    }

    private func relocate(_ kind: Relocation, _ arguments: JSONValue, isRenamed: Bool) throws -> JSONObject {
        try storage.change { tree in
            let source: CloudItem
            do throws(DropboxTag) {
                source = try scope.item(arguments["from_path"]?.string ?? "", in: tree)
            } catch {
                throw DropboxTag("from_lookup", error)
            }
            let isFixed = source.id == scope.base || source.id == account.homeID || source.id == CloudTree.rootID
            guard !isFixed, kind == .copy || !scope.isReadOnly else {
                throw DropboxTag("from_write", DropboxTag("no_write_permission"))
            }
            guard tree.descendants(of: source.id).count <= settings.maximumFolderOperation else {
                throw DropboxTag("too_many_files")
            }
            do {
                let id = try relocate(kind, source, to: arguments["to_path"]?.string ?? "", isRenamed, &tree)
                guard let item = tree.liveItem(id) else { throw CloudError.notFound }
                return scope.metadata(item, in: tree)
            } catch let error as CloudError {
                switch error {
                case .intoItself:
                    throw DropboxTag(kind == .move ? "cant_move_folder_into_itself" : "duplicated_or_nested_paths")
                case .insufficientSpace: throw DropboxTag("insufficient_quota")
                default: throw DropboxTag("to", .write(error))
                }
            }
        }
    }

    private func relocate(
        _ kind: Relocation,
        _ source: CloudItem,
        to path: String,
        _ isRenamed: Bool,
        _ tree: inout CloudTree
    ) throws -> CloudItem.ID {
        let target: (base: CloudItem.ID, folders: [String], name: String)
        do {
            target = try scope.target(path, in: tree)
        } catch {
            throw DropboxTag("to", error)
        }
        // Looked at before folders are made: else a folder would get new ones inside itself.
        let nearest = nearestFolder(target.folders, under: target.base, tree)
        guard !source.isFolder || !tree.isInside(nearest, of: source.id) else { throw CloudError.intoItself }
        var name = target.name
        let parent = try tree.makeFolders(target.folders, under: target.base, at: now)
        if let existing = tree.child(of: parent, named: name) {
            // Also a change of case only meets itself here: the service doesn't support it.
            guard isRenamed else { throw existing.isFolder ? CloudError.folderConflict : .fileConflict }
            name = tree.freeName(name, in: parent, isFolder: source.isFolder)
        }
        switch kind {
        case .copy: return try tree.copy(source.id, to: parent, named: name, at: now).id
        case .move:
            try tree.move(source.id, to: parent, named: name, at: now)
            return source.id
        }
    }

    private func nearestFolder(_ path: [String], under base: CloudItem.ID, _ tree: CloudTree) -> CloudItem.ID {
        var id = base
        for name in path {
            guard let child = tree.child(of: id, named: name) else { break }
            id = child.id
        }
        return id
    }
}
