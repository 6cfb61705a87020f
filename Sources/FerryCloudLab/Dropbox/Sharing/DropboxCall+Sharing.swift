import Foundation
import Synchronization

extension DropboxCall {
    static let linkSettings = DropboxShape(
        .optional("require_password", .bool),
        .optional("link_password", .text()),
        .optional("expires", .timestamp),
        .optional(
            "audience",
            .union(["public": nil, "team": nil, "no_one": nil, "password": nil, "members": nil])
        ),
        .optional("access", .union(["viewer": nil, "editor": nil, "max": nil, "default": nil])),
        .optional("requested_visibility", .union(["public": nil, "team_only": nil, "password": nil])),
        .optional("allow_download", .bool)
    )

    /// Answers `sharing/create_shared_link_with_settings`.
    func createLink() throws -> DropboxResult {
        let item = try storage.read { tree in
            do throws(DropboxTag) {
                return try scope.item(text("path"), in: tree)
            } catch {
                throw DropboxTag("path", error)
            }
        }
        let existing = lab.state.withLock { state in
            state.links.values.first { $0.account === account && $0.itemID == item.id }
        }
        if let existing {
            let fields = storage.read { metadata(existing, $0) }
            throw DropboxTag(
                "shared_link_already_exists",
                fields: [
                    ("shared_link_already_exists", [".tag": "metadata", "metadata": .object(fields)])
                ],
                summary: ["metadata"]
            )
        }
        let key = lab.makeText(length: 15).lowercased()
        let kind = item.isFolder ? "fo" : "fi"
        let name = item.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
        let url =
            "https://www.dropbox.com/scl/\(kind)/\(key)/\(name)?rlkey=\(lab.makeText(length: 25).lowercased())&dl=0"
        let number = lab.state.withLock(\.links.count)
        var link = DropboxLink(
            url: url,
            account: account,
            itemID: item.id,
            number: number,
            audience: "public",
            allowsDownload: true
        )
        try apply(arguments["settings"] ?? .null, to: &link)
        let made = link
        lab.state.withLock { $0.links[url] = made }
        return .json(.object(storage.read { metadata(made, $0) }))
    }

    /// Answers `sharing/list_shared_links`.
    func listLinks() throws -> DropboxResult {
        if fault == .resetCursor, arguments["cursor"]?.string != nil { throw DropboxTag("reset") }
        let start = arguments["cursor"]?.string.flatMap { Int($0.dropFirst(5)) }.map { max(0, $0) } ?? 0
        let links = lab.state.withLock { state in
            state.links.values.filter { $0.account === account }.sorted { $0.number < $1.number }
        }
        let found: [JSONObject] = try storage.read { tree in
            guard let path = arguments["path"]?.string else { return links.map { metadata($0, tree) } }
            let item: CloudItem
            do throws(DropboxTag) {
                item = try scope.item(path, in: tree)
            } catch {
                throw DropboxTag("path", error)
            }
            let wanted = links.filter { link in
                link.itemID == item.id || (!flag("direct_only") && tree.isInside(item.id, of: link.itemID))
            }
            return wanted.map { metadata($0, tree) }
        }
        let end = min(start + settings.pageSize, found.count)
        let page = start < end ? found[start..<end].map { JSONValue.object($0) } : []
        var answer = JSONObject([("links", .array(page)), ("has_more", .bool(end < found.count))])
        if end < found.count { answer["cursor"] = .string("links\(end)") }
        return .json(.object(answer))
    }

    /// Answers `sharing/get_shared_link_metadata`.
    func linkMetadata() throws -> DropboxResult {
        let link = try readableLink()
        return .json(.object(link.account.storage.read { metadata(link, $0) }))
    }

    /// Returns the link that a request names, if the account may look behind it.
    ///
    /// - Returns: The link; also one that stands for the page of an item that is shared with the account.
    /// - Throws: The tags of a link's error.
    func readableLink() throws(DropboxTag) -> DropboxLink {
        let url = text("url")
        let (made, grant) = lab.state.withLock { state in
            (state.links[url], state.grants.first { $0.url == url && ($0.account === account || $0.owner === account) })
        }
        if made == nil, let grant {
            return DropboxLink(
                url: url,
                account: grant.owner,
                itemID: grant.itemID,
                number: 0,
                audience: "no_one",
                allowsDownload: true
            )
        }
        guard let link = made, link.expires ?? .distantFuture > now else { throw DropboxTag("shared_link_not_found") }
        if let password = link.password, arguments["link_password"]?.string != password {
            throw DropboxTag("shared_link_access_denied")
        }
        return link
    }

