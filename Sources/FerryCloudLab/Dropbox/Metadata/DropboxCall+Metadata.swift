import Foundation

extension DropboxCall {
    /// Answers `files/get_metadata`.
    func getMetadata() throws -> DropboxResult {
        try storage.read { tree in
            do {
                if flag("include_deleted"), let deleted = try deletedMetadata(text("path"), tree) {
                    return .json(.object(deleted))
                }
                if case .revision = try DropboxPath(text("path")) {
                    let (item, version) = try scope.version(text("path"), in: tree)
                    let path = item.flatMap { tree.path(of: $0.id, from: scope.base) }
                    let name = item?.name ?? version.path.last ?? ""
                    return .json(.object(scope.metadata(version, of: version.itemID, named: name, path: path)))
                }
                let item = try scope.item(text("path"), in: tree)
                guard item.id != scope.base else {
                    throw DropboxRefusal.malformed("request body: path: The root folder is unsupported.")
                }
                var fields = scope.metadata(item, in: tree)
                if flag("include_media_info"), let info = DropboxMedia.info(of: item) { fields["media_info"] = info }
                return .json(.object(fields))
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
    }

    private func deletedMetadata(_ path: String, _ tree: CloudTree) throws -> JSONObject? {
        guard case .path(let names, let namespace) = try DropboxPath(path) else { return nil }
        let absolute = (tree.path(of: try scope.start(namespace)) ?? []) + names
        guard tree.item(at: absolute) == nil, let grave = tree.grave(at: absolute) else { return nil }
        return scope.deletedMetadata(path: Array(grave.path.dropFirst(scope.basePath(in: tree).count)))
    }
}
