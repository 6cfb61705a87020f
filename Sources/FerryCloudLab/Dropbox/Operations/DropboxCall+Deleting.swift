import Foundation

extension DropboxCall {
    static let deletion = DropboxShape(
        .required("path", .pattern(.writePathOrID)),
        .optional("parent_rev", .pattern(.revision))
    )

    /// Answers `files/delete_v2`.
    func delete() throws -> DropboxResult { .json(["metadata": .object(try delete(arguments))]) }

    /// Answers `files/delete_batch`.
    func deleteBatch() -> DropboxResult {
        launch(failure: DropboxTag("too_many_write_operations")) {
            let results = (arguments["entries"]?.array ?? []).map { entry -> JSONValue in
                do {
                    return [".tag": "success", "metadata": .object(try delete(entry))]
                } catch let tag as DropboxTag {
                    return [".tag": "failure", "failure": tag.json]
                } catch {
                    return [".tag": "failure", "failure": [".tag": "other"]]
                }
            }
            return ["entries": .array(results)]
        }
    }

    /// Answers `files/permanently_delete`, which only the apps of teams may call.
    func deletePermanently() throws -> DropboxResult {
        guard account.homePath != nil else {
            var response = LabResponse(
                403,
                json: [
                    "error_summary": "invalid_account_type/endpoint/..",
                    "error": [
                        ".tag": "invalid_account_type", "invalid_account_type": [".tag": "endpoint"],
                    ],
                ]
            )
            response.refusal = "invalid_account_type"
            throw DropboxRefusal.response(response)
        }
        try storage.change { tree in
            let item = try existing(arguments, tree)
            do throws(CloudError) {
                try tree.purge(item.id, at: now)
            } catch {
                throw DropboxTag("path_lookup", .lookup(error))
            }
        }
        return .json(.null)
    }

    private func delete(_ arguments: JSONValue) throws -> JSONObject {
        try storage.change { tree in
            let item = try existing(arguments, tree)
            guard tree.descendants(of: item.id).count <= settings.maximumFolderOperation else {
                throw DropboxTag("too_many_files")
            }
            let fields = scope.metadata(item, in: tree)
            do throws(CloudError) {
                try tree.delete(item.id, at: now)
            } catch {
                throw DropboxTag("path_lookup", .lookup(error))
            }
            return fields
        }
    }

    private func existing(_ arguments: JSONValue, _ tree: CloudTree) throws -> CloudItem {
        let item: CloudItem
        do {
            item = try scope.item(arguments["path"]?.string ?? "", in: tree)
        } catch {
            throw DropboxTag("path_lookup", error)
        }
        guard !scope.isReadOnly, item.id != scope.base, item.id != account.homeID, item.id != CloudTree.rootID else {
            throw DropboxTag("path_write", DropboxTag("no_write_permission"))
        }
        if let revision = arguments["parent_rev"]?.string {
            guard item.version?.number == DropboxPath.version(revision) else {
                throw DropboxTag("path_write", DropboxTag("conflict", DropboxTag("file")))
            }
        }
        return item
    }
}
