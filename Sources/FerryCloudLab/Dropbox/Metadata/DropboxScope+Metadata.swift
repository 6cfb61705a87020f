import Foundation

extension DropboxScope {
    /// Describes an item that isn't in the trash.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - tree: The tree.
    ///   - isTagged: A Boolean value that indicates whether a tag tells the kind, as it does where the kind is open.
    /// - Returns: The fields.
    func metadata(_ item: CloudItem, in tree: CloudTree, isTagged: Bool = true) -> JSONObject {
        let path = tree.path(of: item.id, from: base)
        guard let version = item.version else {
            return fields(
                "folder",
                name: item.name,
                path: path,
                isTagged: isTagged,
                more: [
                    ("id", .string(DropboxPath.text(id: item.id)))
                ]
            )
        }
        var fields = metadata(version, of: item.id, named: item.name, path: path, isTagged: isTagged)
        if let first = item.exports.first {
            fields["is_downloadable"] = false
            fields["export_info"] = [
                "export_as": .string(first.format), "export_options": .array(item.exports.map { .string($0.format) }),
            ]
        }
        return fields
    }

    /// Describes a version of a file.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - id: The number of the file.
    ///   - name: The name of the file.
    ///   - path: The names from the base down to the file; `nil` if it isn't below the base.
    ///   - isTagged: A Boolean value that indicates whether a tag tells the kind.
    /// - Returns: The fields.
    func metadata(
        _ version: CloudVersion,
        of id: CloudItem.ID,
        named name: String,
        path: [String]?,
        isTagged: Bool = true
    ) -> JSONObject {
        fields(
            "file",
            name: name,
            path: path,
            isTagged: isTagged,
            more: [
                ("id", .string(DropboxPath.text(id: id))),
                ("client_modified", .string(DropboxTimestamp.text(version.clientModified))),
                ("server_modified", .string(DropboxTimestamp.text(version.serverModified))),
                ("rev", .string(DropboxPath.text(version: version.number))),
                ("size", .integer(version.size)),
                ("is_downloadable", true),
                ("content_hash", .string(version.hashes[.dropbox] ?? "")),
            ]
        )
    }

    /// Describes something that was deleted.
    func deletedMetadata(path: [String]) -> JSONObject {
        fields("deleted", name: path.last ?? "", path: path, isTagged: true, more: [])
    }

    private func fields(
        _ tag: String,
        name: String,
        path: [String]?,
        isTagged: Bool,
        more: [(String, JSONValue)]
    ) -> JSONObject {
        var fields: [(String, JSONValue)] = isTagged ? [(".tag", .string(tag))] : []
        fields.append(("name", .string(name)))
        if let path {
            fields.append(("path_lower", .string(Self.text(path).lowercased())))
            let display = hasRoughDisplayPaths ? path.dropLast().map { $0.lowercased() } + path.suffix(1) : path
            fields.append(("path_display", .string(Self.text(display))))
        }
        return JSONObject(fields + more)
    }

    /// Returns names as a path; the root is empty.
    static func text(_ path: some Sequence<String>) -> String { path.map { "/" + $0 }.joined() }
}
