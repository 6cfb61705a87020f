import Foundation
import Synchronization

extension DropboxCall {
    /// Answers `sharing/list_folders` and its continuation.
    func listSharedFolders() throws -> DropboxResult {
        let grants = lab.state.withLock(\.grants)
        var seen: Set<Int> = []
        return try page(
            of: grants.filter { $0.account === account || $0.owner === account }.compactMap { grant in
                guard let item = item(of: grant), item.isFolder, seen.insert(grant.namespace).inserted else {
                    return nil
                }
                return folder(grant, item)
            },
            limit: 1_000
        )
    }

    /// Answers `sharing/list_received_files` and its continuation.
    func listReceivedFiles() throws -> DropboxResult {
        let grants = lab.state.withLock(\.grants)
        return try page(
            of: grants.filter { $0.account === account }.compactMap { grant in
                guard let item = item(of: grant), !item.isFolder else { return nil }
                return [
                    "access_type": [".tag": .string(grant.access.rawValue)],
                    "id": .string(DropboxPath.text(id: item.id)), "name": .string(item.name),
                    "owner_display_names": [.string(grant.owner.name)], "policy": Self.policy,
                    "preview_url": .string(grant.url), "time_invited": .string(DropboxTimestamp.text(grant.date)),
                ]
            },
            limit: 100
        )
    }

    /// Answers `sharing/get_shared_link_file`.
    func linkFile() throws -> DropboxResult {
        let link = try readableLink()
        return try link.account.storage.read { tree in
            guard let item = tree.liveItem(link.itemID) else { throw DropboxTag("shared_link_not_found") }
            guard let version = item.version else { throw DropboxTag("shared_link_is_directory") }
            guard item.exports.isEmpty else { throw DropboxTag("unsupported_link_type") }
            return .download(.object(metadata(link, tree)), version.content, version: version.number)
        }
    }

    private static let policy: JSONValue = [
        "acl_update_policy": [".tag": "owner"], "shared_link_policy": [".tag": "anyone"],
    ]

    private func item(of grant: DropboxGrant) -> CloudItem? {
        grant.owner.storage.read { $0.liveItem(grant.itemID) }
    }

    private func folder(_ grant: DropboxGrant, _ item: CloudItem) -> JSONValue {
        let isOwner = grant.owner === account
        var fields = JSONObject([
            ("access_type", [".tag": .string(isOwner ? "owner" : grant.access.rawValue)]),
            ("is_inside_team_folder", false), ("is_team_folder", false),
            ("owner_display_names", [.string(grant.owner.name)]), ("name", .string(item.name)),
            ("policy", Self.policy), ("preview_url", .string(grant.url)),
            ("shared_folder_id", .string(String(grant.namespace))),
            ("time_invited", .string(DropboxTimestamp.text(grant.date))),
            ("access_inheritance", [".tag": "inherit"]),
        ])
        // Of an item that is not mounted no path is known.
        if isOwner, let path = storage.read({ $0.path(of: item.id, from: scope.base) }) {
            fields["path_lower"] = .string(DropboxScope.text(path).lowercased())
            fields["path_display"] = .string(DropboxScope.text(path))
        }
        return .object(fields)
    }

    private func page(of entries: [JSONValue], limit: Int64) throws -> DropboxResult {
        var start = 0
        if let cursor = arguments["cursor"]?.string {
            guard cursor.hasPrefix("shared"), let number = Int(cursor.dropFirst(6)), number >= 0 else {
                throw DropboxTag("invalid_cursor")
            }
            start = number
        }
        let size = min(settings.pageSize, Int(arguments["limit"]?.integer ?? limit))
        let end = min(start + size, entries.count)
        var answer = JSONObject([("entries", .array(start < end ? Array(entries[start..<end]) : []))])
        if end < entries.count { answer["cursor"] = .string("shared\(end)") }
        return .json(.object(answer))
    }
}
