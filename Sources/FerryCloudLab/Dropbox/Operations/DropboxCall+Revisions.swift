import Foundation

extension DropboxCall {
    /// Answers `files/list_revisions`.
    func listRevisions() throws -> DropboxResult {
        let isByID = arguments["mode"]?.tagged?.tag == "id"
        let limit = Int(arguments["limit"]?.integer ?? 10)
        return try storage.read { tree in
            do {
                let (versions, deleted) = try revisions(isByID: isByID, tree)
                var newest = Array(versions.reversed())
                if let before = arguments["before_rev"]?.string {
                    guard let index = newest.firstIndex(where: { $0.number == DropboxPath.version(before) }) else {
                        throw Outer()
                    }
                    newest.removeFirst(index + 1)
                }
                let entries = newest.prefix(limit).map { version -> JSONValue in
                    let path = Array(version.path.dropFirst(scope.basePath(in: tree).count))
                    return .object(
                        scope.metadata(
                            version,
                            of: version.itemID,
                            named: version.path.last ?? "",
                            path: path,
                            isTagged: false
                        )
                    )
                }
                var answer = JSONObject([("is_deleted", .bool(deleted != nil))])
                if let deleted { answer["server_deleted"] = .string(DropboxTimestamp.text(deleted)) }
                answer["entries"] = .array(entries)
                answer["has_more"] = .bool(newest.count > limit)
                return .json(.object(answer))
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            } catch is Outer {
                throw DropboxTag("invalid_before_rev")
            }
        }
    }

    private struct Outer: Error {}

    /// Returns the versions, oldest first, and the date at which the file was deleted.
    private func revisions(isByID: Bool, _ tree: CloudTree) throws -> (versions: [CloudVersion], deleted: Date?) {
        switch try DropboxPath(text("path")) {
        case .path(let names, let namespace):
            let path = (tree.path(of: try scope.start(namespace)) ?? []) + names
            let live = tree.item(at: path)
            if let live, live.isFolder { throw DropboxTag("not_file") }
            let versions = tree.versions(at: path)
            guard let last = versions.last else { throw DropboxTag("not_found") }
            let deleted = live == nil ? (tree.grave(at: path)?.date ?? last.serverModified) : nil
            return (isByID ? tree.versions(of: last.itemID) : versions, deleted)
        case .id(let id, _):
            guard let item = tree.items[id] else { throw DropboxTag("not_found") }
            guard let version = item.version else { throw DropboxTag("not_file") }
            let isLive = tree.liveItem(id) != nil
            let versions = isByID ? tree.versions(of: id) : tree.versions(at: version.path)
            return (versions, isLive ? nil : (item.deleted ?? version.serverModified))
        case .revision: throw DropboxTag.malformedPath
        }
    }

    /// Answers `files/restore`.
    func restore() throws -> DropboxResult {
        try storage.change { tree in
            guard let number = DropboxPath.version(text("rev")), let version = tree.versions[number] else {
                throw DropboxTag("invalid_revision")
            }
            let target: (base: CloudItem.ID, folders: [String], name: String)
            do throws(DropboxTag) {
                target = try scope.target(text("path"), in: tree)
            } catch {
                throw DropboxTag("path_write", error)
            }
            do {
                let parent = try tree.makeFolders(target.folders, under: target.base, at: now)
                let item: CloudItem
                if let existing = tree.child(of: parent, named: target.name) {
                    guard !existing.isFolder else { throw CloudError.folderConflict }
                    item =
                        existing.version?.number == number
                        ? existing
                        : try tree.replaceContent(
                            of: existing.id,
                            with: version.content,
                            hashes: version.hashes,
                            clientModified: version.clientModified,
                            at: now
                        )
                } else {
                    let isGone = tree.liveItem(version.itemID) == nil
                    item = try tree.makeFile(
                        named: target.name,
                        in: parent,
                        content: version.content,
                        hashes: version.hashes,
                        clientModified: version.clientModified,
                        at: now,
                        reusing: isGone ? version.itemID : nil
                    )
                }
                return .json(.object(scope.metadata(item, in: tree, isTagged: false)))
            } catch let error as CloudError {
                throw DropboxTag("path_write", .write(error))
            }
        }
    }
}