    /// Answers `sharing/modify_shared_link_settings`.
    func modifyLink() throws -> DropboxResult {
        guard var link = ownLink() else { throw DropboxTag("shared_link_not_found") }
        try apply(arguments["settings"] ?? .null, to: &link)
        if flag("remove_expiration") { link.expires = nil }
        let changed = link
        lab.state.withLock { $0.links[changed.url] = changed }
        return .json(.object(storage.read { metadata(changed, $0) }))
    }

    /// Answers `sharing/revoke_shared_link`.
    func revokeLink() throws -> DropboxResult {
        guard text("url").hasPrefix("https://") else { throw DropboxTag("shared_link_malformed") }
        guard let link = ownLink() else { throw DropboxTag("shared_link_not_found") }
        lab.state.withLock { $0.links[link.url] = nil }
        return .json(.null)
    }

    private func ownLink() -> DropboxLink? {
        lab.state.withLock { $0.links[text("url")] }.flatMap { $0.account === account ? $0 : nil }
    }

    private func apply(_ settings: JSONValue, to link: inout DropboxLink) throws {
        let invalid = DropboxTag("settings_error", DropboxTag("invalid_settings"))
        if let isProtected = settings["require_password"]?.bool {
            let password = settings["link_password"]?.string
            if isProtected, password?.isEmpty ?? true { throw invalid }
            link.password = isProtected ? password : nil
        } else if settings["requested_visibility"]?.tagged?.tag == "password" {
            guard let password = settings["link_password"]?.string else { throw invalid }
            link.password = password
        }
        if let expires = settings["expires"]?.string.flatMap(DropboxTimestamp.date) {
            guard expires > now else { throw invalid }
            link.expires = expires
        }
        if let audience = settings["audience"]?.tagged?.tag { link.audience = audience }
        if settings["requested_visibility"]?.tagged?.tag == "team_only" { link.audience = "team" }
        if link.audience == "team", account.homePath == nil {
            throw DropboxTag("settings_error", DropboxTag("not_authorized"))
        }
        if let allowsDownload = settings["allow_download"]?.bool { link.allowsDownload = allowsDownload }
    }

    /// Describes the item that a link leads to.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - tree: The tree of the account that has made it.
    /// - Returns: The fields.
    func metadata(_ link: DropboxLink, _ tree: CloudTree) -> JSONObject {
        let item = tree.items[link.itemID]
        var fields = JSONObject([
            (".tag", .string(item?.isFolder == true ? "folder" : "file")), ("url", .string(link.url)),
            ("id", .string(DropboxPath.text(id: link.itemID))), ("name", .string(item?.name ?? "")),
        ])
        if let expires = link.expires { fields["expires"] = .string(DropboxTimestamp.text(expires)) }
        if link.account === account, let path = tree.path(of: link.itemID, from: scope.base) {
            fields["path_lower"] = .string(DropboxScope.text(path).lowercased())
        }
        let visibility = link.password != nil ? "password" : link.audience == "team" ? "team_only" : "public"
        fields["link_permissions"] = [
            "resolved_visibility": [".tag": .string(visibility)],
            "requested_visibility": [".tag": .string(visibility)],
            "can_revoke": true,
            "effective_audience": [".tag": .string(link.audience)],
            "link_access_level": [".tag": "viewer"],
            "visibility_policies": [
                ["policy": [".tag": "public"], "resolved_policy": [".tag": "public"], "allowed": true],
                ["policy": [".tag": "password"], "resolved_policy": [".tag": "password"], "allowed": true],
            ],
            "can_set_expiry": true, "can_remove_expiry": true, "allow_download": .bool(link.allowsDownload),
            "can_allow_download": true, "can_disallow_download": true, "allow_comments": false,
            "team_restricts_comments": true, "can_set_password": true, "can_remove_password": true,
            "require_password": .bool(link.password != nil),
        ]
        if let version = item?.version {
            fields["client_modified"] = .string(DropboxTimestamp.text(version.clientModified))
            fields["server_modified"] = .string(DropboxTimestamp.text(version.serverModified))
            fields["rev"] = .string(DropboxPath.text(version: version.number))
            fields["size"] = .integer(version.size)
        }
        return fields
    }
}
